"""VirtualHome records: a scene graph with one script, or with many labelled plans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.invalid import case_error, shown
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.graph import SceneGraph, check_graph
from adjudge.judges.robot.readers.scripts import Script, read_script
from adjudge.judges.robot.readers.virtualhome_goal import read_goal

_SCENES = ("scene", "init_graph")
_PLANS = ("script", "plan", "actions")


class VirtualHomeReader:
    """Records with a scene of ``nodes`` and ``edges``.

    ``scene`` (or ``init_graph``), ``title``, ``instruction`` (or ``description``), ``goal``
    (``goal`` and ``actions``), and either one plan (``script``, ``plan``), see ``read_script``, or
    ``plans``: a list of ``{"id", "script", "label", "mutation"}``, one case each.
    """

    name = "virtualhome"

    def detect(self, record: Record) -> bool:
        """A scene, or an initial graph, of nodes and edges."""
        return isinstance(record.value, dict) and any(
            isinstance(record.value.get(field), dict) and "nodes" in record.value[field]
            for field in _SCENES
        )

    def read(self, record: Record) -> Iterator[RobotCase | CaseError]:
        """One case a plan; a broken plan is a ``CaseError`` in its place."""
        value = record.value
        if not isinstance(value, dict):
            raise CaseError("an object", found=shown(value))
        own = value.get("id", value.get("task_id"))
        task = str(own) if isinstance(own, str | int) else None
        try:
            graph = read_graph(value)
            goal = read_goal(value["goal"], graph) if value.get("goal") is not None else None
        except CaseError as error:
            error.case_id = task
            raise
        plans = value.get("plans")
        if plans is None:
            script = _script(value, "", task)
            meta = {"title": value.get("title", script.title)}
            yield _case(value, graph, goal, script, task, value.get("label"), meta)
            return
        if not isinstance(plans, list):
            raise CaseError("a list of plans", field="plans", found=shown(plans), case_id=task)
        for index, plan in enumerate(plans):
            field = f"plans[{index}]."
            if not isinstance(plan, dict):
                yield CaseError("an object", field=field[:-1], found=shown(plan), case_id=task)
                continue
            given = plan.get("id")
            case_id = str(given) if isinstance(given, str | int) else None
            meta = {
                "task_id": task,
                "title": value.get("title"),
                "mutation": plan.get("mutation"),
            }
            try:
                script = _script(plan, field, case_id)
                yield _case(value, graph, goal, script, case_id, plan.get("label"), meta)
            except CaseError as error:
                yield error


def read_graph(value: dict[str, Any]) -> SceneGraph:
    """The scene of a record. Raises ``CaseError`` that names the field."""
    field = next((f for f in _SCENES if f in value), _SCENES[0])
    try:
        graph = SceneGraph.model_validate(value.get(field))
    except ValidationError as error:
        raise _inside(field, case_error(error, SceneGraph, None)) from None
    check_graph(graph, field)
    return graph


def _inside(field: str, error: CaseError) -> CaseError:
    path = f"{field}.{error.field}" if error.field else field
    return CaseError(error.expected, field=path, found=error.found)


def _script(value: dict[str, Any], field: str, case_id: str | None) -> Script:
    name = next((n for n in _PLANS if n in value), _PLANS[0])
    if value.get(name) is None:
        raise CaseError("a script", field=field + name, found="nothing", case_id=case_id)
    try:
        return read_script(value[name], field + name)
    except CaseError as error:
        error.case_id = case_id
        raise


def _case(
    value: dict[str, Any],
    graph: SceneGraph,
    goal: JsonObject | None,
    script: Script,
    case_id: str | None,
    label: Any,
    meta: JsonObject,
) -> RobotCase:
    said = (
        value.get("instruction")
        or value.get("description")
        or script.description
        or value.get("title")
        or script.title
    )
    if not isinstance(said, str):
        raise CaseError(
            "an instruction, description or title",
            field="instruction",
            found=shown(value.get("instruction")),
            case_id=case_id,
        )
    return RobotCase(
        id=case_id,
        instruction=said,
        graph=graph,
        domain="virtualhome",
        plan=list(script.steps),
        goal=goal,
        goal_source="reader",
        meta=meta,
        label=label,
    )
