"""Whether a scene is one world: every id once, every place there, nothing inside itself."""

from __future__ import annotations

import difflib

from adjudge.contract import CaseError
from adjudge.judges.invalid import shown
from adjudge.judges.robot.case import Scene, normal


def check_scene(scene: Scene) -> None:
    """Raises ``CaseError`` that names the field, what was expected and what was found."""
    rooms = {normal(room) for room in scene.rooms}
    for index, door in enumerate(scene.doors):
        for side, room in enumerate(door):
            if normal(room) not in rooms:
                raise _unknown(f"scene.doors[{index}][{side}]", "one of the rooms", room, rooms)
    seen: dict[str, int] = {}
    for index, thing in enumerate(scene.objects):
        name = normal(thing.id)
        if not name:
            raise CaseError(
                "an id with a letter or digit", field=f"scene.objects[{index}].id", found="none"
            )
        if name in seen or name in rooms:
            where = f"scene.objects[{seen[name]}]" if name in seen else "a room"
            raise CaseError(
                "an id of its own",
                field=f"scene.objects[{index}].id",
                found=f"{shown(thing.id)}, which is also the id of {where}",
            )
        seen[name] = index
    parents = _places(scene, rooms, seen)
    _cycles(parents, seen)
    _robot(scene, rooms, seen)


def _places(scene: Scene, rooms: set[str], seen: dict[str, int]) -> dict[str, str]:
    parents: dict[str, str] = {}
    for index, thing in enumerate(scene.objects):
        places = thing.places()
        field = f"scene.objects[{index}]"
        if len(places) > 1:
            given = " and ".join(f"{r} {shown(t)}" for r, t in places)
            raise CaseError("at most one of room, on, in, at, under", field=field, found=given)
        for relation, target in places:
            plain = normal(target)
            if relation == "room":
                if plain not in rooms:
                    raise _unknown(f"{field}.room", "one of the rooms", target, rooms)
            elif plain not in seen:
                raise _unknown(f"{field}.{relation}", "the id of an object", target, set(seen))
            else:
                parents[normal(thing.id)] = plain
    return parents


def _cycles(parents: dict[str, str], seen: dict[str, int]) -> None:
    settled: set[str] = set()
    for name in parents:
        path: dict[str, None] = {}
        current = name
        while current in parents and current not in settled:
            if current in path:
                loop = [*list(path)[list(path).index(current) :], current]
                ring = " in ".join(loop[:6]) + (" in …" if len(loop) > 6 else "")
                raise CaseError(
                    "places that end in a room or nowhere",
                    field=f"scene.objects[{seen[current]}]",
                    found=f"a cycle: {ring}",
                )
            path[current] = None
            current = parents[current]
        settled.update(path)


def _robot(scene: Scene, rooms: set[str], seen: dict[str, int]) -> None:
    robot = scene.robot
    if robot.room is not None and normal(robot.room) not in rooms:
        raise _unknown("scene.robot.room", "one of the rooms", robot.room, rooms)
    if robot.near is not None and normal(robot.near) not in rooms | set(seen):
        raise _unknown("scene.robot.near", "the id of an object", robot.near, set(seen))
    for index, name in enumerate(robot.holding or ()):
        field = f"scene.robot.holding[{index}]"
        if normal(name) not in seen:
            raise _unknown(field, "the id of an object", name, set(seen))
        if scene.objects[seen[normal(name)]].places():
            raise CaseError(
                "an object without a place, since it is held", field=field, found=shown(name)
            )


def _unknown(field: str, expected: str, found: str, known: set[str]) -> CaseError:
    near = difflib.get_close_matches(normal(found), sorted(known)[:10_000], 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return CaseError(expected, field=field, found=shown(found) + hint)
