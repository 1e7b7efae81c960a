"""A format of robot plans: ``{"do": "…", "by": "navigate(sink) -> pick(mug)"}``."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge import CaseError, Record
from adjudge.judges.robot.case import RobotCase


class ArrowReader:
    """Plans as one text, steps joined by arrows."""

    name = "arrows"

    def detect(self, record: Record) -> bool:
        """Whether ``by`` is in it."""
        return isinstance(record.value, dict) and "by" in record.value

    def read(self, record: Record) -> Iterator[RobotCase]:
        """The case. Raises ``CaseError`` that names the field."""
        plan = record.value["by"]
        if not isinstance(plan, str):
            raise CaseError("steps joined by ->", field="by", found=type(plan).__name__)
        steps = [step.strip() for step in plan.split("->")]
        yield RobotCase.model_validate({"instruction": record.value.get("do"), "plan": steps})
