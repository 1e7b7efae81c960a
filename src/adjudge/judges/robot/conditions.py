"""The words of an action table, compiled: what each asks of a state and what each does to it.

Every condition works in two readings. *Executing*, with ``Assumptions``, what was left unsaid
never blocks: it is assumed, once, and becomes part of the start. *Proving*, without them, what is
absent has its usual value and the robot reaches only what it stands at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from adjudge.judges.robot.world import (
    HANDS,
    HELD,
    MOVED,
    NEAR,
    ROOM,
    Key,
    State,
    World,
    room_of,
    root,
    unplaced,
)

ABSENT = object()
"""In place of a value: the key was not there."""


@dataclass(slots=True)
class Assumptions:
    """What executing shows of the start.

    ``start`` is the start completed so far, ``soft`` the keys that were presupposed and that no
    step has touched: a step may still show them otherwise. ``gaps`` are the steps that used
    something elsewhere before the robot ever navigated.
    """

    start: State
    soft: set[Key] = field(default_factory=set)
    gaps: list[int] = field(default_factory=list)
    step: int = 0
    hands_open: bool = True
    _journal: list[tuple[State, Key, object, bool]] = field(default_factory=list)

    def may(self, state: State, key: Key) -> bool:
        """Whether nothing stated or done speaks against assuming ``key``."""
        return key not in state or key in self.soft

    def take(self, state: State, key: Key, value: object) -> None:
        """Assume it, from the start on."""
        self.pin(self.start, key, value)
        self.pin(state, key, value)
        self.soft.discard(key)

    def pin(self, state: State, key: Key, value: object) -> None:
        """Settle what was open in one state, so that ``back`` can open it again."""
        self._journal.append((state, key, state.get(key, ABSENT), key in self.soft))
        state[key] = value

    def keep(self) -> None:
        """The step executed: what it assumed stands."""
        self._journal.clear()

    def back(self) -> None:
        """The step failed: what was assumed on its way is forgotten."""
        for state, key, old, soft in reversed(self._journal):
            if old is ABSENT:
                state.pop(key, None)
            else:
                state[key] = old
            if soft:
                self.soft.add(key)
        self._journal.clear()


Condition = Callable[[World, State, str, str, Assumptions | None], str | None]
"""``None`` where it holds, else the kind of failure."""


def chain(state: State, name: str) -> Iterator[tuple[str, str, str]]:
    """``(object, relation, target)`` from an object upwards, up to its room or to the unknown."""
    while True:
        place = state.get(("place", name))
        if place is None or place[0] == "held":
            return
        yield name, place[0], place[1]
        if place[0] == "room":
            return
        name = place[1]


def anchor(state: State, name: str, assume: Assumptions | None) -> str:
    """The root of an object's chain. Executing, what has no place is given one of its own."""
    end = root(state, name)
    if assume is not None and end[0] != "@" and ("place", end) not in state:
        assume.take(state, ("place", end), ("at", "@" + end))
        return "@" + end
    return end


def fluent(
    world: World, state: State, name: str, of: str, want: bool, assume: Assumptions | None
) -> bool:
    """Whether a state of an object has the wanted value."""
    key = (name, of)
    value = state.get(key)
    if value is None:
        if assume is None:
            return world.usual(name, of) is want
        assume.take(state, key, want)
        return True
    if value is want:
        return True
    if assume is not None and key in assume.soft:
        assume.take(state, key, want)
        return True
    return False


def _free_hand(
    world: World, state: State, a: str, b: str, assume: Assumptions | None
) -> str | None:
    return None if len(state[HANDS]) < world.domain.hands else "hands_full"


def _holding(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    hands = state[HANDS]
    if a in hands:
        return None
    if (
        assume is not None
        and assume.hands_open
        and assume.may(state, ("place", a))
        and len(hands) < world.domain.hands
    ):
        assume.take(state, ("place", a), HELD)
        assume.pin(assume.start, HANDS, (*assume.start[HANDS], a))
        assume.pin(state, HANDS, (*hands, a))
        return None
    return "not_holding"


def _holding_a(
    world: World, state: State, ability: str, b: str, assume: Assumptions | None
) -> str | None:
    if any(world.can(name, ability) for name in state[HANDS]):
        return None
    if assume is not None and assume.hands_open:
        able = world.able(ability)
        if not able and not world.closed:
            # an open world has what the step needs, whatever it is called
            name = "@" + ability
            world.affordances[name] = frozenset({ability})
            able = (name,)
        for name in able:
            if _holding(world, state, name, b, assume) is None:
                return None
    return "not_holding"


def _reach(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    if not a or a in world.rooms:
        return None
    if world.reach == "room" and state.get(ROOM) is not None:
        room = room_of(state, a)
        if room is not None:
            return None if room == state[ROOM] else "not_reachable"
    near = state.get(NEAR)
    at = root(state, a)
    if at == "@robot" or (near is not None and near == at):
        return None
    if unplaced(world, state, a):
        return "not_reachable"
    if near is None and assume is None:
        return "not_reachable"
    if near is None:
        # nothing says where the robot starts: it starts where its first step shows it
        at = anchor(state, a, assume)
        if assume is not None and NEAR not in state:
            here, there = state.get(ROOM), room_of(state, at)
            if here is not None and there is not None and here != there:
                assume.gaps.append(assume.step)
            else:
                assume.take(state, NEAR, at)
        return None
    if near[0] == "*":
        room = room_of(state, at)
        if near != "*" and room is not None and room != near[1:]:
            return "not_reachable"
        at = anchor(state, a, assume)
        if assume is not None:
            assume.pin(state, NEAR, at)
        else:
            state[NEAR] = at
        return None
    if assume is None:
        return "not_reachable"
    for name in reversed([*(o for o, _, _ in chain(state, a)), at]):
        if name[0] != "@" and name != near and assume.may(state, ("place", name)):
            assume.take(state, ("place", name), _shown_at(world, near, name))
            return None
    if not state.get(MOVED):
        assume.gaps.append(assume.step)
        return None
    return "not_reachable"


def _shown_at(world: World, near: str, name: str) -> tuple[str, str]:
    """Where a thing is that a step reaches here: a vessel at a stove stands on it, anything else
    is just here."""
    spot = near.removeprefix("@")
    stove = world.can(spot, "surface") and world.can(spot, "toggleable")
    if stove and not world.can(spot, "openable") and world.can(name, "container"):
        return "on", spot
    return "at", near


def _path(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    if a and unplaced(world, state, a):
        return "not_reachable"
    here = state.get(ROOM)
    there = a if a in world.rooms else room_of(state, a)
    if here is None or there is None or world.connected(here, there):
        return None
    return "blocked"


def lidded(world: World, state: State, name: str) -> bool:
    """Whether an object opens at all, as far as anyone says."""
    return world.can(name, "openable") is True or ("open", name) in state


def closed_around(world: World, state: State, name: str) -> str | None:
    """The nearest container around an object that is known (or usual) to be closed."""
    for _, relation, target in chain(state, name):
        if (
            relation == "in"
            and lidded(world, state, target)
            and not fluent(world, state, "open", target, True, None)
        ):
            return target
    return None


def _accessible(
    world: World, state: State, a: str, b: str, assume: Assumptions | None
) -> str | None:
    for name, relation, target in list(chain(state, a)):
        if relation != "in" or not lidded(world, state, target):
            continue
        if fluent(world, state, "open", target, True, assume):
            continue
        if assume is not None and assume.may(state, ("place", name)) and state.get(NEAR):
            assume.take(state, ("place", name), ("at", state[NEAR]))
            return None
        return "container_closed"
    return None


def _unlidded(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    if not lidded(world, state, a) or fluent(world, state, "open", a, True, assume):
        return None
    return "container_closed"


def _shut_to_start(
    world: World, state: State, a: str, b: str, assume: Assumptions | None
) -> str | None:
    if not world.starts_closed(a) or fluent(world, state, "open", a, False, assume):
        return None
    return "wrong_state"


def _at_a(
    world: World, state: State, ability: str, b: str, assume: Assumptions | None
) -> str | None:
    able = world.able(ability)
    if assume is not None or not able:
        return None
    near = state.get(NEAR)
    at = (root(state, name) for name in able)
    return None if any(end in (near, "@robot") for end in at) else "not_reachable"


def _running(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    near = state.get(NEAR)
    taps = [
        name
        for name in world.able("water")
        if world.can(name, "toggleable") and root(state, name) == near
    ]
    if assume is not None or not taps:
        return None
    on = any(fluent(world, state, "on", name, True, None) for name in taps)
    return None if on else "wrong_state"


def _apart(world: World, state: State, a: str, b: str, assume: Assumptions | None) -> str | None:
    if a == b or any(target == a for _, _, target in chain(state, b)):
        return "wrong_state"
    return None


CONDITIONS: dict[str, Condition] = {
    "free_hand": _free_hand,
    "holding": _holding,
    "holding_a": _holding_a,
    "reach": _reach,
    "path": _path,
    "accessible": _accessible,
    "unlidded": _unlidded,
    "shut_to_start": _shut_to_start,
    "apart": _apart,
    "at_a": _at_a,
    "running": _running,
}


ALREADY = frozenset({"holding", "near", "beside", "in", "on"})
"""Words of relations that can be so already."""

EFFECTS = frozenset({"holding", "in", "on", "beside", "here", "near", "halted", "spent"})
"""Words that ``effect`` makes true."""


def already(world: World, state: State, word: str, a: str, b: str) -> bool | None:
    """Whether an effect already holds; ``None`` where nobody says."""
    if word == "holding":
        return a in state[HANDS]
    if word == "near":
        if a in world.rooms:
            return state.get(ROOM) == a
        at = root(state, a)
        return at == "@robot" or at == state.get(NEAR)
    place = state.get(("place", a))
    if word == "beside":
        return bool(place == ("at", b))
    return bool(place == (word, b))


def place(
    state: State, a: str, where: tuple[str, str], write: Callable[[Key, object], None]
) -> None:
    """Put an object somewhere; it leaves the hand."""
    write(("place", a), where)
    hands = state[HANDS]
    if a in hands:
        write(HANDS, tuple(name for name in hands if name != a))


def effect(
    world: World,
    state: State,
    word: str,
    a: str,
    b: str,
    write: Callable[[Key, object], None],
    assume: Assumptions | None,
) -> None:
    """Make one effect word true through ``write``."""
    if word == "holding":
        if a not in state[HANDS]:
            write(("place", a), HELD)
            write(HANDS, (*state[HANDS], a))
    elif word in ("in", "on"):
        place(state, a, (word, b), write)
    elif word == "beside":
        if b:
            place(state, a, ("at", b), write)
    elif word == "here":
        near = state.get(NEAR)
        if near and near[0] == "*" and len(near) > 1:
            place(state, a, ("room", near[1:]), write)
        else:
            place(state, a, ("at", near if near and near != "*" else "@" + a), write)
    elif word == "near":
        if not a:
            write(NEAR, "*")
            write(ROOM, None)
        elif a in world.rooms:
            write(NEAR, "*" + a)
            write(ROOM, a)
        else:
            at = anchor(state, a, assume)
            if at != "@robot":
                write(NEAR, at)
                write(ROOM, room_of(state, at))
        write(MOVED, True)
    elif word == "halted":
        if world.starts_closed(a) and state.get(("on", a)) is not False:
            write(("on", a), False)
    elif word == "spent":
        kind = world.kind(a)
        if kind is None or not kind.refills:
            write(("filled", a), False)
