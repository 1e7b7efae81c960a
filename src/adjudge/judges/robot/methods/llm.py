"""Method ``llm``: a model scores the plan, inside the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudge.contract import Ask, BoundsConflict, Opinion, Question, Reply, answer
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.form import RobotAnswer
from adjudge.judges.robot.material import DEFAULT_LIMITS, Limits
from adjudge.judges.robot.methods.settled import (
    Explain,
    RobotEvidence,
    allowed_scores,
    cited,
    conflicting,
    lowest,
)
from adjudge.judges.robot.render import check_templates, render_messages

_KEY = "verdict"


@dataclass(frozen=True, slots=True)
class LlmMethod:
    """Asks once, and only where the bounds leave several scores or ``always_ask`` is set.

    A settled case gets the opinion that ``explain`` words. The templates and examples replace the
    judge's own, see ``render_messages``.
    """

    explain: Explain
    always_ask: bool = False
    system_template: str | None = field(default=None, repr=False)
    user_template: str | None = field(default=None, repr=False)
    examples: str | None = field(default=None, repr=False)
    limits: Limits = DEFAULT_LIMITS
    name: str = "llm"
    needs_model: bool = True
    max_rounds: int = 1

    def __post_init__(self) -> None:
        """Raise ``TemplateError`` before the first case rather than on it."""
        check_templates(self.system_template, self.user_template, self.examples)

    def step(
        self, case: RobotCase, evidence: RobotEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The question, or the opinion once it is answered or was never needed."""
        try:
            settled = len(allowed_scores(evidence)) == 1
        except BoundsConflict as conflict:
            return conflicting(conflict)
        if settled and not self.always_ask:
            return lowest(case, evidence, self.explain)
        reply = replies.get(_KEY)
        if reply is None:
            return Ask(questions=(self.question(case, evidence),))
        if reply.status != "ok":
            return Opinion(status=reply.status, reason=reply.reason)
        given: RobotAnswer = answer(reply)
        texts = given.model_dump(include={"summary", "execution_analysis", "evaluate"})
        return Opinion(
            scores={"score": given.score},
            output=texts,
            cites=cited(tuple(texts.values()), evidence),
        )

    def question(self, case: RobotCase, evidence: RobotEvidence) -> Question:
        """What a model is asked about ``case``."""
        messages = render_messages(
            case,
            evidence.facts,
            evidence.findings,
            bounds=evidence.bounds,
            system_template=self.system_template,
            user_template=self.user_template,
            examples=self.examples,
            limits=self.limits,
        )
        return Question(key=_KEY, messages=messages, form=RobotAnswer)
