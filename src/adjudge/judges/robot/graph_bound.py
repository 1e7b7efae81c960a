"""A lower bound on the steps still needed on a scene graph: acts that every way contains.

A want that does not hold needs one of the moves that can bring it about, and so does what all of
these moves need in turn. Sets of moves that share none are each worth a step (disjoint disjunctive
landmarks; Helmert and Domshlak, 2009).
"""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.judges.robot.goals import All, Any_, Did, Fact, InOrder, Latches, Node, Not, Once
from adjudge.judges.robot.graph_moves import Moves, Want, event_want, needs_of, want_of
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.words import WALKED
from adjudge.judges.robot.world import State

_DEEPEST = 4

Acts = frozenset[str]


class Bound:
    """What is needed from one state."""

    def __init__(self, world: GraphWorld, moves: Moves, state: State) -> None:
        self.world = world
        self.moves = moves
        self.state = state
        self.sets: dict[Acts, None] = {}

    def count(self, nodes: Iterable[Node], latches: Latches, walking: bool) -> int:
        """At least so many steps; without ``walking`` only those that touch something."""
        for node in nodes:
            for acts in self._needed(node, latches):
                self._add(acts, _DEEPEST)
        taken: set[str] = set()
        counted: list[Acts] = []
        for acts in sorted(self.sets, key=lambda s: (len(s), sorted(s))):
            if taken.isdisjoint(acts) and (walking or all(map(self._touches, acts))):
                taken |= acts
                counted.append(acts)
        return len(counted) + (1 if walking and self._far(counted) else 0)

    def _touches(self, key: str) -> bool:
        return self.moves.actions[key].interaction

    def _far(self, counted: list[Acts]) -> bool:
        """Whether nothing that counts can be done from here, and none of it is a walk."""
        return bool(counted) and all(
            self._touches(key) and self._away(self.moves.actions[key])
            for acts in counted
            for key in acts
        )

    def _away(self, move: Ground) -> bool:
        return any(
            bound.word in WALKED
            and bound.condition is not None
            and bound.condition(self.world, self.state, bound.a, bound.b, None) is not None
            for bound in move.requires
        )

    def _add(self, acts: Acts, deep: int) -> None:
        """One set of alternatives, and what all of them need that does not hold."""
        if not acts or acts in self.sets:
            return
        self.sets[acts] = None
        if deep:
            common: set[tuple[Want, ...]] | None = None
            for key in acts:
                missing = self._missing(self.moves.actions[key])
                common = missing if common is None else common & missing
                if not common:
                    return
            for wants in common or ():
                self._add(self._acts(wants), deep - 1)

    def _missing(self, move: Ground) -> set[tuple[Want, ...]]:
        found: set[tuple[Want, ...]] = set()
        for bound in move.requires:
            if bound.state:
                if bool(self.state.get((bound.word, bound.a))) is not bound.wanted:
                    found.add(((bound.word, bound.a, "", bound.wanted),))
                continue
            wants = tuple(needs_of(self.world, self.state, (), bound))
            if (
                wants
                and bound.condition is not None
                and bound.condition(self.world, self.state, bound.a, bound.b, None) is not None
            ):
                found.add(wants)
        return found

    def _acts(self, wants: Iterable[Want]) -> Acts:
        """What can bring about one of the wants; empty where that is not known of each."""
        found: set[str] = set()
        for want in wants:
            acts = self.moves.by_want.get(want)
            if acts is None:
                return frozenset()
            found |= acts
        return frozenset(found)

    def _needed(self, node: Node, latches: Latches) -> list[Acts]:
        world, state = self.world, self.state
        if isinstance(node, Fact):
            return [] if node.holds(world, state) else [self._acts([want_of(node)])]
        if isinstance(node, All):
            return [acts for part in node.parts for acts in self._needed(part, latches)]
        if isinstance(node, Once):
            return [] if latches[node.slot] else self._needed(node.parts[0], latches)
        if isinstance(node, InOrder):
            rest = node.parts[latches[node.slot] :]
            return [acts for part in rest for acts in self._needed(part, latches)]
        if isinstance(node, Did):
            return [] if latches[node.slot] else [self._acts([event_want(node)])]
        if isinstance(node, Not):
            part = node.parts[0]
            if isinstance(part, Fact) and part.holds(world, state):
                return [self._acts([want_of(part, False)])]
            return []
        if isinstance(node, Any_) and not node.holds(world, state, latches):
            options = [self._needed(part, latches) for part in node.parts]
            if options and all(options) and all(option[0] for option in options):
                return [frozenset().union(*(option[0] for option in options))]
        return []
