"""The goal language's JSON, put together and simplified."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from adjudge.contract import JsonObject

_VARIABLE = re.compile(r"\$\w+")


def atom(name: str, *arguments: str) -> JsonObject:
    """``{"on": ["book", "bed"]}``."""
    return {name: list(arguments)}


def every(parts: Iterable[JsonObject]) -> JsonObject:
    """``all`` of the parts, flattened, each once; the part itself where it is the only one."""
    return _joined("all", parts)


def either(parts: Iterable[JsonObject]) -> JsonObject:
    """``any`` of the parts, flattened, each once; the part itself where it is the only one."""
    return _joined("any", parts)


def _joined(name: str, parts: Iterable[JsonObject]) -> JsonObject:
    inner = (one for part in parts for one in part.get(name, (part,)))
    found = list({repr(one): one for one in inner}.values())
    return found[0] if len(found) == 1 else {name: found}


def once(part: JsonObject) -> JsonObject:
    """``part`` held at some time."""
    return {"once": part}


def negated(part: JsonObject) -> JsonObject:
    """``part`` does not hold."""
    return {"not": part}


def arguments(goal: Any) -> set[str]:
    """Every name in a goal."""
    if isinstance(goal, dict):
        goal = list(goal.values())
    if isinstance(goal, list):
        return set().union(*map(arguments, goal)) if goal else set()
    return {goal} if isinstance(goal, str) else set()


def variables(goal: JsonObject) -> list[str]:
    """Each use of a variable (``$x``) in a goal."""
    return _VARIABLE.findall(repr(goal))


def substituted(goal: Any, variable: str, value: str) -> Any:
    """The goal with a variable replaced everywhere."""
    if isinstance(goal, str):
        if goal == variable:
            return value
        return _VARIABLE.sub(lambda m: value if m[0] == variable else m[0], goal)
    if isinstance(goal, dict):
        return {key: substituted(part, variable, value) for key, part in goal.items()}
    if isinstance(goal, list):
        return [substituted(part, variable, value) for part in goal]
    return goal


def chosen_apart(goal: JsonObject, variable: str) -> bool:
    """Whether each use of a variable may choose its own object, as ``?category`` does.

    So it is under ``any``, ``once`` and ``exists``, and where only one part of an ``all`` uses it.
    """
    ((name, body),) = goal.items()
    if name in ("not", "in_order", "forall", "count"):
        return False
    if name == "once":
        return chosen_apart(body, variable)
    if name == "exists":
        return chosen_apart(body[-1], variable)
    if name in ("any", "all"):
        using = [part for part in body if variable in variables(part)]
        single = name == "any" or len(using) == 1
        return single and all(chosen_apart(part, variable) for part in using)
    return True
