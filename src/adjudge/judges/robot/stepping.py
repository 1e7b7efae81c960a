"""One action on one state: what it needs, what it changes, in either reading."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from adjudge.judges.robot.conditions import (
    ABSENT,
    CONDITIONS,
    Assumptions,
    already,
    effect,
    fluent,
)
from adjudge.judges.robot.domains import Term
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.world import Key, State, World


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a step does not execute: its kind and the condition that does not hold."""

    kind: str
    term: Term | None = None
    arguments: tuple[str, str] = ("", "")
    text: str = ""

    @property
    def additional(self) -> bool:
        """Whether the step is only one too many: it is left out and the plan goes on."""
        return self.term is not None and self.term.error == "additional"


def check_terms(
    world: World, state: State, ground: Ground, assume: Assumptions | None
) -> Failure | None:
    """The first requirement of an action that does not hold."""
    for bound in ground.requires:
        if bound.condition is not None:
            kind = bound.condition(world, state, bound.a, bound.b, assume)
            if kind is not None:
                return Failure(kind, bound.term, (bound.a, bound.b))
        elif not fluent(world, state, bound.word, bound.a, bound.wanted, assume):
            return Failure("wrong_state", bound.term, (bound.a, bound.b))
    return None


def has_nothing_to_do(world: World, state: State, ground: Ground, executing: bool) -> bool:
    """Whether all that the action would bring about holds already."""
    if not ground.already:
        return False
    for bound in ground.already:
        if bound.state:
            value = state.get((bound.word, bound.a))
            if value is None:
                if executing:
                    return False
                value = world.usual(bound.word, bound.a)
            if value is not bound.wanted:
                return False
        elif not already(world, state, bound.word, bound.a, bound.b):
            return False
    return True


def make(
    world: World,
    state: State,
    ground: Ground,
    assume: Assumptions | None,
    log: list[tuple[Key, object]] | None = None,
) -> bool:
    """Apply an action's effects in place; whether anything changed."""
    changed = False

    def write(key: Key, value: object) -> None:
        nonlocal changed
        old = state.get(key, ABSENT)
        if assume is not None:
            assume.soft.discard(key)
        if old != value:
            changed = True
            if log is not None:
                log.append((key, old))
            state[key] = value

    for bound in ground.effects:
        if bound.state:
            if bound.a:
                write((bound.word, bound.a), bound.wanted)
        elif bound.effect is not None:
            bound.effect(world, state, bound.a, bound.b, write)
        else:
            effect(world, state, bound.word, bound.a, bound.b, write, assume)
    return changed


def advance(
    world: World, state: State, ground: Ground, waived: Collection[str] = ()
) -> State | None:
    """The next state in the proving reading, ``state`` itself where nothing changes, ``None``
    where the step does not execute. ``waived`` wants are not asked for."""
    if has_nothing_to_do(world, state, ground, False):
        return state if unreached(world, state, ground, None) is None else None
    following = state.copy()
    changed = proceed(world, following, ground, waived)
    if changed is None:
        return None
    return following if changed else state


def proceed(
    world: World, state: State, ground: Ground, waived: Collection[str] = ()
) -> bool | None:
    """``advance`` in place: whether anything changed, ``None`` where the step does not execute."""
    if has_nothing_to_do(world, state, ground, False):
        return False if unreached(world, state, ground, None) is None else None
    if check_terms(world, state, ground, None) is not None:
        return None
    if any(want not in waived for want in unseen(world, state, ground)):
        return None
    return make(world, state, ground, None)


def unseen(world: World, state: State, ground: Ground) -> list[str]:
    """What a careful robot sees to before this action and what does not hold."""
    return [
        bound.word
        for bound in ground.wants
        if bound.condition is not None
        and bound.condition(world, state, bound.a, bound.b, None) is not None
    ]


def unreached(
    world: World, state: State, ground: Ground, assume: Assumptions | None
) -> Failure | None:
    """Why the robot cannot reach what an action is on, if so."""
    for bound in ground.reaches:
        kind = CONDITIONS["reach"](world, state, bound.a, bound.b, assume)
        if kind is not None:
            return Failure(kind, bound.term, (bound.a, bound.b))
    return None
