"""The search that fits a world."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.judges.robot.goals import Goal, Node
from adjudge.judges.robot.graph_search import GraphSearch
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.search import Search
from adjudge.judges.robot.world import State, World

Ways = Search | GraphSearch


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
    return Search(world, goal, nodes, start, used, named)
