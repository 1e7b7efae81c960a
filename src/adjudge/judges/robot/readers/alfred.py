"""ALFRED records: a task's type and parameters, its plan, and people's instructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.invalid import shown
from adjudge.judges.robot.case import RobotCase, Scene, SceneObject, default_category
from adjudge.judges.robot.readers.thor_names import thing

_TYPES = {
    "pick_and_place_simple": None,
    "pick_two_obj_and_place": None,
    "look_at_obj_in_light": None,
    "pick_and_place_with_movable_recep": None,
    "pick_clean_then_place_in_recep": "cleaned",
    "pick_heat_then_place_in_recep": "hot",
    "pick_cool_then_place_in_recep": "cold",
}
"""Task type to the state that the object has to be in."""
_MOST_OF_A_KIND = 50
_DEVICES = ("HeatObject", "CoolObject", "CleanObject")


class AlfredReader:
    """Records with ``task_type``, ``pddl_params``, ``plan`` and ``instructions``.

    One case an instruction, its id the task's and the instruction's number; its votes are the
    label. The plan is ALFRED's high-level one: ``action``, ``args``, ``objectId``,
    ``receptacleObjectId``. The scene is what the plan shows of it, and ``object_counts``.
    """

    name = "alfred"

    def detect(self, record: Record) -> bool:
        """A task type with parameters."""
        value = record.value
        return isinstance(value, dict) and "task_type" in value and "pddl_params" in value

    def read(self, record: Record) -> Iterator[RobotCase | CaseError]:
        """The cases. Raises ``CaseError`` that names the field."""
        value = record.value
        if not isinstance(value, dict):
            raise CaseError("an object", found=shown(value))
        task = value.get("task_id", value.get("id"))
        task_id = str(task) if isinstance(task, str | int) else None
        try:
            goal = task_goal(value.get("task_type"), value.get("pddl_params"))
            plan = _Plan(value.get("plan"))
            steps = list(plan.steps())
            scene = plan.scene(value.get("object_counts"))
        except CaseError as error:
            error.case_id = task_id
            raise
        told = value.get("instructions")
        if not isinstance(told, list) or not told:
            raise CaseError(
                "a list of instructions", field="instructions", found=shown(told), case_id=task_id
            )
        for index, one in enumerate(told):
            text = one.get("task_desc") if isinstance(one, dict) else None
            if not isinstance(text, str):
                field = f"instructions[{index}].task_desc"
                yield CaseError("a string", field=field, found=shown(text), case_id=task_id)
                continue
            yield RobotCase(
                id=f"{task_id}:{index}" if task_id else None,
                instruction=text,
                scene=scene,
                domain="thor",
                plan=steps,
                goal=goal,
                goal_source="reader",
                meta={"task_id": task_id, "task_type": value["task_type"]},
                label={"votes": one.get("votes")},
            )


def task_goal(kind: Any, params: Any, field: str = "pddl_params") -> JsonObject:
    """The goal of a task type with these parameters. Raises ``CaseError``.

    >>> task_goal("look_at_obj_in_light", {"object_target": "Book", "toggle_target": "DeskLamp"})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'all': [{'exists': ['o', '?book', {'all': [{'holding': ['$o']}]}]},
             {'exists': ['l', '?desk_lamp', {'state': ['$l', 'on']}]}]}
    """
    if kind not in _TYPES:
        raise CaseError(f"one of {', '.join(_TYPES)}", field="task_type", found=shown(kind))
    if not isinstance(params, dict):
        raise CaseError("an object", field=field, found=shown(params))

    def category(name: str) -> str:
        found = params.get(name)
        if not isinstance(found, str) or not found:
            raise CaseError("a type of object", field=f"{field}.{name}", found=shown(found))
        return "?" + thing(found)

    item = category("object_target")
    states = [s for s in (_TYPES[kind], "sliced" if params.get("object_sliced") else None) if s]
    is_so = [{"state": ["$o", state]} for state in states]
    if kind == "look_at_obj_in_light":
        lamp = category("toggle_target")
        return {
            "all": [
                {"exists": ["o", item, {"all": [{"holding": ["$o"]}, *is_so]}]},
                {"exists": ["l", lamp, {"state": ["$l", "on"]}]},
            ]
        }
    place = category("parent_target")
    if kind == "pick_two_obj_and_place":
        both = {"count": ["o", item, 2, {"all": [_at("$o", "$r"), *is_so]}]}
        return {"exists": ["r", place, both]}
    if kind == "pick_and_place_with_movable_recep":
        vessel = category("mrecep_target")
        inside = {"exists": ["o", item, {"all": [_at("$o", "$m"), *is_so]}]}
        there = {"exists": ["r", place, _at("$m", "$r")]}
        return {"exists": ["m", vessel, {"all": [inside, there]}]}
    return {"exists": ["o", item, {"all": [{"exists": ["r", place, _at("$o", "$r")]}, *is_so]}]}


def _at(what: str, where: str) -> JsonObject:
    return {"any": [{"in": [what, where]}, {"on": [what, where]}]}


class _Plan:
    """The high-level plan as calls; things of one type are told apart by their object ids."""

    def __init__(self, value: Any) -> None:
        if not isinstance(value, list) or not all(isinstance(step, dict) for step in value):
            raise CaseError("a list of actions", field="plan", found=shown(value))
        self.plan: list[Mapping[str, Any]] = value
        self.types: dict[str, str] = {}
        self.instances: dict[str, list[str]] = {}
        for step in value:
            for key in ("objectId", "receptacleObjectId"):
                if isinstance(step.get(key), str):
                    self._learn(step[key])
            if isinstance(step.get("receptacle"), str):
                self.types[step["receptacle"].lower()] = thing(step["receptacle"])

    def _learn(self, object_id: str) -> None:
        kind, place = _parts(object_id)
        self.types[kind.lower()] = thing(kind)
        seen = self.instances.setdefault(thing(kind), [])
        if place not in seen:
            seen.append(place)

    def steps(self) -> Iterator[str]:
        """One call a step."""
        for index, step in enumerate(self.plan):
            action, args = step.get("action"), step.get("args")
            if not isinstance(action, str) or not isinstance(args, list):
                raise CaseError(
                    "an action with args", field=f"plan[{index}]", found=shown(step.get("action"))
                )
            yield f"{action}({', '.join(self._arguments(index, action, args, step))})"

    def scene(self, counts: Any) -> Scene:
        """What the plan shows: its things, and where it first picks them up."""
        places: dict[str, str | None] = {}
        at = ""
        for index, step in enumerate(self.plan):
            names = self._arguments(index, step["action"], step["args"], step)
            for name in names:
                places.setdefault(name, None)
            if step["action"] == "GotoLocation" and names:
                at = names[0]
            where = step.get("receptacle")
            if step["action"] == "PickupObject" and names and isinstance(where, str):
                kind = thing(where)
                spot = at if default_category(at) == kind else kind
                places.setdefault(spot, None)
                if places[names[0]] is None and spot != names[0]:
                    places[names[0]] = spot
        for kind, count in counts.items() if isinstance(counts, dict) else ():
            known = [name for name in places if default_category(name) == thing(kind)]
            for number in range(len(known), min(count, _MOST_OF_A_KIND)):
                places.setdefault(f"{thing(kind)}_{number + 1}" if count > 1 else thing(kind), None)
        return Scene(objects=[SceneObject(id=name, on=spot) for name, spot in _rooted(places)])

    def _arguments(
        self, index: int, action: str, args: list[Any], step: Mapping[str, Any]
    ) -> list[str]:
        words = [self.types.get(str(a).lower(), thing(str(a))) for a in args]
        if action == "GotoLocation" and words:
            return [self._ahead(index, words[0])]
        if action in _DEVICES and words:
            return [self._held(index, words[0]), self._one(step.get("objectId"), "")]
        found = [self._one(step.get("objectId"), words[0])] if words else []
        if len(words) > 1:
            found.append(self._one(step.get("receptacleObjectId"), words[1]))
        return found

    def _one(self, object_id: Any, otherwise: str) -> str:
        """The thing with this object id: its type, and a number where there are several."""
        if not isinstance(object_id, str):
            return otherwise
        kind, place = _parts(object_id)
        seen = self.instances.get(thing(kind), [])
        return thing(kind) if len(seen) < 2 else f"{thing(kind)}_{seen.index(place) + 1}"

    def _ahead(self, index: int, kind: str) -> str:
        """The thing of this type that a later step names first: that is where the robot goes."""
        for step in self.plan[index + 1 :]:
            if step.get("action") == "GotoLocation":
                break
            for key in ("receptacleObjectId", "objectId"):
                if isinstance(step.get(key), str) and thing(_parts(step[key])[0]) == kind:
                    return self._one(step[key], kind)
        return kind

    def _held(self, index: int, kind: str) -> str:
        """The thing of this type that was picked up last."""
        for step in reversed(self.plan[:index]):
            object_id = step.get("objectId")
            if step.get("action") == "PickupObject" and isinstance(object_id, str):
                return self._one(object_id, kind)
        return kind


def _rooted(places: Mapping[str, str | None]) -> Iterator[tuple[str, str | None]]:
    """The places, without those that go round in a circle."""
    for name, spot in places.items():
        seen, current = {name}, spot
        while current is not None and current not in seen:
            seen.add(current)
            current = places.get(current)
        yield name, (spot if current is None else None)


def _parts(object_id: str) -> tuple[str, str]:
    """Type and place of ``Apple|+01.41|+01.20|-01.00|AppleSliced_1``; of ``Sink|…|SinkBasin`` the
    type is the part's. A slice is the thing it is of."""
    kind, *rest = object_id.split("|")
    part = rest[3] if len(rest) > 3 else ""
    return (part if part and not part.startswith(kind + "Sliced") else kind), "|".join(rest[:3])
