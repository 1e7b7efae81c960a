"""Python values as records: the same safety for cases that never were a file."""

from __future__ import annotations

import math
from typing import Any

from adjudge.contract import Record
from adjudge.inputs.jsontext import MAX_DEPTH
from adjudge.inputs.pieces import Broken
from adjudge.inputs.safetext import make_safe

MEMORY = "<memory>"


def record_of(value: Any, number: int) -> Record | Broken:
    """The ``number``-th value in memory as a record (``number`` stands for its line).

    >>> record_of({"id": "a"}, 1).value
    {'id': 'a'}
    """
    try:
        safe, findings = make_safe(_json_like(value, "", 0))
    except _NotJson as error:
        return Broken(MEMORY, number, error.expected, error.found, code="bad_case", field=error.at)
    return Record(value=safe, file=MEMORY, line=number, findings=findings)


class _NotJson(ValueError):
    def __init__(self, at: str, expected: str, found: str) -> None:
        self.at, self.expected, self.found = at, expected, found
        super().__init__(expected)


def _json_like(value: Any, at: str, depth: int) -> Any:
    """A copy of ``value`` made of JSON's own types; anything else is an error."""
    if depth > MAX_DEPTH:
        raise _NotJson(at[:80], f"at most {MAX_DEPTH} levels of nesting", "more")
    if isinstance(value, dict):
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
