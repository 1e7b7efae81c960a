"""Method ``symbolic``: what the bounds leave, with no model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.contract import Ask, Opinion, Reply
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.methods.settled import Explain, RobotEvidence, lowest


@dataclass(frozen=True, slots=True)
class SymbolicMethod:
    """The lowest score that the bounds leave; no opinion where the goal is unknown."""

    explain: Explain
    name: str = "symbolic"
    needs_model: bool = False
    max_rounds: int = 1

    def step(
        self, case: RobotCase, evidence: RobotEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The opinion; nothing is ever asked."""
        if any(bound.rule == "goal_unknown" for bound in evidence.bounds):
            return Opinion(status="skipped", reason="goal_unknown")
        return lowest(case, evidence, self.explain)
