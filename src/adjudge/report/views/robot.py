"""A robot's plan: its steps with their roles, its scene as rooms and what is in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.robot.case import Robot, RobotCase, Scene, SceneObject, normal
from adjudge.judges.robot.domains import load_domain, shipped_domains
from adjudge.judges.robot.graph_layout import layout
from adjudge.judges.robot.steps import read_step
from adjudge.report.parts import Placed, Tone, fields, group, step, steps, thing, tree
from adjudge.report.views.view import View

CASE = RobotCase

_ROLES: dict[str, tuple[str, Tone]] = {
    "necessary": ("✓", "good"),
    "tidy": ("○", "quiet"),
    "neutral": ("·", "quiet"),
    "redundant": ("↺", "warn"),
    "failed": ("✕", "bad"),
    "not_executed": ("–", "quiet"),
}
_SMALL = 60
_DEEPEST = 6


def view(case: RobotCase, verdict: JsonObject) -> View:
    """Instruction, goal and progress; steps; scene."""
    details = verdict["details"]
    done = list(_steps(case, details, Placed(verdict["findings"])))
    scene = layout(case)
    blocks = [
        fields("Task", [("instruction", case.instruction), *_about(details)]),
        steps("Steps", done, note=_note(details)),
    ]
    if scene is not None:
        blocks.append(_tree(scene, _touched(case, [one["text"] for one in done])))
    if case.relations:
        blocks.append(fields("Relations", [("given", "\n".join(case.relations))]))
    return View(case.instruction, blocks)


def _about(details: JsonObject) -> Iterator[tuple[str, str]]:
    goal, progress = details.get("goal"), details.get("progress")
    if goal:
        met = {True: "met", False: "not met", None: "not known whether met"}[goal["met"]]
        at = f" at step {goal['met_at']}" if goal["met_at"] is not None else ""
        yield f"goal ({goal['source']})", f"{goal['text']}: {met}{at}"
    if progress:
        told = [f"{name} {value:.0%}" for name, value in progress.items() if value is not None]
        yield "progress", ", ".join(told)
    if details.get("optimal_length") is not None:
        yield "shortest way", f"{details['optimal_length']} steps"


def _note(details: JsonObject) -> str:
    trace = details.get("trace")
    if not trace:
        return ""
    executed = len(trace["executed"])
    return f"{executed} executed, {trace['status']}, {len(trace['remaining'])} remaining"


def _steps(case: RobotCase, details: JsonObject, placed: Placed) -> Iterator[JsonObject]:
    given = [*case.trace.executed, *case.trace.remaining] if case.trace else case.plan or []
    told = details.get("steps") or [{"action": action, "role": ""} for action in given]
    error = (details.get("trace") or {}).get("error") or {}
    for index, one in enumerate(told):
        mark, tone = _ROLES.get(one["role"], ("·", "quiet"))
        role = one["role"].replace("_", " ")
        here = index == error.get("step")
        help_ = f"Would help: {error['would_help']}" if here and error.get("would_help") else ""
        found = [finding["id"] for finding in placed.take(step=index)]
        yield step(
            index, one["action"], role=role, mark=mark, tone=tone, note=help_, findings=found
        )


def _touched(case: RobotCase, actions: Sequence[str]) -> frozenset[str]:
    """The names of things that the steps speak of."""
    domain = _domain(case.domain if case.domain in shipped_domains() else "household")
    read = (read_step(action, domain) for action in actions)
    return frozenset(name for one in read if one is not None for name in one.arguments)


_domain = cache(load_domain)


def _tree(scene: Scene, touched: frozenset[str]) -> JsonObject:
    made = {normal(one.id): _thing(one, touched) for one in scene.objects}
    rooms: dict[str, list[JsonObject]] = {normal(name): [] for name in scene.rooms}
    loose: list[JsonObject] = []
    above: dict[str, str] = {}
    for one in scene.objects:
        name, place = normal(one.id), one.place()
        target = normal(place[1]) if place else ""
        if place and place[0] == "room":
            rooms.setdefault(target, []).append(made[name])
        elif target in made and _top(target, above) != name:
            above[name] = target
            made[target]["items"].append(made[name])
        else:
            loose.append(made[name])
    for items in (*rooms.values(), loose):
        _flatten(items)
        _shorten(items)
    large = len(scene.objects) > _SMALL
    here = normal(scene.robot.room) if scene.robot.room else None
    groups = [
        group(
            name,
            items,
            note="the robot starts here" if name == here else "",
            shut=large and not _any_touched(items),
        )
        for name, items in rooms.items()
    ]
    if loose:
        title = "place not given" if rooms else "objects"
        groups.append(group(title, loose, shut=large and not _any_touched(loose)))
    return tree("Scene", groups, note=_robot(scene.robot))


def _top(name: str, above: dict[str, str]) -> str:
    """What ``name`` is in the end in; the way there is made shorter for the next time."""
    while name in above:
        if above[name] in above:
            above[name] = above[above[name]]
        name = above[name]
    return name


def _flatten(items: Sequence[JsonObject]) -> None:
    """Put everything below the deepest level shown on that level."""
    level = list(items)
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in one["items"]]
    for one in level:
        below = list(one["items"])
        for inner in below:  # grows as it is walked
            below += inner["items"]
            inner["items"] = []
        one["items"] = below


def _shorten(items: Sequence[JsonObject]) -> None:
    """What a thing is in stands above it: the relation says enough."""
    for one in items:
        for inner in one["items"]:
            if inner["how"].partition(" ")[2] == one["name"]:
                inner["how"] = inner["how"].partition(" ")[0]
        _shorten(one["items"])


def _thing(one: SceneObject, touched: frozenset[str]) -> JsonObject:
    place = one.place()
    how = f"{place[0]} {place[1]}" if place and place[0] != "room" else ""
    return thing(one.id, how=how, about=one.states, touched=normal(one.id) in touched)


def _any_touched(items: Sequence[JsonObject]) -> bool:
    return any(one["touched"] or _any_touched(one["items"]) for one in items)


def _robot(robot: Robot) -> str:
    told: list[Any] = []
    if robot.near:
        told.append(f"near {robot.near}")
    if robot.holding:
        told.append(f"holding {', '.join(robot.holding)}")
    return f"The robot starts {' and '.join(told)}." if told else ""
