"""The shortest way to a goal: A* over the actions that can matter, with landmarks as the bound.

The search moves only what the goal or the plan names, and what stands in their way. It counts
nodes, never seconds, so that the same case gets the same answer on any machine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush

from adjudge.judges.robot.conditions import fluent
from adjudge.judges.robot.goals import Goal, Latches, Node
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.landmarks import Landmarks, Token, token_of
from adjudge.judges.robot.relevance import Relevant, relevant_to
from adjudge.judges.robot.stepping import make, unseen
from adjudge.judges.robot.world import MOVED, NEAR, ROOM, Key, State, World, room_of, root

_WALKING_FACTS = ("near", "facing", "in_room")

_Waiting = tuple[int, int, int, int, State, Latches, Collection[Token] | None]
"""Bound, rank, cost (negative), serial number, state, what the goal remembers, the acts needed
(``None`` until the bound is the node's own)."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a search found.

    ``length`` is the shortest way's, ``None`` where there is none within the bound that was asked
    for; ``known`` is false where the budget ran out first. ``nodes`` were expanded.
    """

    length: int | None
    known: bool
    nodes: int = 0


class Search:
    """Searches over one world for one goal, given as nodes that must all hold.

    ``used`` and ``named`` as in ``relevant_to``.
    """

    def __init__(
        self,
        world: World,
        goal: Goal,
        nodes: tuple[Node, ...],
        start: State,
        used: Iterable[str],
        named: Iterable[str],
    ) -> None:
        self._world = world
        self._goal = goal
        self._nodes = nodes
        self.relevant: Relevant = relevant_to(world, start, nodes, used, named)
        self._bound = Landmarks(world, self.relevant, nodes)
        self._moves = [(g, token_of(g)) for g in self.relevant.actions.values()]
        self._walks = any(f.word in _WALKING_FACTS for node in nodes for f in node.facts())
        self._keys: list[Key] | None = None

    def at_least(self, state: State, latches: Latches, *, walking: bool = True) -> int:
        """A lower bound on the steps from here."""
        return self._bound.count(state, latches, walking=walking)

    def interactions(self, state: State, latches: Latches, budget: int) -> Way:
        """The fewest interactions from here; navigation counts for nothing."""
        return self._run(state, latches, None, budget, walking=False)

    def steps(self, state: State, latches: Latches, most: int | None, budget: int) -> Way:
        """The fewest steps from here, navigation included, if at most ``most``."""
        return self._run(state, latches, most, budget, walking=True)

    def _done(self, state: State, latches: Latches) -> bool:
        return all(node.holds(self._world, state, latches) for node in self._nodes)

    def _run(
        self, start: State, latches: Latches, most: int | None, budget: int, *, walking: bool
    ) -> Way:
        if most is not None and most < 0:
            return Way(None, True)
        if self._done(start, latches):
            return Way(0, True)
        first, helpful = self._bound.needed(start, latches, walking=walking)
        if most is not None and first > most:
            return Way(None, True)
        if not self.relevant.complete:
            return Way(None, False)
        # without walking the robot reaches everything, unless the goal asks where it stands
        flying = not walking and not self._walks
        best: dict[object, int] = {self._key(start, latches): 0}
        serial = nodes = 0
        # A node waits with its parent's bound; its own is worked out when its turn comes, and
        # acts that the parent needs come first: most nodes never cost a bound.
        queue: list[_Waiting] = [(first, 0, 0, serial, start, latches, helpful)]
        while queue:
            bound, _, cost, _, state, now, wanted = heappop(queue)
            cost = -cost
            if best[self._key(state, now)] < cost:
                continue
            if self._done(state, now):
                return Way(cost, True, nodes)
            if wanted is None:
                rest, wanted = self._bound.needed(state, now, walking=walking)
                if most is not None and cost + rest > most:
                    continue
                if cost + rest > bound:
                    serial += 1
                    heappush(queue, (cost + rest, 0, -cost, serial, state, now, wanted))
                    continue
            if nodes >= budget:
                return Way(None, False, nodes)
            nodes += 1
            for following, ground, token, price in self._following(state, flying, walking):
                then = self._goal.after(self._world, following, now, ground)
                key = self._key(following, then)
                total = cost + price
                if total >= best.get(key, 1 << 30) or (most is not None and total > most):
                    continue
                best[key] = total
                serial += 1
                rank = 0 if token in wanted else 1
                heappush(queue, (bound, rank, -total, serial, following, then, None))
        return Way(None, True, nodes)

    def _following(
        self, state: State, flying: bool, walking: bool
    ) -> Iterable[tuple[State, Ground | None, Token, int]]:
        for move, token in self._moves:
            following = _apply(self._world, state, move, flying)
            if following is not None:
                yield following, move, token, 1
        if flying:
            return
        near = state.get(NEAR)
        for anchor in self.relevant.anchors:
            if anchor == near or (anchor[0] != "*" and root(state, anchor) != anchor):
                continue
            following = state.copy()
            following[NEAR] = anchor
            following[ROOM] = anchor[1:] if anchor[0] == "*" else room_of(state, anchor)
            following[MOVED] = True
            here, there = state.get(ROOM), following[ROOM]
            if here and there and not self._world.connected(here, there):
                continue
            yield following, None, ("go", anchor), 1 if walking else 0

    def _key(self, state: State, latches: Latches) -> object:
        if self._keys is None:
            self._keys = [NEAR, ROOM, *self._written()]
        get = state.get
        return (latches, *[get(key) for key in self._keys])

    def _written(self) -> list[Key]:
        """Every key that a relevant action can change."""
        keys: dict[Key, None] = {}
        for move, _ in self._moves:
            for bound in move.effects:
                if bound.state:
                    keys[bound.word, bound.a] = None
                elif bound.word in ("halted", "spent"):
                    keys["on" if bound.word == "halted" else "filled", bound.a] = None
                elif bound.a:
                    keys["place", bound.a] = None
        return list(keys)


def _apply(world: World, state: State, ground: Ground, flying: bool) -> State | None:
    """The next state, ``None`` where the action does not apply or changes nothing."""
    for bound in ground.requires:
        if bound.condition is None:
            if not fluent(world, state, bound.word, bound.a, bound.wanted, None):
                return None
        elif flying and bound.word == "reach":
            continue
        elif bound.condition(world, state, bound.a, bound.b, None) is not None:
            return None
    if not flying and unseen(world, state, ground):
        return None
    following = state.copy()
    return following if make(world, following, ground, None) else None
