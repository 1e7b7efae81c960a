"""The shortest way to a goal on a scene graph: A* over the moves that can matter."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from heapq import heappop, heappush

from adjudge.judges.robot.domains import ROBOT
from adjudge.judges.robot.goals import All, Fact, Goal, Latches, Node
from adjudge.judges.robot.graph_bound import Bound
from adjudge.judges.robot.graph_moves import Moves, moves_for
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.search import Way
from adjudge.judges.robot.stepping import make
from adjudge.judges.robot.words import WALKED
from adjudge.judges.robot.world import Key, State

_COST = 10
"""A node on a graph costs so many times one in a household: budgets shrink by it."""
_PLACES = ("near", "facing", "in_room")

_Waiting = tuple[int, int, int, bool, State, Latches, frozenset[tuple[Key, object]]]
"""Bound, cost (negative), serial number, whether the bound is the node's own, the rest."""


class GraphSearch:
    """Searches over one scene graph for one goal, given as nodes that must all hold."""

    def __init__(
        self,
        world: GraphWorld,
        goal: Goal,
        nodes: tuple[Node, ...],
        start: State,
        named: Iterable[str],
    ) -> None:
        self._world = world
        self._goal = goal
        self._nodes = nodes
        self.relevant: Moves = moves_for(world, start, nodes, named)

    def at_least(self, state: State, latches: Latches, *, walking: bool = True) -> int:
        """A lower bound on the steps from here."""
        return Bound(self._world, self.relevant, state).count(self._nodes, latches, walking)

    def interactions(self, state: State, latches: Latches, budget: int) -> Way:
        """The fewest interactions from here; where the goal does not hang on where the robot
        goes, as if everything were in reach."""
        moves = list(self.relevant.actions.values())
        nodes = tuple(map(without_places, self._nodes))
        flying = not any(self._of_place(f) for node in nodes for f in node.facts())
        if flying:
            moves = [g for g in moves if g.interaction or not g.action.effects]
        return self._run(state, latches, nodes, moves, None, budget, walking=False, flying=flying)

    def _of_place(self, fact: Fact) -> bool:
        return fact.word in _PLACES or (fact.word == "in" and fact.b in self._world.rooms)

    def steps(self, state: State, latches: Latches, most: int | None, budget: int) -> Way:
        """The fewest steps from here, navigation included, if at most ``most``."""
        moves = self.relevant.actions.values()
        return self._run(state, latches, self._nodes, moves, most, budget, walking=True)

    def _run(
        self,
        start: State,
        latches: Latches,
        nodes: tuple[Node, ...],
        moves: Collection[Ground],
        most: int | None,
        budget: int,
        *,
        walking: bool,
        flying: bool = False,
    ) -> Way:
        world, goal = self._world, self._goal

        def bound(state: State, now: Latches) -> int:
            return Bound(world, self.relevant, state).count(nodes, now, walking)

        first = bound(start, latches)
        if most is not None and first > most:
            return Way(None, True)
        if not self.relevant.complete:
            return Way(None, False)
        best: dict[object, int] = {(latches, frozenset()): 0}
        serial = expanded = 0
        # a node waits with its parent's bound; its own is worked out when its turn comes
        queue: list[_Waiting] = [(first, 0, 0, True, start, latches, frozenset())]
        while queue:
            least, minus, number, own, state, now, changed = heappop(queue)
            cost = -minus
            if best[now, changed] < cost:
                continue
            if all(node.holds(world, state, now) for node in nodes):
                return Way(cost, True, expanded)
            if not own:
                total = max(least, cost + bound(state, now))
                if most is not None and total > most:
                    continue
                if total > least:
                    heappush(queue, (total, minus, number, True, state, now, changed))
                    continue
            if expanded >= budget // _COST:
                return Way(None, False, expanded)
            expanded += 1
            for move in moves:
                following, after = self._apply(start, state, changed, move, flying)
                if following is None:
                    continue
                then = goal.after(world, following, now, move)
                spent = cost + (1 if walking or move.interaction else 0)
                if spent < best.get((then, after), 1 << 30) and (most is None or spent <= most):
                    best[then, after] = spent
                    serial += 1
                    heappush(
                        queue,
                        (max(least, spent), -spent, serial, False, following, then, after),
                    )
        return Way(None, True, expanded)

    def _apply(
        self,
        start: State,
        state: State,
        changed: frozenset[tuple[Key, object]],
        move: Ground,
        flying: bool,
    ) -> tuple[State | None, frozenset[tuple[Key, object]]]:
        """The next state and what is changed in it since the start; ``None`` where the move does
        not go through."""
        for bound in move.requires:
            if bound.condition is None:
                if bool(state.get((bound.word, bound.a))) is not bound.wanted:
                    return None, changed
            elif bound.word in WALKED and flying:
                continue
            elif bound.condition(self._world, state, bound.a, bound.b, None) is not None:
                return None, changed
        following = state.copy()
        log: list[tuple[Key, object]] = []
        if make(self._world, following, move, None, log):
            keys = {key for key, _ in log}
            kept = (item for item in changed if item[0] not in keys)
            return following, frozenset((*kept, *_differing(start, following, keys)))
        return following, changed


def _differing(start: State, state: State, keys: Iterable[Key]) -> Iterator[tuple[Key, object]]:
    for key in keys:
        value = state.get(key) or None
        if value != (start.get(key) or None):
            yield key, value


def without_places(node: Node) -> Node:
    """A goal without the facts that only say where the robot is or looks."""
    if isinstance(node, Fact) and node.word in _PLACES and (not node.b or node.a in ("", ROBOT)):
        return All(())
    if isinstance(node, All):
        return All(tuple(map(without_places, node.parts)))
    return node
