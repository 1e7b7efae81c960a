"""Validation errors of pydantic, said as: which field, what was expected, what was found."""

from __future__ import annotations

import difflib
from typing import Any

from pydantic import BaseModel, ValidationError

from adjudge.contract import CaseError

_EXPECTED = {
    "string_type": "a string",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "int_type": "an integer",
    "int_parsing": "an integer",
    "float_type": "a number",
    "bool_type": "true or false",
    "missing": "this field",
    "string_too_short": "a string that is not empty",
}
_LONGEST = 80


def case_error(error: ValidationError, model: type[BaseModel], case_id: str | None) -> CaseError:
    """The first problem that ``error`` holds, as a ``CaseError``."""
    first = error.errors(include_url=False)[0]
    path = field_path(first["loc"])
    kind = first["type"]
    found = shown(first.get("input"))
    if kind == "extra_forbidden":
        name = str(first["loc"][-1])
        known = _fields(model, first["loc"][:-1])
        near = difflib.get_close_matches(name, known, 1)
        expected = f"one of the fields {', '.join(known)}" if known else "a known field"
        found = f"the unknown field {shown(name)}" + (f" (did you mean {near[0]}?)" if near else "")
        return CaseError(expected, field=path, found=found, case_id=case_id)
    if kind == "missing":
        return CaseError(_EXPECTED[kind], field=path, found="nothing", case_id=case_id)
    if kind == "value_error":
        text = str(first["ctx"]["error"])
        if not text.startswith("expected "):
            return CaseError("a value that can be used", field=path, found=text, case_id=case_id)
        expected, _, what = text.removeprefix("expected ").partition(", found ")
        return CaseError(expected, field=path, found=what, case_id=case_id)
    if kind == "literal_error":
        return CaseError(first["ctx"]["expected"], field=path, found=found, case_id=case_id)
    expected = _EXPECTED.get(kind) or _said(first["msg"])
    return CaseError(expected, field=path, found=found, case_id=case_id)


def _said(message: str) -> str:
    """Pydantic's sentence as what was expected.

    >>> _said("Input should be greater than or equal to 1")
    'a value greater than or equal to 1'
    """
    said = message.partition(", ")[0].removeprefix("Input should be ")
    if said.startswith(("greater", "less", "a multiple")):
        return f"a value {said}"
    return said[:1].lower() + said[1:]


def field_path(parts: tuple[int | str, ...]) -> str:
    """A location as a path: ``scene.objects[3].on``.

    >>> field_path(("scene", "objects", 3, "on"))
    'scene.objects[3].on'
    """
    path = ""
    for part in parts:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            path += ("." if path else "") + part
    return path


def shown(value: Any) -> str:
    """A value as it may stand in an error: its kind, and its text where that is short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)[:_LONGEST]
    if isinstance(value, str):
        text = value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
        return repr(text)
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else type(value).__name__


def _fields(model: type[BaseModel], parts: tuple[int | str, ...]) -> list[str]:
    """The field names where a path leads, following models and lists of models."""
    current: Any = model
    for part in parts:
        if isinstance(part, int):
            continue
        fields = getattr(current, "model_fields", {})
        info = fields.get(part) or next((f for f in fields.values() if f.alias == part), None)
        if info is None:
            return []
        current = _model_in(info.annotation)
        if current is None:
            return []
    return [f.alias or name for name, f in current.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _model_in(argument)
        if found is not None:
            return found
    return None
