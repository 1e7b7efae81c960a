"""A rubric's ways to an opinion: ``bounds`` without a model, ``llm`` with one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudge.contract import Ask, BoundsConflict, Opinion, Question, Reply, answer, intersect
from adjudge.judges.rubric.check import RubricEvidence
from adjudge.judges.rubric.form import answer_form
from adjudge.judges.rubric.model import Rubric
from adjudge.judges.rubric.render import messages_of

NEEDS_MODEL = "needs_model"
_KEY = "verdict"
_CITED = re.compile(r"\bF\d{1,6}\b")


@dataclass(frozen=True, slots=True)
class BoundsMethod:
    """Scores a dimension where the bounds leave one value; the others need a model."""

    name: str = "bounds"
    needs_model: bool = False
    max_rounds: int = 0

    def step(
        self, case: Any, evidence: RubricEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The opinion."""
        try:
            return settled(evidence)
        except BoundsConflict as conflict:
            return Opinion(status="error", reason=f"bounds_conflict: {conflict}")


def settled(evidence: RubricEvidence) -> Opinion:
    """Scores where one value is left, the rest unscored. Raises ``BoundsConflict``."""
    scales = evidence.facts.scales
    left = intersect(evidence.bounds, scales)
    scores = {name: record.allowed[0] for name, record in left.items() if len(record.allowed) == 1}
    unscored = {name: NEEDS_MODEL for name in scales if name not in scores}
    return Opinion(scores=scores, unscored=unscored)


@dataclass(frozen=True, slots=True)
class LlmMethod:
    """Asks once for all dimensions, unless the bounds leave one value of each."""

    rubric: Rubric = field(repr=False)
    rubric_json: str = field(repr=False)
    always_ask: bool = False
    name: str = "llm"
    needs_model: bool = True
    max_rounds: int = 1

    def step(
        self, case: Any, evidence: RubricEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The question, or the opinion once it is answered or was never needed."""
        try:
            alone = settled(evidence)
            if not alone.unscored and not self.always_ask:
                return alone
            reply = replies.get(_KEY)
            if reply is None:
                messages = messages_of(self.rubric_json, self.rubric, evidence)
                form = answer_form(tuple(evidence.facts.scales.items()))
                return Ask(questions=(Question(key=_KEY, messages=messages, form=form),))
        except BoundsConflict as conflict:
            return Opinion(status="error", reason=f"bounds_conflict: {conflict}")
        if reply.status != "ok":
            return Opinion(status=reply.status, reason=reply.reason)
        given = answer(reply)
        reasons = given.reasons.model_dump()
        known = {finding.id for finding in evidence.findings}
        cites = [c for text in reasons.values() for c in _CITED.findall(text) if c in known]
        return Opinion(
            scores=given.scores.model_dump(),
            output={"reasons": reasons},
            cites=tuple(dict.fromkeys(cites)),
        )
