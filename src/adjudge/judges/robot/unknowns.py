"""What a strict look at a case misses in its start."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.judges.robot.purpose import Purpose, leaf_facts
from adjudge.judges.robot.world import NEAR, ROOM, World, unplaced
from adjudge.judges.robot.worlds import objects_of


def unknown_start(world: World, named: Iterable[str], purpose: Purpose | None) -> tuple[str, ...]:
    """What the scene does not say of the robot, and of the objects of the plan and the goal.

    Empty where unknowns are assumed anyway, and on a scene graph, which says all.
    """
    if not world.known or world.graph:
        return ()
    found = []
    if world.start.get(NEAR) is None and world.start.get(ROOM) is None:
        found.append("the scene does not say where the robot starts")
    if not world.hands_stated:
        found.append("the scene does not say what the robot holds")
    names = dict.fromkeys(n for name in named for n in world.resolve(name))
    if purpose is not None:
        names.update(
            dict.fromkeys(n for fact in leaf_facts(purpose.nodes) for n in objects_of(fact))
        )
    found.extend(
        f"the scene does not say where {name} is"
        for name in names
        if name in world.categories and unplaced(world, world.start, name)
    )
    return tuple(found)
