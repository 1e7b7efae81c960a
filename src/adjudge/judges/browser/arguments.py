"""A call's arguments: parsed where they are a JSON object, told what is wrong where not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from adjudge.contract import JsonObject

MAX_DEPTH = 100
_SHOWN = 60
_KINDS = {"list": "a list", "str": "a string", "bool": "true or false"}
# made once: each costs more than most arguments do
_DECODER = json.JSONDecoder(strict=False)
_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Arguments:
    """``value`` is the object, or ``None`` with the ``problem`` in words.

    ``key`` is the same for equal arguments, whatever the order of their names.
    """

    value: JsonObject | None
    problem: str | None
    key: str


def read_arguments(given: Any) -> Arguments:
    """The arguments of a call. Nothing at all is an empty object, as many models send it.

    >>> read_arguments('{"url": "x"}').value, read_arguments("").value
    ({'url': 'x'}, {})
    >>> read_arguments('{"url": ').problem
    'the arguments are not JSON: {"url": '
    """
    value = given
    if isinstance(given, str):
        if not given.strip():
            return Arguments({}, None, "{}")
        try:
            value = _DECODER.decode(given)
        except (ValueError, RecursionError):
            return Arguments(None, f"the arguments are not JSON: {_shown(given)}", given)
    if value is None:
        return Arguments({}, None, "{}")
    if not isinstance(value, dict):
        kind = _KINDS.get(type(value).__name__, "a number")
        problem = f"the arguments are {kind}, not a JSON object: {_shown(given)}"
        return Arguments(None, problem, str(given))
    if _too_deep(value):
        return Arguments(None, f"the arguments nest deeper than {MAX_DEPTH} levels", "")
    return Arguments(value, None, _ENCODER.encode(value) if value else "{}")


def _too_deep(value: JsonObject) -> bool:
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _shown(given: Any) -> str:
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
