"""The goal language's JSON, put together and simplified."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from adjudge.contract import JsonObject


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
    found: list[JsonObject] = []
    for part in parts:
        for inner in part[name] if part.keys() == {name} else (part,):
            if inner not in found:
                found.append(inner)
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


def variables(goal: Any) -> set[str]:
    """The names beginning with ``$`` that a goal uses."""
    if isinstance(goal, str):
        return {name for name in _names(goal) if name.startswith("$")}
    if isinstance(goal, dict):
        return set().union(*(variables(part) for part in goal.values())) if goal else set()
    if isinstance(goal, list):
        return set().union(*(variables(part) for part in goal)) if goal else set()
    return set()


def occurrences(goal: Any, variable: str) -> int:
    """How often a goal uses a variable."""
    if isinstance(goal, str):
        return sum(name == variable for name in _names(goal))
    if isinstance(goal, dict):
        return sum(occurrences(part, variable) for part in goal.values())
    if isinstance(goal, list):
        return sum(occurrences(part, variable) for part in goal)
    return 0


def substituted(goal: Any, variable: str, value: str) -> Any:
    """The goal with a variable replaced everywhere."""
    if isinstance(goal, str):
        if goal == variable:
            return value
        if variable in goal and goal.endswith(")"):
            head, _, arguments = goal[:-1].partition("(")
            given = [value if a.strip() == variable else a.strip() for a in arguments.split(",")]
            return f"{head}({', '.join(given)})"
        return goal
    if isinstance(goal, dict):
        return {key: substituted(part, variable, value) for key, part in goal.items()}
    if isinstance(goal, list):
        return [substituted(part, variable, value) for part in goal]
    return goal


def _names(text: str) -> Sequence[str]:
    if text.endswith(")") and "(" in text:
        return [part.strip() for part in text[:-1].partition("(")[2].split(",")]
    return (text,)


def simple_in(goal: JsonObject, variable: str) -> bool:
    """Whether each use of a variable may choose its own object: never two in one ``all``."""
    uses = occurrences(goal, variable)
    if uses <= 1:
        return not _under(goal, variable, ("not", "in_order"))
    ((name, body),) = goal.items()
    if name == "any":
        return all(simple_in(part, variable) for part in body)
    if name == "once":
        return simple_in(body, variable)
    return False


def _under(goal: Any, variable: str, names: tuple[str, ...]) -> bool:
    if isinstance(goal, dict):
        return any(
            (name in names and occurrences(part, variable) > 0) or _under(part, variable, names)
            for name, part in goal.items()
        )
    if isinstance(goal, list):
        return any(_under(part, variable, names) for part in goal)
    return False
