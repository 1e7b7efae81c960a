"""What a step on a scene graph lacks, in words, and the step that would supply it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from adjudge.judges.robot.domains import ROBOT
from adjudge.judges.robot.edges import IN, held, targets
from adjudge.judges.robot.graph_moves import needs_of, writers_of
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.world import State

if TYPE_CHECKING:
    from adjudge.judges.robot.ground import Ground
    from adjudge.judges.robot.stepping import Failure

_NUMBERED = re.compile(r"^(.*)_(\d+)$")

_SAID: Mapping[str, Callable[[str], str]] = {
    "close_to": lambda a: f"the robot near {a}",
    "found": lambda a: f"the robot near {a}",
    "holds": lambda a: f"the robot to hold {a}",
    "holds_something": lambda a: "the robot to hold something",
    "holds_knife": lambda a: "the robot to hold a knife",
    "hand_free": lambda a: "a free hand",
    "faces": lambda a: f"the robot to face {a}",
    "faces_from_seat": lambda a: f"the robot to face {a} itself while it sits",
    "seated": lambda a: "the robot to sit or lie",
    "seat_on": lambda a: f"room to sit on {a}",
    "berth_on": lambda a: f"room to lie on {a}",
    "placed": lambda a: f"a room that {a} is in",
    "same_room": lambda a: f"the robot in the room of {a}",
    "not_lidded": lambda a: f"{a} to be open, or nothing that opens",
    "not_grabbed": lambda a: f"{a} not to be grabbed already",
    "grabbed": lambda a: f"{a} to have been grabbed",
    "has_food": lambda a: f"something eatable in or on {a}",
}


def missing_on_graph(
    world: GraphWorld, state: State, ground: Ground | None, failure: Failure
) -> tuple[str, str | None]:
    """The missing precondition as a sentence, and the step that would have met it."""
    term, (a, b) = failure.term, failure.arguments
    act = str(ground) if ground is not None else "the step"
    if term is None:
        return act + ": " + failure.text, None
    one = world.shown(a)
    if term.word == "is":
        return f"{act}: {one} is not {b.replace('|', ' or ')}", None
    if term.word == "not_shut_in":
        shut = sorted(c for c in targets(state, IN, a) if state.get(("closed", c)))
        return f"{act} needs {', '.join(map(world.shown, shut))} to be open", _first_help(
            world, [("open", name, "", True) for name in shut]
        )
    if term.state:
        wanted = ("not " if term.negated else "") + term.word.replace("_", " ")
        sentence = f"{act} needs {one} to be {wanted}"
        return sentence, _first_help(world, [(term.word, a, "", not term.negated)])
    if term.relation:
        neg = "not " if term.negated else ""
        word = term.word.replace("_", " ")
        return f"{act} needs {one} {neg}{word} {world.shown(b)}", None
    if term.word == "found" and failure.kind == "wrong_state":
        return f"{act} needs the robot to stand", _first_help(
            world, [("sitting", ROBOT, "", False)]
        )
    said = _SAID.get(term.word)
    needs = f"{act} needs {said(one) if said is not None else term.word.replace('_', ' ')}"
    return needs, _help(world, state, ground, failure)


def _help(world: GraphWorld, state: State, ground: Ground | None, failure: Failure) -> str | None:
    term, (a, _) = failure.term, failure.arguments
    if term is None or ground is None:
        return None
    if term.word == "hand_free":
        return _first_help(world, [("free", n, "", True) for n in sorted(held(state, ROBOT))])
    if failure.kind == "not_reachable":
        return _first_help(world, [("near", ROBOT, a, True)])
    bound = next((t for t in ground.requires if t.term is term), None)
    if bound is None or term.error == "unexplained":
        return None
    return _first_help(world, list(needs_of(world, state, (), bound)))


def _first_help(world: GraphWorld, wants: list[tuple[str, str, str, bool]]) -> str | None:
    """The first action of the table, on one object at most, that brings one of the wants about."""
    for word, whose, of, value in wants:
        for writer in writers_of(world.domain).get(word, ()):
            if writer.value not in (None, value):
                continue
            thing = of if writer.argument == "robot" else whose
            if writer.action.names_for(0) is not None:
                return _step(world, writer.action.name, "")
            if writer.action.names_for(1) is not None and thing and thing != ROBOT:
                return _step(world, writer.action.name, thing)
    return None


def _step(world: GraphWorld, action: str, thing: str) -> str:
    """A step as plans in this domain write it."""
    if not world.domain.script:
        return f"{action}({thing})"
    numbered = _NUMBERED.match(thing)
    if numbered is None:
        return f"[{action.upper()}]"
    return f"[{action.upper()}] <{numbered[1]}> ({numbered[2]})"
