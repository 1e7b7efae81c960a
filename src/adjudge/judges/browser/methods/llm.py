"""Method ``llm``: a model scores the response, inside the bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudge.contract import Ask, BoundsConflict, Finding, Opinion, Question, Reply, answer
from adjudge.judges.browser.bounds import Row, bounds_of
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.evidence import BrowserEvidence
from adjudge.judges.browser.form import BrowserAnswer
from adjudge.judges.browser.material import DEFAULT_LIMITS, Limits, material_of
from adjudge.judges.browser.methods.checks import settled
from adjudge.judges.browser.render import render_messages
from adjudge.judges.browser.scales import DIMENSIONS
from adjudge.judges.browser.view import View

_KEY = "verdict"
_CITED = re.compile(r"\bF\d{1,6}\b")


@dataclass(frozen=True, slots=True)
class LlmMethod:
    """Asks once for all six dimensions, unless the bounds leave one value of each.

    Where the model says that plain knowledge was asked for and the answer rests on a tool's
    result, that is one more finding. The templates replace the judge's own, see
    ``render_messages``.
    """

    rows: Sequence[Row]
    system_template: str | None = field(default=None, repr=False)
    user_template: str | None = field(default=None, repr=False)
    limits: Limits = DEFAULT_LIMITS
    hide_reasoning: bool = False
    name: str = "llm"
    needs_model: bool = True
    max_rounds: int = 1

    def step(
        self, case: BrowserCase, evidence: BrowserEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The question, or the opinion once it is answered or was never needed."""
        try:
            alone = settled(evidence, evidence.facts.scales)
        except BoundsConflict as conflict:
            return Opinion(status="error", reason=f"bounds_conflict: {conflict}")
        if not alone.unscored:
            return alone
        reply = replies.get(_KEY)
        if reply is None:
            return Ask(questions=(self.question(evidence),))
        if reply.status != "ok":
            return Opinion(status=reply.status, reason=reply.reason)
        return self._opinion(evidence, answer(reply))

    def question(self, evidence: BrowserEvidence) -> Question:
        """What a model is asked."""
        messages, _ = render_messages(
            evidence.facts.view,
            evidence.findings,
            evidence.bounds,
            system_template=self.system_template,
            user_template=self.user_template,
            limits=self.limits,
            hide_reasoning=self.hide_reasoning,
        )
        return Question(key=_KEY, messages=messages, form=BrowserAnswer)

    def _opinion(self, evidence: BrowserEvidence, given: BrowserAnswer) -> Opinion:
        shown = material_of(
            evidence.facts.view,
            evidence.findings,
            self.limits,
            hide_reasoning=self.hide_reasoning,
        )
        known = {finding.id for finding in evidence.findings}
        cites = [found for found in _CITED.findall(given.explanation) if found in known]
        return Opinion(
            scores={name: getattr(given, name) for name in DIMENSIONS},
            output={
                "explanation": given.explanation,
                "issues": list(given.issues),
                "ledger": list(shown.ledger),
            },
            cites=tuple(dict.fromkeys(cites)),
            evidence=self._with_knowledge(evidence) if given.plain_knowledge_asked else None,
        )

    def _with_knowledge(self, evidence: BrowserEvidence) -> BrowserEvidence | None:
        view = evidence.facts.view
        found = knowledge_by_tool(view)
        if found is None:
            return None
        wider = evidence.with_findings([found])
        bounds = bounds_of(view, wider.findings, self.rows)
        return wider.model_copy(update={"bounds": bounds})


def knowledge_by_tool(view: View) -> Finding | None:
    """That the answer came after a tool's result, where it did."""
    last = max((message for message, text in view.answer_messages if text.strip()), default=-1)
    for call in view.judged_calls:
        for result in call.results:
            if not result.failed and result.message < last:
                return Finding(
                    id="F0",
                    kind="knowledge_by_tool",
                    severity="info",
                    at={**call.at, "result": result.number},
                    text="plain knowledge was asked for, and the answer rests on this result",
                )
    return None
