"""From a rubric's text to the rubric, with errors that say where."""

from __future__ import annotations

import difflib
import os
import re
from typing import Any

from pydantic import BaseModel, ValidationError

from adjudge.judges.invalid import case_error, shown
from adjudge.judges.rubric.compiled import Compiled, compile_rubric
from adjudge.judges.rubric.model import BoundRule, Dimension, InputField, Rubric
from adjudge.judges.rubric.places import Document, Path, RubricError, read_document

SUFFIXES = (".yaml", ".yml", ".json")
_PARTS: dict[Any, type[BaseModel]] = {
    "input": InputField,
    "dimensions": Dimension,
    "bounds": BoundRule,
}
_WRITTEN_OF = ("element", "fields")
# what pydantic puts into the way to an error for a choice between types
_BRANCHES = re.compile(r"^(function-.*|dict\[.*|str|int|float|bool|tuple\[.*|\[key\])$")


def load_rubric(path: str) -> Compiled:
    """The rubric in the file at ``path``. Raises ``RubricError``."""
    try:
        with open(path, encoding="utf-8-sig") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        found = getattr(error, "strerror", None) or "bytes that are not UTF-8"
        raise RubricError(f"{path}: expected a rubric, found: {found}") from None
    return read_rubric(text, path)


def read_rubric(text: str, name: str) -> Compiled:
    """The rubric that ``text`` holds; without a name of its own it is called as the file is.

    Raises ``RubricError``, which says file, line, field, what was expected, what was found.
    """
    document = read_document(text, name)
    value = document.value
    if not isinstance(value, dict):
        raise document.error((), "an object with instructions, input, dimensions", shown(value))
    stem = os.path.splitext(os.path.basename(name))[0].lower()
    called = re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_").lstrip("0123456789-_")
    return _checked({"name": called[:40] or "rubric", **value}, document)


def rubric_of(content: Any, name: str) -> Compiled:
    """The rubric of content that was kept. Raises ``RubricError``."""
    return _checked(content, Document(name))


def _checked(value: Any, document: Document) -> Compiled:
    try:
        rubric = Rubric.model_validate(value)
    except ValidationError as error:
        raise _said(error, document) from None
    return compile_rubric(rubric, document)


def _said(error: ValidationError, document: Document) -> RubricError:
    errors = error.errors(include_url=False)
    # a name that is wrong explains why another is missing
    first = min(errors, key=lambda one: one["type"] != "extra_forbidden")
    path = _way(first["loc"], document)
    if first["type"] == "extra_forbidden":
        model = _PARTS.get(path[0], Rubric) if len(path) > 1 else Rubric
        known = [info.alias or name for name, info in model.model_fields.items()]
        known = list(dict.fromkeys("of" if k in _WRITTEN_OF else k for k in known))
        near = difflib.get_close_matches(str(path[-1]), known, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        return document.error(path, f"one of {', '.join(known)}", f"{path[-1]!r}{hint}")
    if first["type"] == "string_pattern_mismatch" and "[key]" in first["loc"]:
        return document.error(path, "a name of small letters, digits and _", f"{path[-1]!r}")
    told = case_error(error, Rubric, None)
    return document.error(path, told.expected, told.found or "nothing")


def _way(parts: tuple[int | str, ...], document: Document) -> Path:
    """The way to an error in the document: less what pydantic adds, so far as it is there."""
    path: Path = ()
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part in _WRITTEN_OF and path[-1:] != ("of",):
            part = "of"
        known = (*path, part) in document.places
        if known or (last and not _BRANCHES.match(str(part))):
            path = (*path, part)
    return path
