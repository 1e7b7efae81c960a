"""Finding the one JSON object in what a model wrote. Pure; linear in the length of the text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from adjudge.contract import JsonObject

LONGEST = 1_000_000
"""Of a longer text only the last this many characters are looked at."""

_TRIES = 64
_REASONING = re.compile(r"\s*<(think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_REASONING_END = re.compile(r"</(?:think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_FENCE = re.compile(r"(```+|~~~+)[^`]*")
_BEGINS = re.compile(r'\{\s*"')
# a string or comment without an end reaches to the end: nothing is read twice
_STRING = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'
_COMMENT = r"//[^\n]*|/\*(?:.*?\*/|.*\Z)"
_BRACES = re.compile(f"{_STRING}|{_COMMENT}|[{{}}]", re.DOTALL)
_COMMENTS = re.compile(f"{_STRING}|{_COMMENT}", re.DOTALL)
_TRAILING = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)


class NoObject(ValueError):
    """There is no usable JSON object; the text of the error says why, for the model to read."""


def find_object(text: str) -> JsonObject:
    """The JSON object that ``text`` holds; ``NoObject`` where there is none.

    Looked for in this order: the whole text; after a leading reasoning block (``<think>…``) is
    taken off, the whole rest, its last fenced block, its last balanced ``{…}``. Where there are
    two objects the last one counts. Comments and trailing commas are allowed, single quotes and
    bare words are not. ``NaN``, ``Infinity``, numbers too large for a float, and one key twice
    with different values are refused.

    >>> find_object('<think>{"score": 1}?</think>Sure: {"score": 4, /* sic */ }')
    {'score': 4}
    """
    text = text[-LONGEST:]
    whole = _whole(text)
    if whole is not None:
        return whole
    answer = _after_reasoning(text)
    if len(answer) < len(text):
        whole = _whole(answer)
        if whole is not None:
            return whole
    for block in reversed(list(_fenced(answer))):
        found = _last(block)
        if found is not None:
            return found
    found = _last(answer)
    if found is not None:
        return found
    raise NoObject("no_json: the answer holds no complete JSON object")


def _after_reasoning(text: str) -> str:
    opened = _REASONING.match(text)
    closed = _REASONING_END.search(text, opened.end() if opened else 0)
    if closed and not opened:
        # an end without a beginning: some chat templates open the block in the prompt; but an
        # answer may also quote the tag
        at = closed.start()
        return text if any(a < at < b for a, b in _balanced(text)) else text[closed.end() :]
    if closed:
        return text[closed.end() :]
    if opened:
        raise NoObject("no_json: the reasoning was never closed, so there is no answer after it")
    return text


def _whole(text: str) -> JsonObject | None:
    stripped = text.strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return None
    return _load(stripped)


def _fenced(text: str) -> Iterator[str]:
    """What stands between two fences, each on a line of its own."""
    mark = ""
    block: list[str] = []
    for line in text.splitlines():
        stripped = line.strip()
        if not mark:
            opening = _FENCE.fullmatch(stripped)
            mark = opening[1] if opening else ""
        elif stripped.startswith(mark) and not stripped.strip(mark[0]):
            yield "\n".join(block)
            mark, block = "", []
        else:
            block.append(line)


def _last(text: str) -> JsonObject | None:
    for start, end in reversed(_balanced(text)[-_TRIES:]):
        found = _load(text[start:end])
        if found is not None:
            return found
    return None


def _balanced(text: str) -> list[tuple[int, int]]:
    """Start and end of every outermost ``{…}``; braces in strings and comments do not count."""
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    start = text.find("{")
    while start >= 0:
        for token in _BRACES.finditer(text, start):
            mark = token.group()
            if mark == "{":
                opened.append(token.start())
            elif mark == "}":
                start = opened.pop()
                while spans and spans[-1][0] > start:
                    spans.pop()
                spans.append((start, token.end()))
                if not opened:
                    start = text.find("{", token.end())
                    break
        else:
            break
    if any(_BEGINS.match(text, at) for at in opened):
        # cut off: what the object contains, or what came before it, is not the answer
        raise NoObject("no_json: the last JSON object is not complete")
    return spans


def _load(text: str) -> JsonObject | None:
    """A JSON object, ``None`` where ``text`` is no JSON; ``NoObject`` for JSON that is refused."""
    for tidy in (False, True):
        try:
            value = _DECODER.decode(_tidy(text) if tidy else text)
        except NoObject:
            raise
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def _tidy(text: str) -> str:
    """Without comments and trailing commas; what stands in strings is left alone."""
    text = _COMMENTS.sub(_keep_strings, text)
    return _TRAILING.sub(_keep_strings, text)


def _keep_strings(token: re.Match[str]) -> str:
    found = token.group()
    return found if found.startswith('"') else ""


def _refuse(constant: str) -> Any:
    raise NoObject(f"bad_json: {constant} is not JSON; give a number in range, or null")


def _finite(digits: str) -> float | int:
    value = float(digits)
    if not math.isfinite(value):
        raise NoObject(f"bad_json: the number {digits[:40]} is out of range")
    # JSON does not tell 3.0 from 3; an integer field must not care how it was written
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _unique(pairs: list[tuple[str, Any]]) -> JsonObject:
    value = dict(pairs)
    if len(value) < len(pairs):
        for key, given in pairs:
            if value[key] != given or type(value[key]) is not type(given):
                raise NoObject(f"bad_json: the key {key[:40]!r} is given twice, with two values")
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_unique)
