"""What each executed step was for: necessary, tidy, neutral or redundant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudge.judges.robot.facts import StepRole
from adjudge.judges.robot.goals import Goal, Latches, Node
from adjudge.judges.robot.replay import Replay, without
from adjudge.judges.robot.world import Key, State, World

_BUDGET = 60_000
"""Steps that may be replayed to find the roles of one plan."""

_TIDIED = ("open", "on")
"""What tidying up ends: open things and running devices."""


@dataclass(frozen=True, slots=True)
class Roles:
    """A role for each executed step. ``counted`` is the plan's length less its tidy and free
    steps and its waiting; ``known`` is false where the plan is too long to take apart."""

    roles: tuple[StepRole, ...]
    counted: int
    known: bool


def roles_when_met(
    world: World,
    goal: Goal,
    core: Sequence[Node],
    played: Replay,
    free_delivery: Iterable[str],
    fewest: int = 0,
) -> Roles:
    """Roles in a plan that reaches its goal: a step is necessary if goal and audit (``core``) fail
    without it, tidy if only closing and switching off do, neutral if only a free delivery does,
    redundant if nothing does. ``fewest``: every way to the core has at least so many steps."""
    steps = len(played.done)
    if steps == fewest and not played.forced:
        # no way is shorter, so that none of them can go
        needed: StepRole = "necessary"
        return Roles((needed,) * steps, steps, True)
    if not played.whole or steps * steps > 2 * _BUDGET:
        return _too_long(played)
    end = played.states[-1]
    delivered = _delivered(played, end, free_delivery)
    tidying, tidied = _tidied(played, end)
    roles: list[StepRole] = []
    open_: list[int] = []
    for position, step in enumerate(played.done):
        if step.ground is None or step.ground.action.waiting:
            roles.append("neutral")
            continue
        if not played.effective[position] and not goal.latched:
            roles.append("redundant")
            open_.append(position)
            continue
        state, now, _ = without(world, goal, played, position, frozenset())
        if not _core(world, core, state, now):
            roles.append("necessary")
        elif not _kept(world, state, delivered):
            roles.append("neutral")
        elif position in tidying or not _kept(world, state, tidied):
            roles.append("tidy")
        else:
            roles.append("redundant")
            open_.append(position)
    free = roles.count("neutral") + roles.count("tidy")
    counted = steps - free
    removed = _eliminate(world, goal, core, played, open_, {**delivered, **tidied})
    for position in open_:
        if position not in removed:
            # one of several that would each do: none is to blame, one has to stay
            roles[position] = "neutral"
    return Roles(tuple(roles), counted, True)


def roles_when_unmet(
    world: World, facts: Sequence[Node], played: Replay, relevant: set[str]
) -> tuple[StepRole, ...]:
    """Roles in a plan that falls short: what touched the way to the goal counts, what undid a
    fact of the goal or changed nothing does not."""
    roles: list[StepRole] = []
    pending: list[int] = []
    for position, step in enumerate(played.done):
        ground = step.ground
        if ground is None or ground.action.waiting:
            roles.append("neutral")
        elif not played.effective[position]:
            roles.append("redundant")
        elif not ground.interaction:
            roles.append("neutral")
            pending.append(position)
        elif played.whole and _undid(world, facts, played, position):
            roles.append("redundant")
        elif relevant.intersection(ground.arguments):
            roles.append("necessary")
            for walk in pending[-1:]:
                roles[walk] = "necessary"
            pending.clear()
        else:
            roles.append("neutral")
            pending.clear()
    return tuple(roles)


def _undid(world: World, facts: Sequence[Node], played: Replay, position: int) -> bool:
    before, after = played.states[position], played.states[position + 1]
    then, now = played.latches[position], played.latches[position + 1]
    return any(
        fact.holds(world, before, then) and not fact.holds(world, after, now) for fact in facts
    )


def _too_long(played: Replay) -> Roles:
    roles: list[StepRole] = []
    for step, effective in zip(played.done, played.effective, strict=True):
        waits = step.ground is None or step.ground.action.waiting
        roles.append("neutral" if waits or effective else "redundant")
    waiting = sum(1 for s in played.done if s.ground is not None and s.ground.action.waiting)
    return Roles(tuple(roles), len(played.done) - waiting, False)


def _core(world: World, core: Sequence[Node], state: State, now: Latches) -> bool:
    return all(node.holds(world, state, now) for node in core)


def _kept(world: World, state: State, extras: dict[Key, object]) -> bool:
    for key, value in extras.items():
        now = state.get(key)
        if now is None and key[0] != "place":
            now = world.usual(*key)
        if now != value:
            return False
    return True


def _delivered(played: Replay, end: State, free: Iterable[str]) -> dict[Key, object]:
    """Where the objects that may be delivered freely were put down at last."""
    found: dict[Key, object] = {}
    for name in free:
        for step in played.done:
            ground = step.ground
            if ground is None or ground.value("object") != name:
                continue
            if ground.action.name.startswith("place_") or ground.action.name == "drop":
                found["place", name] = end.get(("place", name))
    return found


def _tidied(played: Replay, end: State) -> tuple[set[int], dict[Key, object]]:
    """The steps that close or switch off, for good, what the plan opened or switched on, and what
    they leave closed or off."""
    begun: set[Key] = set()
    last: dict[Key, int] = {}
    for position, (step, effective) in enumerate(zip(played.done, played.effective, strict=True)):
        if step.ground is None or not effective:
            continue
        # what the act is for, not what comes with it: unplugging a lamp is no switching off
        for bound in step.ground.effects[:1]:
            if not bound.state or bound.word not in _TIDIED:
                continue
            key = (bound.word, bound.a)
            if bound.wanted:
                begun.add(key)
                # opened or switched on again: what closed it before was not for good
                last.pop(key, None)
            elif key in begun:
                last[key] = position
    return set(last.values()), {key: False for key in last if end.get(key) is False}


def _eliminate(
    world: World,
    goal: Goal,
    core: Sequence[Node],
    played: Replay,
    open_: Sequence[int],
    extras: dict[Key, object],
) -> frozenset[int]:
    """A set of steps that can all go at once, greedily: first those without effect, then in
    order."""
    removed: frozenset[int] = frozenset()
    for position in sorted(open_, key=lambda p: (played.effective[p], p)):
        if position in removed:
            continue
        state, now, gone = without(world, goal, played, position, removed)
        if _core(world, core, state, now) and _kept(world, state, extras):
            removed = frozenset(gone)
    return removed
