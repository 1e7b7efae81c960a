"""The search that fits a world."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from adjudge.judges.robot.goals import Goal, Latches, Node
from adjudge.judges.robot.graph_search import GraphSearch
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.purpose import leaf_facts
from adjudge.judges.robot.search import Search, Way
from adjudge.judges.robot.world import State, World
from adjudge.judges.robot.worlds import objects_of

_SEARCHED = frozenset({"pick", "place_in", "place_on", "drop"})
"""Actions that the household search knows the ways of; a table without them is not searched."""


@dataclass(slots=True)
class Touched:
    """What a goal is about."""

    objects: set[str] = field(default_factory=set)


class NoSearch:
    """For an action model that no search knows: every way is unknown."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self.relevant = Touched({n for fact in leaf_facts(nodes) for n in objects_of(fact)})

    def at_least(self, state: State, latches: Latches, *, walking: bool = True) -> int:
        """No bound."""
        return 0

    def interactions(self, state: State, latches: Latches, budget: int) -> Way:
        """Unknown."""
        return Way(None, False)

    def steps(self, state: State, latches: Latches, most: int | None, budget: int) -> Way:
        """Unknown."""
        return Way(None, False)


Ways = Search | GraphSearch | NoSearch


def search_on(
    world: World,
    goal: Goal,
    nodes: tuple[Node, ...],
    start: State,
    used: Iterable[str],
    named: Iterable[str],
) -> Ways:
    """A search for ``nodes``; ``used`` and ``named`` as in ``relevant_to``."""
    if isinstance(world, GraphWorld):
        return GraphSearch(world, goal, nodes, start, named)
    if not world.domain.actions.keys() >= _SEARCHED:
        return NoSearch(nodes)
    return Search(world, goal, nodes, start, used, named)
