"""PART 1 in the proving reading: the completed start, the states on the way, each effect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudge.judges.robot.conditions import chain
from adjudge.judges.robot.goals import Goal, Latches, Node
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.simulator import Done, Run
from adjudge.judges.robot.stepping import advance, make, proceed, unseen
from adjudge.judges.robot.world import HANDS, MOVED, NEAR, ROOM, State, World

_MOST_KEPT_STATES = 400


def complete_start(world: World, run: Run, objects: Iterable[str]) -> State:
    """The start as proving needs it: stated, shown by the executed steps, or presupposed; what is
    still without a place stands by itself. Only what hangs together with ``objects`` is kept."""
    assert run.assumed is not None
    start = run.assumed.start
    if world.graph:
        return dict(start)
    kept: State = {HANDS: start[HANDS], ROOM: start.get(ROOM), MOVED: True}
    if start.get(NEAR) is not None:
        kept[NEAR] = start[NEAR]
    names = dict.fromkeys([*objects, *start[HANDS]])
    for name in list(names):
        for _, relation, target in chain(start, name):
            if relation != "room" and target[0] != "@":
                names.setdefault(target)
    fluents = list(world.domain.usual)
    for name in names:
        kept["place", name] = start.get(("place", name), ("at", "@" + name))
        for fluent in fluents:
            value = start.get((fluent, name))
            if value is not None:
                kept[fluent, name] = value
    return kept


@dataclass(slots=True)
class Replay:
    """The executed steps replayed from a completed start.

    ``states`` and ``latches`` stand before each step and after the last (only the first and the
    last where there are very many); ``effective`` says which steps changed anything, ``forced``
    which ones the proving reading would not let through, ``waived`` what those that went through
    did not see to.
    """

    done: list[Done]
    states: list[State]
    latches: list[Latches]
    effective: list[bool]
    forced: set[int]
    waived: dict[int, list[str]]
    holds: list[bool]

    @property
    def end(self) -> tuple[State, Latches]:
        """The state after the last step and what the goal remembers then."""
        return self.states[-1], self.latches[-1]

    @property
    def whole(self) -> bool:
        """Whether every state was kept."""
        return len(self.states) == len(self.done) + 1

    def met_at(self) -> int | None:
        """The 0-based executed step after which the goal held to the end, -1 from the start."""
        if not self.holds[-1]:
            return None
        for position in range(len(self.holds) - 1, 0, -1):
            if not self.holds[position - 1]:
                return position - 1
        return -1


def replay(world: World, start: State, done: Sequence[Done], goal: Goal, gate: Node) -> Replay:
    """Replay ``done``; a step that does not go through has its effects all the same."""
    state, now = start, goal.begin(world, start)
    keep = len(done) <= _MOST_KEPT_STATES
    result = Replay(list(done), [state], [now], [], set(), {}, [gate.holds(world, state, now)])
    if not keep:
        # one state for all steps: copies of a large one would cost more than the steps
        state = start.copy()
    for position, step in enumerate(done):
        ground = step.ground
        changed: bool | None = False
        if ground is not None:
            following = state.copy() if keep else state
            changed = proceed(world, following, ground)
            if changed is None and ground.wants:
                result.waived[position] = unseen(world, following, ground)
                changed = proceed(world, following, ground, result.waived[position])
            if changed is None:
                changed = make(world, following, ground, None)
                result.forced.add(position)
            state = following if changed else state
            now = goal.after(world, state, now, ground)
        result.effective.append(bool(changed))
        if keep:
            result.states.append(state)
            result.latches.append(now)
        result.holds.append(gate.holds(world, state, now))
    if not keep:
        result.states.append(state)
        result.latches.append(now)
    return result


def without(
    world: World, goal: Goal, played: Replay, position: int, removed: frozenset[int]
) -> tuple[State, Latches, set[int]]:
    """The end without the step at ``position`` and without ``removed``; a later step that then
    does not execute is left out too (action elimination; Nakhost and Müller, 2010). Also says
    which were left out."""
    first = min([position, *removed]) if removed else position
    state, now = played.states[first], played.latches[first]
    gone = {position, *removed}
    for index in range(first, len(played.done)):
        ground: Ground | None = played.done[index].ground
        if index in gone or ground is None:
            continue
        following = advance(world, state, ground, played.waived.get(index, ()))
        if following is None:
            if index not in played.forced:
                gone.add(index)
                continue
            following = state.copy()
            make(world, following, ground, None)
        state = following
        now = goal.after(world, state, now, ground)
    return state, now, gone
