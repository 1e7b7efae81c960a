"""Relations of a scene graph in a state: who stands to whom, kept from both ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from adjudge.judges.robot.world import Key, State

Write = Callable[[Key, object], None]
"""Sets one key of a state."""

Names = frozenset[str]
NONE: Names = frozenset()


class Relation(NamedTuple):
    """The first part of a relation's two keys: ``(out, a)`` holds all b, ``(back, b)`` all a."""

    out: str
    back: str


@lru_cache(maxsize=256)
def relation(name: str) -> Relation:
    """The relation of this name.

    >>> relation("on")
    Relation(out='>on', back='<on')
    """
    return Relation(f">{name}", f"<{name}")


ON, IN, NEAR, FACING = relation("on"), relation("in"), relation("near"), relation("facing")
RIGHT, LEFT = relation("right_hand"), relation("left_hand")


def targets(state: State, kind: Relation, a: str) -> Names:
    """All b that ``a`` stands in the relation to."""
    found: Names = state.get((kind.out, a), NONE)
    return found


def sources(state: State, kind: Relation, b: str) -> Names:
    """All a that stand in the relation to ``b``."""
    found: Names = state.get((kind.back, b), NONE)
    return found


def link(state: State, write: Write, kind: Relation, a: str, b: str) -> None:
    """Let the relation hold from ``a`` to ``b``."""
    found = targets(state, kind, a)
    if b not in found:
        write((kind.out, a), found | {b})
        write((kind.back, b), sources(state, kind, b) | {a})


def unlink(state: State, write: Write, kind: Relation, a: str, b: str) -> None:
    """Let the relation not hold from ``a`` to ``b``."""
    found = targets(state, kind, a)
    if b in found:
        write((kind.out, a), found - {b})
        write((kind.back, b), sources(state, kind, b) - {a})


def link_both(state: State, write: Write, kind: Relation, a: str, b: str) -> None:
    """Let the relation hold between ``a`` and ``b``, both ways."""
    link(state, write, kind, a, b)
    link(state, write, kind, b, a)


def set_targets(state: State, write: Write, kind: Relation, a: str, wanted: Iterable[str]) -> None:
    """Let the relation hold from ``a`` to exactly those wanted."""
    keep = frozenset(wanted)
    found = targets(state, kind, a)
    if found == keep:
        return
    for b in found - keep:
        write((kind.back, b), sources(state, kind, b) - {a})
    for b in keep - found:
        write((kind.back, b), sources(state, kind, b) | {a})
    write((kind.out, a), keep)


def set_sources(state: State, write: Write, kind: Relation, b: str, wanted: Iterable[str]) -> None:
    """Let the relation hold to ``b`` from exactly those wanted."""
    keep = frozenset(wanted)
    found = sources(state, kind, b)
    for a in found - keep:
        unlink(state, write, kind, a, b)
    for a in keep - found:
        link(state, write, kind, a, b)


def set_both(state: State, write: Write, kind: Relation, a: str, wanted: Iterable[str]) -> None:
    """Let the relation hold between ``a`` and exactly those wanted, both ways."""
    keep = frozenset(wanted)
    set_targets(state, write, kind, a, keep)
    set_sources(state, write, kind, a, keep)


def reached_from(state: State, kinds: Iterable[Relation], start: Iterable[str]) -> dict[str, None]:
    """What hangs together with ``start`` along the relations, outwards; ``start`` included."""
    kinds = tuple(kinds)
    found = dict.fromkeys(start)
    queue = list(found)
    while queue:
        name = queue.pop()
        for kind in kinds:
            for target in sorted(targets(state, kind, name)):
                if target not in found:
                    found[target] = None
                    queue.append(target)
    return found


def held(state: State, robot: str) -> Names:
    """What the robot has in its hands."""
    return targets(state, RIGHT, robot) | targets(state, LEFT, robot)
