"""Strict JSON: what the standard parser lets pass or trips over is an error with a name here."""

from __future__ import annotations

import json
import math
from typing import Any

MAX_DEPTH = 100
"""Nesting of arrays and objects that a record may have."""


class BadJson(ValueError):
    """Text that is no JSON value we take: what was expected, what was found, and where.

    ``line`` and ``column`` are 1-based within the text, ``None`` where unknown.
    """

    def __init__(
        self,
        expected: str,
        found: str,
        *,
        line: int | None = None,
        column: int | None = None,
        field: str = "",
    ) -> None:
        self.expected = expected
        self.found = found if column is None else f"{found} at column {column}"
        self.line = line
        self.column = column
        self.field = field
        super().__init__(f"expected {self.expected}, found {self.found}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadJson("each key once", "it twice in one object", field=key[:80])
            seen.add(key)
    return made


def _constant(name: str) -> Any:
    raise BadJson("a finite number", name)


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise BadJson("a finite number", f"{digits[:40]}, which is out of range")
    return number


def _int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise BadJson("a number", f"an integer of {len(digits)} digits") from None


# Raw control characters inside strings are let through: they are replaced, with a finding, later.
_DECODER = json.JSONDecoder(
    strict=False,
    object_pairs_hook=_object,
    parse_constant=_constant,
    parse_float=_float,
    parse_int=_int,
)
_LENIENT = json.JSONDecoder(strict=False, parse_int=str)
_BLANK = " \t\n\r"


def skip_blank(text: str, start: int) -> int:
    """The index of the next character that is not white space, from ``start`` on."""
    end = len(text)
    while start < end and text[start] in _BLANK:
        start += 1
    return start


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at ``start`` and the index behind it; raises ``BadJson``."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _named(error) from None
    except RecursionError:
        raise _too_deep() from None
    # The measuring walk is only taken where there are brackets enough to nest that deep.
    if text.count("[", start, end) + text.count("{", start, end) > MAX_DEPTH and _deep(value):
        raise _too_deep()
    return value, end


def end_of(text: str, start: int) -> int | None:
    """Where the value that begins at ``start`` ends, if only what is *in* it is wrong."""
    try:
        return _LENIENT.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def decode(text: str) -> Any:
    """The one JSON value that ``text`` holds; raises ``BadJson``.

    >>> decode('{"a": [1, 2]}')
    {'a': [1, 2]}
    >>> decode('{"a": NaN}')
    Traceback (most recent call last):
    adjudge.inputs.jsontext.BadJson: expected a finite number, found NaN
    """
    value, end = decode_at(text, skip_blank(text, 0))
    end = skip_blank(text, end)
    if end != len(text):
        raise bad_at(text, end, "the end after one JSON value")
    return value


def bad_at(text: str, index: int, expected: str) -> BadJson:
    """The error "expected …" at ``index`` of ``text``; what is missing is missing at its end."""
    if skip_blank(text, index) >= len(text):
        index = len(text.rstrip(_BLANK))
    line = text.count("\n", 0, index) + 1
    column = index - (text.rfind("\n", 0, index) + 1) + 1
    return BadJson(expected, _shown(text, index), line=line, column=column)


def _named(error: json.JSONDecodeError) -> BadJson:
    message = error.msg
    if message.startswith("Unterminated string"):
        return bad_at(error.doc, error.pos, 'a closing " for the string')
    if message.startswith("Invalid"):
        what = "a valid escape in the string" if "escape" in message else "valid JSON"
        return bad_at(error.doc, error.pos, what)
    expected = message.removeprefix("Expecting ").removesuffix(" enclosed in double quotes")
    named = {
        "value": "a JSON value",
        "property name": 'a property name in "double quotes"',
    }
    return bad_at(error.doc, error.pos, named.get(expected, expected))


def _shown(text: str, index: int) -> str:
    """What stands at ``index``, escaped and short."""
    if skip_blank(text, index) >= len(text):
        return "the end of the text"
    return json.dumps(text[index : index + 16].split("\n")[0] or "\n")


def _too_deep() -> BadJson:
    return BadJson(f"at most {MAX_DEPTH} levels of nesting", "more")


def _deep(value: Any) -> bool:
    """Whether ``value`` nests deeper than ``MAX_DEPTH``; takes no Python stack."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                below.extend(v for v in one.values() if isinstance(v, dict | list))
            elif isinstance(one, list):
                below.extend(v for v in one if isinstance(v, dict | list))
        if not below:
            return False
        level = below
    return True
