"""What the BEHAVIOR table's own words ask of a state and do to it."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.judges.robot.conditions import Assumptions, Condition
from adjudge.judges.robot.conditions_virtualhome import Effect
from adjudge.judges.robot.domains import ROBOT
from adjudge.judges.robot.edges import (
    IN,
    NEAR,
    NONE,
    ON,
    RIGHT,
    Write,
    held,
    link,
    relation,
    set_both,
    set_targets,
    targets,
)
from adjudge.judges.robot.world import State, World

_REACH, _UNDER = relation("reach"), relation("under")


def _in_the_open(
    world: World, state: State, a: str, b: str, assume: Assumptions | None
) -> str | None:
    shut = any(not state.get(("open", around)) for around in targets(state, IN, a))
    return "container_closed" if shut else None


def _not_held(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    return "wrong_state" if a in held(state, ROBOT) else None


CONDITIONS: Mapping[str, Condition] = {"in_the_open": _in_the_open, "not_held": _not_held}


def _go_to(world: World, state: State, a: str, b: str, write: Write) -> None:
    set_targets(state, write, _REACH, ROBOT, {a})


def _take(world: World, state: State, a: str, b: str, write: Write) -> None:
    link(state, write, RIGHT, ROBOT, a)


def _detach(world: World, state: State, a: str, b: str, write: Write) -> None:
    set_targets(state, write, ON, a, NONE)
    set_targets(state, write, IN, a, NONE)
    set_both(state, write, _UNDER, a, NONE)
    set_both(state, write, NEAR, a, NONE)


EFFECTS: Mapping[str, Effect] = {"go_to": _go_to, "take": _take, "detach": _detach}

WALKED = frozenset({"reach"})
"""What navigation makes true."""

WRITES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "go_to": (("reach", "robot"),),
    "take": (("held", "a"),),
    "detach": (("on", "a"), ("in", "a"), ("under", "a"), ("near", "a")),
}
"""What an effect can bring about, and of whom: of its first argument, or of the robot."""
