"""SafeAgentBench records: steps in words, and the object states wanted at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.invalid import shown
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.readers.thor_names import thing

_STATES = {
    "isOpen": ("open", "closed"),
    "isToggled": ("on", "off"),
    "isDirty": ("dirty", "clean"),
    "isFilledWithLiquid": ("filled", "empty"),
    "isSliced": ("sliced", "whole"),
    "isBroken": ("broken", "intact"),
    "isCooked": ("cooked", "raw"),
    "isUsedUp": ("used_up", "left"),
}
_IGNORED = ("objectType", "isMoving")
"""No plan of words says whether a thing still moves."""
_TWO_WORDS = ("turn on", "turn off")
_ON_HELD = ("put", "drop", "throw", "pour")
"""Verbs that act on what is held, without naming it."""


class SafeAgentReader:
    """Records with ``instruction``, ``step`` (or ``plan``: steps such as ``find cabinet``) and
    ``final_state``: a list of ``{"objectType": …}`` with states and ``parentReceptacles``."""

    name = "safeagent"

    def detect(self, record: Record) -> bool:
        """A final state, or AI2-THOR's scene name with steps."""
        value = record.value
        return isinstance(value, dict) and (
            "final_state" in value or ("scene_name" in value and "step" in value)
        )

    def read(self, record: Record) -> Iterator[RobotCase]:
        """The case. Raises ``CaseError`` that names the field."""
        value = record.value
        if not isinstance(value, dict):
            raise CaseError("an object", found=shown(value))
        given = value.get("id")
        case_id = str(given) if isinstance(given, str | int) else None
        told = value.get("instruction")
        try:
            if not isinstance(told, str):
                raise CaseError("a string", field="instruction", found=shown(told))
            field = "plan" if "plan" in value else "step"
            plan = list(_steps(value.get(field), field))
            final = value.get("final_state")
            goal = None if final is None else final_goal(final)
        except CaseError as error:
            error.case_id = case_id
            raise
        yield RobotCase(
            id=case_id,
            instruction=told,
            domain="thor",
            plan=plan,
            goal=goal,
            goal_source="reader",
            meta={"scene_name": value.get("scene_name")},
            label=value.get("label"),
        )


def final_goal(value: Any, field: str = "final_state") -> JsonObject:
    """Each entry has to be met by one object of its type. Raises ``CaseError``.

    >>> final_goal([{"objectType": "Cabinet", "isOpen": True}])
    {'all': [{'exists': ['o', '?cabinet', {'all': [{'state': ['$o', 'open']}]}]}]}
    """
    if not isinstance(value, list):
        raise CaseError("a list of objects", field=field, found=shown(value))
    return {"all": [_entry(entry, f"{field}[{i}]") for i, entry in enumerate(value)]}


def _entry(entry: Any, field: str) -> JsonObject:
    kind = entry.get("objectType") if isinstance(entry, dict) else None
    if not isinstance(kind, str):
        raise CaseError("a type of object", field=f"{field}.objectType", found=shown(kind))
    parts: list[JsonObject] = []
    for key, wanted in entry.items():
        where = f"{field}.{key}"
        if key in _IGNORED:
            continue
        if key in _STATES or key == "isPickedUp":
            if not isinstance(wanted, bool):
                raise CaseError("true or false", field=where, found=shown(wanted))
            if key in _STATES:
                parts.append({"state": ["$o", _STATES[key][0 if wanted else 1]]})
            else:
                held: JsonObject = {"holding": ["$o"]}
                parts.append(held if wanted else {"not": held})
        elif key == "parentReceptacles":
            spots = ["?" + thing(t) for t in _types(wanted, where)]
            parts.append({"any": [{w: ["$o", s]} for s in spots for w in ("in", "on")]})
        elif key == "receptacleObjectIds":
            items = ["?" + thing(t) for t in _types(wanted, where)]
            parts.append({"any": [{w: [i, "$o"]} for i in items for w in ("in", "on")]})
        else:
            known = ", ".join([*_STATES, "isPickedUp", "parentReceptacles", "receptacleObjectIds"])
            raise CaseError(f"one of {known}", field=where, found="an unknown property")
    return {"exists": ["o", "?" + thing(kind), {"all": parts}]}


def _types(value: Any, field: str) -> list[str]:
    """Types of a list of types or object ids (``Sink|-01.9|…``)."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value) or not value:
        raise CaseError("a list of types of objects", field=field, found=shown(value))
    return [v.partition("|")[0] for v in value]


def _steps(value: Any, field: str) -> Iterator[str]:
    """Steps in words as calls; the held thing, which they leave out, is the last one picked."""
    if not isinstance(value, list):
        raise CaseError("a list of steps", field=field, found=shown(value))
    held = "nothing"
    for index, step in enumerate(value):
        if not isinstance(step, str):
            raise CaseError("a step", field=f"{field}[{index}]", found=shown(step))
        text = step.strip()
        verb = next((v for v in _TWO_WORDS if text.lower().startswith(v)), "")
        words = text[len(verb) :].split() if verb else text.split()
        if "(" in text or not (verb or words):
            yield step
            continue
        name = verb.replace(" ", "_") if verb else words.pop(0).lower()
        names = [thing(word) for word in words]
        if name in _ON_HELD:
            names = [held, *names] if name == "put" or not names else names
        if name == "pick" and names:
            held = names[0]
        yield f"{name}({', '.join(names)})"
