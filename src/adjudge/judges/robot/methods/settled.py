"""What the bounds alone say."""

from __future__ import annotations

import re
from collections.abc import Callable

from adjudge.contract import BoundsConflict, Evidence, JsonObject, Opinion, Scale, intersect
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.facts import RobotFacts

RobotEvidence = Evidence[RobotFacts]

Explain = Callable[[RobotCase, RobotEvidence], JsonObject]
"""The output's text fields, written from the evidence alone."""

SCORE = Scale.ordinal(0, 4)

_CITED = re.compile(r"\bF\d{1,6}\b")


def allowed_scores(evidence: RobotEvidence) -> tuple[int, ...]:
    """The scores that the hard bounds leave, lowest first. Raises ``BoundsConflict``."""
    record = intersect(evidence.bounds, {"score": SCORE}).get("score")
    left = record.allowed if record else (SCORE.values() or ())
    return tuple(sorted(value for value in left if isinstance(value, int)))


def lowest(case: RobotCase, evidence: RobotEvidence, explain: Explain) -> Opinion:
    """The opinion that gives the lowest score left; ``error`` where none is."""
    try:
        score = allowed_scores(evidence)[0]
    except BoundsConflict as conflict:
        return conflicting(conflict)
    return Opinion(scores={"score": score}, output=explain(case, evidence))


def conflicting(conflict: BoundsConflict) -> Opinion:
    """No opinion, because hard bounds contradict each other."""
    return Opinion(status="error", reason=f"bounds_conflict: {conflict}")


def cited(texts: tuple[str, ...], evidence: RobotEvidence) -> tuple[str, ...]:
    """The ids of findings that the texts name and that exist, in order of first mention."""
    known = {finding.id for finding in evidence.findings}
    named = (found for text in texts for found in _CITED.findall(text))
    return tuple(dict.fromkeys(found for found in named if found in known))
