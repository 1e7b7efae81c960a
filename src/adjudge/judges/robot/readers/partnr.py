"""PARTNR-style records: a native scene and plan with propositions as the goal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from adjudge.contract import CaseError, Record
from adjudge.judges.invalid import shown
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.readers.native import read_case
from adjudge.judges.robot.readers.partnr_goal import read_goal

_STEP = re.compile(r"^\s*(\w+)\s*\[([^\]]*)\]\s*$")
_OWN = (
    "evaluation_propositions",
    "evaluation_proposition_dependencies",
    "evaluation_constraints",
    "handle_to_name",
    "episode_id",
    "scene_id",
)
_CALLS = {
    "navigate": "navigate",
    "pick": "pick",
    "open": "open",
    "close": "close",
    "clean": "wipe",
    "fill": "fill",
    "poweron": "toggle_on",
    "poweroff": "toggle_off",
    "wait": "wait",
}
_PLACED = {"on": "place_on", "within": "place_in", "in": "place_in", "inside": "place_in"}


class PartnrReader:
    """Records with ``evaluation_propositions`` beside the native fields.

    Steps may be PARTNR's: ``Pick[cup_0]``, ``Place[cup_0, on, table_1, none, none]``.
    ``handle_to_name`` maps the handles of the propositions to the names of the scene.
    """

    name = "partnr"

    def detect(self, record: Record) -> bool:
        """A list of propositions."""
        return isinstance(record.value, dict) and "evaluation_propositions" in record.value

    def read(self, record: Record) -> Iterator[RobotCase]:
        """The case. Raises ``CaseError`` that names the field."""
        value = record.value
        if not isinstance(value, dict):
            raise CaseError("an object", found=shown(value))
        given = value.get("id", value.get("episode_id"))
        case_id = str(given) if isinstance(given, str | int) else None
        names = value.get("handle_to_name") or {}
        try:
            if not isinstance(names, dict):
                raise CaseError("an object", field="handle_to_name", found=shown(names))
            goal = read_goal(value, names)
        except CaseError as error:
            error.case_id = case_id
            raise
        native = {key: part for key, part in value.items() if key not in _OWN}
        native["id"] = case_id
        if isinstance(value.get("plan"), list):
            native["plan"] = [_step(step) for step in value["plan"]]
        case = read_case(native)
        yield case.model_copy(update={"goal": goal, "goal_source": "reader"})


def _step(step: Any) -> Any:
    """A step of PARTNR's as a call; anything else as it is.

    >>> _step("Place[cup_0, within, box_1, none, none]"), _step("PowerOn[lamp_0]"), _step("wait")
    ('place_in(cup_0, box_1)', 'toggle_on(lamp_0)', 'wait')
    """
    match = _STEP.match(step) if isinstance(step, str) else None
    if match is None:
        return step
    name = match[1].lower()
    words = [w.strip() for w in match[2].split(",") if w.strip()]
    if name == "place" and len(words) >= 3:
        thing, how, spot = words[0], words[1].lower(), words[2]
        if how in ("next to", "next_to"):
            return f"place_next_to({thing}, {spot})"
        if len(words) >= 5 and words[3].lower() in ("next_to", "next to") and words[4] != "none":
            return f"place_next_to({thing}, {words[4]})"
        if how in _PLACED:
            return f"{_PLACED[how]}({thing}, {spot})"
    return f"{_CALLS.get(name, name)}({', '.join(words)})"
