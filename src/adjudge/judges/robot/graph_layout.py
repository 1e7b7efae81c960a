"""A scene graph as a layout of rooms and objects, for whoever shows it or reads words on it."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.judges.robot.case import Robot, RobotCase, Scene, SceneObject
from adjudge.judges.robot.graph import RELATIONS, SceneGraph, plain

_Key = tuple[str, int | str]


def layout(case: RobotCase) -> Scene | None:
    """The case's scene, or its graph as one; ``None`` where it has neither."""
    if case.graph is None:
        return case.scene
    known = case.graph.memo.get("layout")
    if not isinstance(known, Scene):
        known = case.graph.memo["layout"] = _layout(case.graph)
    return known


def _layout(graph: SceneGraph) -> Scene:
    names = graph.names
    rooms = {n.id for n in graph.nodes if (n.category or "").lower() == "rooms"}
    links: dict[_Key, list[int | str]] = {}
    for edge in graph.edges:
        word = RELATIONS[edge.relation_type.lower()]
        links.setdefault((word, edge.from_id), []).append(edge.to_id)
    acting = graph.robot
    held = [
        thing
        for hand in ("right_hand", "left_hand")
        for thing in (links.get((hand, acting.id), []) if acting else [])
    ]
    objects = []
    for node in graph.nodes:
        if node.id in rooms or node == acting:
            continue
        objects.append(
            SceneObject.model_validate(
                {
                    "id": names[node.id],
                    "category": plain(node.class_name),
                    "states": [s.lower() for s in node.states],
                    **({} if node.id in held else _place(links, names, rooms, node.id)),
                }
            )
        )
    return Scene(
        rooms=[names[n.id] for n in graph.nodes if n.id in rooms],
        objects=objects,
        robot=_robot(links, names, rooms, acting.id, held) if acting else Robot(),
    )


def _place(
    links: Mapping[_Key, list[int | str]],
    names: Mapping[int | str, str],
    rooms: set[int | str],
    thing: int | str,
) -> dict[str, str]:
    """What it stands on, else what it is in, else its room."""
    inside = links.get(("in", thing), [])
    around = [t for t in inside if t not in rooms]
    for field, found in (("on", links.get(("on", thing), [])), ("in", around), ("room", inside)):
        if found:
            return {field: names[found[0]]}
    return {}


def _robot(
    links: Mapping[_Key, list[int | str]],
    names: Mapping[int | str, str],
    rooms: set[int | str],
    robot: int | str,
    held: list[int | str],
) -> Robot:
    room = next((t for t in links.get(("in", robot), []) if t in rooms), None)
    near = next((t for t in links.get(("near", robot), []) if t not in held), None)
    return Robot(
        room=None if room is None else names[room],
        near=None if near is None else names[near],
        holding=[names[t] for t in held],
    )
