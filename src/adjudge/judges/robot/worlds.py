"""The world of a case, whichever form its scene has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.domains import Domain, DomainError
from adjudge.judges.robot.goals import Node
from adjudge.judges.robot.graph_layout import layout
from adjudge.judges.robot.graph_world import GraphWorld, graph_world
from adjudge.judges.robot.purpose import Purpose, leaf_facts
from adjudge.judges.robot.world import Reach, World, build_world


def world_of(
    case: RobotCase, domain: Domain, named: Iterable[str], *, strict: bool, reach: Reach
) -> World:
    """The world of a case. ``named`` are the objects that the plan names: in an open world they
    exist. Raises ``DomainError`` where the domain needs a graph and the case has none."""
    if not domain.relations:
        if case.graph is not None:
            case = case.model_copy(update={"scene": layout(case), "graph": None})
        return build_world(case, domain, named, strict=strict, reach=reach)
    if case.graph is None:
        raise DomainError(f"domain {domain.name}: needs a scene with nodes and edges, found none")
    world = graph_world(case.graph, domain, reach)
    return world if case.trace is None else world.copy()


def narrowed(world: World, named: Iterable[str], purpose: Purpose | None) -> World:
    """The world with only what can matter to the plan and the goal; the same world where that
    makes no difference."""
    if not isinstance(world, GraphWorld):
        return world
    names = [found for name in named for found in world.resolve(name)]
    if purpose is not None:
        names.extend(n for fact in leaf_facts(purpose.nodes) for n in objects_of(fact))
    return world.part(names)


def objects_of(node: Node) -> Iterator[str]:
    """The objects that a fact or event names."""
    for name in (getattr(node, "a", ""), getattr(node, "b", "")):
        if name:
            yield name
    for argument in getattr(node, "arguments", ()):
        yield from argument or ()
