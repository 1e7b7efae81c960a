"""Where several devices would do, a plan is measured against ways that use its own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from adjudge.judges.robot.goals import Any_, Node
from adjudge.judges.robot.purpose import leaf_facts
from adjudge.judges.robot.world import World
from adjudge.judges.robot.worlds import objects_of


def with_devices(world: World, node: Node, used: Collection[str]) -> Node:
    """``node`` without the alternatives on devices that the plan did not use, where it used one.

    Heating in the microwave is no detour because the stove is nearer.
    """
    parts = tuple(with_devices(world, part, used) for part in node.parts)
    if isinstance(node, Any_):
        devices = [_devices(world, part) for part in parts]
        if any(found.intersection(used) for found in devices):
            pairs = zip(parts, devices, strict=True)
            parts = tuple(p for p, found in pairs if not found or found.intersection(used))
    if parts == node.parts:
        return node
    return replace(node, parts=parts)  # type: ignore[type-var]


def _devices(world: World, node: Node) -> set[str]:
    return {
        name
        for fact in leaf_facts((node,))
        for name in objects_of(fact)
        if world.can(name, "toggleable")
    }
