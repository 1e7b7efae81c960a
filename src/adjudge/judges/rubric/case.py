"""The cases of a rubric: a pydantic model made from its input fields, and how records become it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.invalid import case_error, shown
from adjudge.judges.rubric.made import Made
from adjudge.judges.rubric.model import InputField

_KEPT = ("meta", "label", "expect")
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_TYPES: dict[str, Any] = {
    "text": str,
    "number": float,
    "integer": int,
    "boolean": bool,
    "object": dict[str, Any],
    "any": Any,
}


class RubricPart(BaseModel, metaclass=Made):
    """An object inside a case; what is not named in it stays there as it is."""

    model_config = ConfigDict(
        frozen=True, extra="allow", strict=True, allow_inf_nan=False, protected_namespaces=()
    )


class RubricCase(RubricPart):
    """What every case has besides the rubric's fields. No judge reads ``meta``, ``label`` and
    ``expect``."""

    model_config = ConfigDict(extra="forbid")

    id: str | None = None
    meta: Any = None
    label: Any = None
    expect: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        # by way of JSON: the classes of what is inside are known to this one only
        return _read_again, (type(self), self.model_dump_json(by_alias=True))

    def plain(self) -> JsonObject:
        """The rubric's fields as plain JSON values."""
        values = self.model_dump(
            mode="json", by_alias=True, exclude_unset=True, exclude={"id", *_KEPT}
        )
        return {name: value for name, value in values.items() if value is not None}


def _read_again(kind: type[RubricCase], text: str) -> RubricCase:
    return kind.model_validate_json(text)


def case_model(
    name: str, fields: Mapping[str, InputField], base: type[RubricPart]
) -> type[RubricPart]:
    """A model with ``fields``. Inside objects their own names are aliases: any key is possible."""
    definitions: dict[str, Any] = {}
    for index, (key, field) in enumerate(fields.items()):
        kind = _type_of(f"{name}_{key}", field)
        default: Any = None if field.optional else ...
        if base is RubricCase:
            definitions[key] = (kind, Field(default))
        else:
            definitions[f"part_{index}"] = (kind, Field(default, alias=key))
    return create_model(name, __base__=base, __module__=__name__, **definitions)


def _type_of(name: str, field: InputField) -> Any:
    kind: Any
    if field.type == "choice":
        kind = Literal[field.choices]
    elif field.type == "list":
        kind = list[_type_of(name, field.element) if field.element else Any]  # type: ignore[misc]
    elif field.fields is not None:
        kind = case_model(name, field.fields, RubricPart)
    else:
        kind = _TYPES[field.type]
    return kind | None if field.optional else kind


@dataclass(frozen=True, slots=True)
class RubricReader:
    """One JSON object with the rubric's fields, at the top or where ``from`` says; other fields
    are not read. An ``id`` may be a number."""

    fields: Mapping[str, InputField]
    model: type[BaseModel]
    name: str = "fields"

    def detect(self, record: Record) -> bool:
        """Whether it is an object."""
        return isinstance(record.value, dict)

    def read(self, record: Record) -> Iterator[Any]:
        """The case. Raises ``CaseError`` that names the field."""
        value = record.value
        if not isinstance(value, dict):
            needed = ", ".join(name for name, field in self.fields.items() if not field.optional)
            raise CaseError(f"an object with {needed}", found=shown(value))
        made = {name: value[name] for name in _KEPT if name in value}
        case_id = value.get("id")
        if isinstance(case_id, int) and not isinstance(case_id, bool):
            case_id = str(case_id)
        if case_id is not None:
            made["id"] = case_id
        for name, field in self.fields.items():
            found, there = _at(value, field.path or name)
            if there:
                made[name] = found
        try:
            yield self.model.model_validate(made)
        except ValidationError as error:
            said = case_error(error, self.model, case_id if isinstance(case_id, str) else None)
            raise self._where(said) from None

    def _where(self, error: CaseError) -> CaseError:
        """The error under the name that the record has for the field."""
        name = re.split(r"[.\[]", error.field, maxsplit=1)[0]
        path = self.fields[name].path if name in self.fields else None
        if path is None:
            return error
        where = path + error.field.removeprefix(name)
        return CaseError(error.expected, field=where, found=error.found, case_id=error.case_id)


def _at(value: Any, path: str) -> tuple[Any, bool]:
    """What stands at ``path``, and whether anything does.

    >>> _at({"choices": [{"text": "Hi"}]}, "choices[0].text")
    ('Hi', True)
    """
    if isinstance(value, dict) and path in value:
        return value[path], True
    for step in _STEP.finditer(path):
        if step[1] is not None:
            index = int(step[1])
            if not isinstance(value, list) or index >= len(value):
                return None, False
            value = value[index]
        elif isinstance(value, dict) and step[2] in value:
            value = value[step[2]]
        else:
            return None, False
    return value, True
