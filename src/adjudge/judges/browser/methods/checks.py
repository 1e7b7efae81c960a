"""Method ``checks``: what the findings settle, without a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.contract import Ask, BoundsConflict, Opinion, Reply, Scale, intersect
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.evidence import BrowserEvidence

NEEDS_MODEL = "needs_model"


@dataclass(frozen=True, slots=True)
class ChecksMethod:
    """Scores a dimension where the bounds leave one value; the others need a model."""

    name: str = "checks"
    needs_model: bool = False
    max_rounds: int = 0

    def step(
        self, case: BrowserCase, evidence: BrowserEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The opinion."""
        scales = evidence.facts.scales
        try:
            return settled(evidence, scales)
        except BoundsConflict as conflict:
            return Opinion(status="error", reason=f"bounds_conflict: {conflict}")


def settled(evidence: BrowserEvidence, scales: Mapping[str, Scale]) -> Opinion:
    """Scores where one value is left, the rest unscored. Raises ``BoundsConflict``."""
    left = intersect(evidence.bounds, scales)
    scores = {name: record.allowed[0] for name, record in left.items() if len(record.allowed) == 1}
    unscored = {name: NEEDS_MODEL for name in scales if name not in scores}
    return Opinion(scores=scores, unscored=unscored)
