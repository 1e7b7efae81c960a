"""Adjudge's own robot case format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from adjudge.contract import CaseError, Record
from adjudge.judges.invalid import case_error, shown
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.domains import shipped_domains
from adjudge.judges.robot.graph import check_graph
from adjudge.judges.robot.scene_check import check_scene


class NativeReader:
    """One JSON object, one case; see ``RobotCase``."""

    name = "native"

    def detect(self, record: Record) -> bool:
        """Whatever no other reader knows is taken for a native case, and told what it lacks."""
        return True

    def read(self, record: Record) -> Iterator[RobotCase]:
        """The case. Raises ``CaseError`` that names the field."""
        yield read_case(record.value)


def read_case(value: Any) -> RobotCase:
    """A native case from parsed JSON. Raises ``CaseError``."""
    if not isinstance(value, dict):
        raise CaseError("a JSON object with an instruction and a plan", found=_kind(value))
    given = value.get("id")
    case_id = given if isinstance(given, str) else None
    if isinstance(given, int) and not isinstance(given, bool):
        value = {**value, "id": str(given)}
    try:
        case = RobotCase.model_validate(value)
    except ValidationError as error:
        raise case_error(error, RobotCase, case_id) from None
    if case.domain is not None and case.domain not in shipped_domains():
        # a file is for whoever runs the judge to name, never for a case
        known = "one of " + ", ".join(shipped_domains())
        raise CaseError(known, field="domain", found=shown(case.domain), case_id=case_id)
    try:
        if case.scene is not None:
            check_scene(case.scene)
        if case.graph is not None:
            check_graph(case.graph, "graph")
    except CaseError as error:
        error.case_id = case_id
        raise
    return case


def _kind(value: object) -> str:
    return {list: "a list", str: "a string", type(None): "null"}.get(type(value), "a number")
