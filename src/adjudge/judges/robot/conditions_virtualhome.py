"""What the VirtualHome table's words ask of a state and do to it.

They follow that project's own executor, step for step: nearness is a relation that walking sets
anew, a thing is reached if it is near something near, held things come along into the room that
the robot leaves, standing up leaves the robot on its chair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adjudge.judges.robot.conditions import Assumptions, Condition
from adjudge.judges.robot.domains import ROBOT
from adjudge.judges.robot.edges import (
    FACING,
    IN,
    LEFT,
    NEAR,
    NONE,
    ON,
    RIGHT,
    Write,
    held,
    link,
    link_both,
    set_both,
    set_targets,
    sources,
    targets,
    unlink,
)
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.world import State, World

Effect = Callable[[World, State, str, str, Write], None]
"""Makes one effect word true through ``write``."""

Was = Callable[[World, State, State, str], bool]
"""Whether what is missing ``now`` was there in a ``past`` state: ``(world, past, now, a)``."""

_Ask = Callable[[GraphWorld, State, str], bool]


def _on_graph(ask: _Ask, kind: str) -> Condition:
    """A question about a scene graph as a condition that fails with ``kind``."""

    def condition(
        world: World, state: State, a: str, b: str, assume: Assumptions | None
    ) -> str | None:
        assert isinstance(world, GraphWorld)
        return None if ask(world, state, a) else kind

    return condition


def _close_to(world: GraphWorld, state: State, a: str) -> bool:
    near = targets(state, NEAR, ROBOT)
    if world.reach == "room" and _same_room(world, state, a):
        return True
    return (
        a in near
        or not near.isdisjoint(sources(state, NEAR, a))
        or not near.isdisjoint(targets(state, ON, a))
    )


def _faces(world: GraphWorld, state: State, a: str) -> bool:
    seen = targets(state, FACING, ROBOT)
    return a in seen or not seen.isdisjoint(sources(state, FACING, a))


def _faces_itself(world: GraphWorld, state: State, a: str) -> bool:
    return a in targets(state, FACING, ROBOT)


def _faces_from_seat(world: GraphWorld, state: State, a: str) -> bool:
    sits = _seated(world, state, a) and world.categories.get(a) != "computer"
    return not sits or _faces_itself(world, state, a)


def _seated(world: GraphWorld, state: State, a: str) -> bool:
    return bool(state.get(("sitting", ROBOT)) or state.get(("lying", ROBOT)))


def _placed(world: GraphWorld, state: State, a: str) -> bool:
    return world.room_of(state, a) is not None and world.room_of(state, ROBOT) is not None


def _same_room(world: GraphWorld, state: State, a: str) -> bool:
    room = world.room_of(state, a)
    return room is not None and room == world.room_of(state, ROBOT)


def _comes_along(world: GraphWorld, state: State, a: str) -> bool:
    """Whether finding it takes no walk: what is worn, the body, what is close."""
    return (ROBOT in targets(state, ON, a) or world.can(a, "body_part") is True) or _close_to(
        world, state, a
    )


def _found(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    assert isinstance(world, GraphWorld)
    if _comes_along(world, state, a):
        return None if _close_to(world, state, a) else "not_reachable"
    if _seated(world, state, a):
        return "wrong_state"
    return None if _placed(world, state, a) else "blocked"


def _hand_free(world: GraphWorld, state: State, a: str) -> bool:
    return _free_hand(world, state) is not None


def _free_hand(world: GraphWorld, state: State) -> str | None:
    if not targets(state, RIGHT, ROBOT):
        return "right"
    return None if world.domain.hands < 2 or targets(state, LEFT, ROBOT) else "left"


def _holds(world: GraphWorld, state: State, a: str) -> bool:
    return a in held(state, ROBOT)


def _holds_something(world: GraphWorld, state: State, a: str) -> bool:
    return bool(held(state, ROBOT))


def _holds_knife(world: GraphWorld, state: State, a: str) -> bool:
    return any("knife" in world.categories.get(name, "") for name in held(state, ROBOT))


def _not_shut_in(world: GraphWorld, state: State, a: str) -> bool:
    return not any(
        state.get(("closed", around)) and around not in world.rooms
        for around in targets(state, IN, a)
    )


def _not_lidded(world: GraphWorld, state: State, a: str) -> bool:
    return not world.can(a, "can_open") or bool(state.get(("open", a)))


def _has_food(world: GraphWorld, state: State, a: str) -> bool:
    return any(world.can(name, "eatable") for name in (a, *sources(state, ON, a)))


def _room_for(act: str) -> _Ask:
    def ask(world: GraphWorld, state: State, a: str) -> bool:
        kind = world.domain.kinds.get(world.categories.get(a, ""))
        most = kind.room_for.get(act, 1) if kind is not None else 1
        return len(sources(state, ON, a)) < most

    return ask


def _grabbed(world: GraphWorld, state: State, a: str) -> bool:
    return state.get(("grabbed", a)) is not None


def _not_grabbed(world: GraphWorld, state: State, a: str) -> bool:
    return not _grabbed(world, state, a)


def _is(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    return None if any(world.can(a, able) for able in b.split("|")) else "no_affordance"


CONDITIONS: Mapping[str, Condition] = {
    "is": _is,
    "found": _found,
    "close_to": _on_graph(_close_to, "not_reachable"),
    "faces": _on_graph(_faces, "wrong_state"),
    "faces_from_seat": _on_graph(_faces_from_seat, "wrong_state"),
    "seated": _on_graph(_seated, "wrong_state"),
    "placed": _on_graph(_placed, "blocked"),
    "same_room": _on_graph(_same_room, "not_reachable"),
    "hand_free": _on_graph(_hand_free, "hands_full"),
    "holds": _on_graph(_holds, "not_holding"),
    "holds_something": _on_graph(_holds_something, "not_holding"),
    "holds_knife": _on_graph(_holds_knife, "not_holding"),
    "not_shut_in": _on_graph(_not_shut_in, "container_closed"),
    "not_lidded": _on_graph(_not_lidded, "container_closed"),
    "has_food": _on_graph(_has_food, "no_affordance"),
    "seat_on": _on_graph(_room_for("sit"), "wrong_state"),
    "berth_on": _on_graph(_room_for("lie"), "wrong_state"),
    "grabbed": _on_graph(_grabbed, "not_holding"),
    "not_grabbed": _on_graph(_not_grabbed, "wrong_state"),
}


def _was_found(world: World, past: State, now: State, a: str) -> bool:
    assert isinstance(world, GraphWorld)
    if not _comes_along(world, now, a):
        return any(
            now.get((posture, ROBOT)) and not past.get((posture, ROBOT))
            for posture in ("sitting", "lying")
        )
    return a in targets(past, NEAR, ROBOT)


WAS: Mapping[str, Was] = {
    # what made a thing close before was to stand at it, and so on: the relation itself
    "close_to": lambda world, past, now, a: a in targets(past, NEAR, ROBOT),
    "faces": lambda world, past, now, a: a in targets(past, FACING, ROBOT),
    "faces_from_seat": lambda world, past, now, a: a in targets(past, FACING, ROBOT),
    "hand_free": lambda world, past, now, a: not held(past, ROBOT),
    # the executor looks whether the thing itself was open, not what is around it
    "not_shut_in": lambda world, past, now, a: bool(past.get(("open", a))),
    "seated": lambda world, past, now, a: bool(past.get(("lying", ROBOT))),
    "found": _was_found,
    "seat_on": lambda world, past, now, a: False,
    "berth_on": lambda world, past, now, a: False,
    "holds_knife": lambda world, past, now, a: False,
}
"""Words that look for something else in the past than the condition itself."""


def _walk(world: World, state: State, a: str, b: str, write: Write) -> None:
    assert isinstance(world, GraphWorld)
    room, left = world.room_of(state, a), world.room_of(state, ROBOT)
    if room is None:
        return
    carried = held(state, ROBOT)
    near = set(carried)
    if a != room:
        near |= {a, *(targets(state, IN, a) - world.rooms), *world.body_parts}
    if world.can(a, "can_open") and a not in carried:
        near |= {name for name in sources(state, IN, a) if name not in carried}
    near |= targets(state, ON, a)
    for name in carried:
        # what is carried lets go of everything and is left, in the graph, where the robot set out
        set_targets(state, write, IN, name, NONE if left is None else {left})
        for inside in sources(state, IN, name):
            unlink(state, write, IN, inside, name)
        set_both(state, write, FACING, name, NONE)
        set_both(state, write, NEAR, name, {ROBOT})
    set_targets(state, write, IN, ROBOT, {room})
    for inside in sources(state, IN, ROBOT):
        unlink(state, write, IN, inside, ROBOT)
    set_both(state, write, FACING, ROBOT, NONE)
    set_both(state, write, NEAR, ROBOT, near)


def _find(world: World, state: State, a: str, b: str, write: Write) -> None:
    assert isinstance(world, GraphWorld)
    if not _comes_along(world, state, a):
        _walk(world, state, a, b, write)
        return
    set_targets(state, write, FACING, ROBOT, NONE)
    link_both(state, write, NEAR, ROBOT, a)


def _turn_to(world: World, state: State, a: str, b: str, write: Write) -> None:
    set_targets(state, write, FACING, ROBOT, {a})


def _face_as(world: World, state: State, a: str, b: str, write: Write) -> None:
    for seen in sorted(targets(state, FACING, a)):
        link(state, write, FACING, ROBOT, seen)


def _grab(world: World, state: State, a: str, b: str, write: Write) -> None:
    assert isinstance(world, GraphWorld)
    hand, room = _free_hand(world, state), world.room_of(state, ROBOT)
    beside = world.first_beside(state, a)
    set_both(state, write, ON, a, NONE)
    set_both(state, write, IN, a, NONE)
    set_both(state, write, NEAR, a, {ROBOT})
    for kind in (RIGHT, LEFT):
        set_both(state, write, kind, a, NONE)
    if hand is not None:
        link(state, write, RIGHT if hand == "right" else LEFT, ROBOT, a)
    if room is not None:
        link(state, write, IN, a, room)
    if beside is not None:
        link_both(state, write, NEAR, ROBOT, beside[0])
        write(("grabbed", a), beside)


def _hand_off(world: World, state: State, a: str, b: str, write: Write) -> None:
    for kind in (RIGHT, LEFT):
        unlink(state, write, kind, ROBOT, a)


def _let_go(world: World, state: State, a: str, b: str, write: Write) -> None:
    _hand_off(world, state, a, b, write)
    write(("grabbed", a), None)


def _put_back(world: World, state: State, a: str, b: str, write: Write) -> None:
    assert isinstance(world, GraphWorld)
    place = state.get(("grabbed", a))
    if place is None:
        return
    target, word = place
    puts = _holds(world, state, a) and _close_to(world, state, target)
    if not puts or (word == "in" and not _not_lidded(world, state, target)):
        return
    _let_go(world, state, a, b, write)
    link_both(state, write, NEAR, ROBOT, target)
    link_both(state, write, NEAR, a, target)
    if word != "near":
        link(state, write, ON if word == "on" else IN, a, target)


def _in_this_room(world: World, state: State, a: str, b: str, write: Write) -> None:
    assert isinstance(world, GraphWorld)
    room = world.room_of(state, ROBOT)
    if room is not None:
        link(state, write, IN, a, room)


def _run_out(world: World, state: State, a: str, b: str, write: Write) -> None:
    if world.categories.get(a) == "water":
        _hand_off(world, state, a, b, write)


EFFECTS: Mapping[str, Effect] = {
    "walk": _walk,
    "find": _find,
    "turn_to": _turn_to,
    "face_as": _face_as,
    "grab": _grab,
    "hand_off": _hand_off,
    "let_go": _let_go,
    "put_back": _put_back,
    "in_this_room": _in_this_room,
    "run_out": _run_out,
}

WALKED = frozenset({"close_to", "faces", "faces_from_seat", "same_room", "found", "placed"})
"""What walking and looking make true."""

WRITES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "walk": (("near", "robot"), ("in", "robot")),
    "find": (("near", "robot"), ("in", "robot")),
    "turn_to": (("facing", "robot"),),
    "face_as": (("facing", "robot"),),
    "grab": (
        ("near", "robot"),
        ("near", "a"),
        ("on", "a"),
        ("in", "a"),
        ("grabbed", "a"),
        ("held", "a"),
    ),
    "put_back": (("on", "a"), ("in", "a"), ("near", "a"), ("near", "robot"), ("free", "a")),
    "hand_off": (("free", "a"),),
    "let_go": (("free", "a"),),
    "in_this_room": (("in", "a"),),
}
"""What an effect can bring about, and of whom: of its first argument, or of the robot."""
