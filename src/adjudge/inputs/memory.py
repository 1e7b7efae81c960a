"""Python values as records: the same safety for cases that never were a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from adjudge.contract import Record
from adjudge.inputs.jsontext import MAX_DEPTH
from adjudge.inputs.pieces import Broken
from adjudge.inputs.safetext import make_safe, may_be_unsafe

MEMORY = "<memory>"


def record_of(value: Any, number: int) -> Record | Broken:
    """The ``number``-th value in memory as a record (``number`` stands for its line).

    A pydantic model stays what it is; anything else must be made of JSON's own types.

    >>> record_of({"id": "a"}, 1).value
    {'id': 'a'}
    """
    if isinstance(value, BaseModel):
        return _model(value, number)
    try:
        safe, findings = make_safe(_json_like(value, "", 0))
    except _NotJson as error:
        return Broken(MEMORY, number, error.expected, error.found, code="bad_case", field=error.at)
    return Record(value=safe, file=MEMORY, line=number, findings=findings)


def _model(case: BaseModel, number: int) -> Record:
    try:
        clean = not may_be_unsafe(case.model_dump_json())
    except PydanticSerializationError:  # a lone surrogate, for one
        clean = False
    if clean:
        return Record(value=case, file=MEMORY, line=number)
    safe, findings = make_safe(case.model_dump(by_alias=True))
    return Record(type(case).model_validate(safe), MEMORY, number, findings)


class _NotJson(ValueError):
    def __init__(self, at: str, expected: str, found: str) -> None:
        self.at, self.expected, self.found = at, expected, found
        super().__init__(expected)


def _json_like(value: Any, at: str, depth: int) -> Any:
    """A copy of ``value`` made of JSON's own types; anything else is an error."""
    if depth == MAX_DEPTH and isinstance(value, Mapping | list | tuple):
        raise _NotJson(at[:80], f"at most {MAX_DEPTH} levels of nesting", "more")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise _NotJson(at, "keys that are strings", f"a {type(key).__name__}")
        return {
            key: _json_like(inner, f"{at}.{key}" if at else key, depth + 1)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_json_like(inner, f"{at}[{i}]", depth + 1) for i, inner in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise _NotJson(at, "a finite number", str(value))
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise _NotJson(at, "a JSON value", f"a {type(value).__name__}")
