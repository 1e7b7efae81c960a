"""Spatial relationships in words."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.judges.robot.case import Relation, RobotCase, Scene
from adjudge.judges.robot.graph_layout import layout

_WORDS: dict[Relation, str] = {
    "room": "in",
    "on": "on",
    "in": "in",
    "at": "at",
    "under": "under",
}


def spatial_relations(case: RobotCase) -> list[str]:
    """The case's own relations, or, where it has none, those its scene shows; maybe empty.

    >>> spatial_relations(RobotCase.model_validate({"instruction": "", "plan": [], "scene": {
    ...     "objects": [{"id": "desk"}, {"id": "mug", "on": "desk"}]}}))
    ['the mug is on the desk']
    """
    if case.relations is not None:
        return list(case.relations)
    scene = layout(case)
    return list(_from_scene(scene)) if scene is not None else []


def _from_scene(scene: Scene) -> Iterator[str]:
    for thing in scene.objects:
        for relation, target in thing.places():
            yield f"the {thing.id} is {_WORDS[relation]} the {target}"
    for one, other in scene.doors:
        yield f"a door joins the {one} and the {other}"
    robot = scene.robot
    if robot.room is not None:
        yield f"the robot is in the {robot.room}"
    if robot.near is not None:
        yield f"the robot is near the {robot.near}"
    for held in robot.holding or []:
        yield f"the robot holds the {held}"
