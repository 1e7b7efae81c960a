"""Preconditions and facts in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.judges.robot.conditions import closed_around
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.wording_graph import missing_on_graph
from adjudge.judges.robot.world import HANDS, NEAR, ROOM, State, World, room_of, root, unplaced

if TYPE_CHECKING:
    from adjudge.judges.robot.ground import Ground
    from adjudge.judges.robot.stepping import Failure

_LONGEST_NAME = 60


def named(name: str) -> str:
    """A name from a plan as it may stand in a sentence: quoted, cut where it is endless."""
    return "'" + (name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…") + "'"


def missing(
    world: World, state: State, ground: Ground | None, failure: Failure
) -> tuple[str, str | None]:
    """The missing precondition as a sentence, and the step that would have met it."""
    if isinstance(world, GraphWorld):
        return missing_on_graph(world, state, ground, failure)
    a, b = failure.arguments
    act = str(ground) if ground is not None else "the step"
    if failure.kind == "hands_full":
        held = state[HANDS]
        return (
            f"{act} needs a free hand, both hold something: {', '.join(held)}"
            if len(held) > 1
            else f"{act} needs a free hand, it holds {', '.join(held)}",
            f"drop({held[-1]})" if held else None,
        )
    if failure.kind == "not_holding":
        if failure.term is not None and failure.term.word == "holding_a":
            tools = [n for n in world.categories if world.can(n, a)]
            helps = f"pick({tools[0]})" if tools else None
            return f"{act} needs a {a} in hand", helps
        return f"{act} needs the robot to hold {a}", f"pick({a})"
    if failure.kind == "not_reachable":
        if unplaced(world, state, a):
            return f"{act}: the scene does not say where {a} is", None
        at = root(state, a)
        goal = at if at in world.categories else a
        return f"{act} needs the robot near {a}, it is {_stands(state)}", f"navigate({goal})"
    if failure.kind == "container_closed":
        shut = closed_around(world, state, a) or a
        return f"{act} needs {shut} to be open, it is closed", f"open({shut})"
    if failure.kind == "blocked":
        here, there = state.get(ROOM), room_of(state, a) or a
        return f"{act}: no way leads from {here} to {there}", None
    return _state_sentence(act, failure, a, b)


def _stands(state: State) -> str:
    near: str | None = state.get(NEAR)
    if NEAR not in state:
        return "where nobody says"
    if not near:
        return "near nothing"
    if near[0] == "*":
        return "in " + near[1:] if near != "*" else "somewhere else"
    return "near " + near.lstrip("@")


def _state_sentence(act: str, failure: Failure, a: str, b: str) -> tuple[str, str | None]:
    term = failure.term
    if term is None:
        return act + ": " + failure.text, None
    if term.word == "shut_to_start":
        return f"{act} needs {a} to be closed, it is open", f"close({a})"
    if term.word == "apart":
        return f"{act}: {a} cannot be put on or in itself", None
    word = term.word.replace("_", " ")
    helps = {
        ("plugged_in", False): f"plug_in({a})",
        ("filled", False): f"fill({a})",
        ("open", False): f"open({a})",
        ("open", True): f"close({a})",
        ("on", False): f"toggle_on({a})",
        ("on", True): f"toggle_off({a})",
    }.get((term.word, term.negated))
    wanted = f"not {word}" if term.negated else word
    return f"{act} needs {a} to be {wanted}", helps
