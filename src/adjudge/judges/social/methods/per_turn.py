"""Methods ``only_response``, ``utterance_quality``, ``goal_progress``: a question an utterance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from adjudge.contract import Ask, Message, Opinion, Question, Reply, answer
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.forms import GoalLevel, UtteranceImportance
from adjudge.judges.social.methods.opinions import (
    SocialEvidence,
    Yield,
    failed,
    judged,
    refused,
)
from adjudge.judges.social.render import Asking, Shown, dialogue, messages, next_own, reply_to

_NO_HISTORY = "nothing_said_before"

F = TypeVar("F", UtteranceImportance, GoalLevel)


@dataclass(frozen=True, slots=True)
class UtteranceMethod:
    """The importance of each utterance, 0 to 3, with what went before it.

    ``by_reply``: judged by the reply that it met with (``only_response``), else by its own quality
    (``utterance_quality``).
    """

    name: str
    gives: Yield
    by_reply: bool
    asking: Asking
    needs_model: bool = True
    max_rounds: int = 1

    def step(
        self, case: SocialCase, evidence: SocialEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The questions, or the opinion once all are answered."""
        refusal = refused(self.name, self.gives, case, evidence, self.asking.dimension)
        if refusal is not None:
            return refusal
        asked = {turn: self._asked(case, turn) for turn in evidence.facts.ids}
        found = _answers(asked, replies, UtteranceImportance)
        if isinstance(found, Ask | Opinion):
            return found
        importances = {turn: given.importance for turn, given in found.items()}
        return judged(self.gives, importances, analysis=_analyses(found))

    def _asked(self, case: SocialCase, turn: int) -> tuple[Message, ...]:
        blocks = [("The utterance to score", dialogue(case, [turn]))]
        if self.by_reply:
            blocks.append(("The direct reply to it", reply_to(case, turn)))
        return messages(
            case,
            self.asking,
            system="response_system" if self.by_reply else "quality_system",
            form="format_importance",
            shown=Shown(upto=turn, title="History", blocks=tuple(blocks)),
            top=self.gives.top,
        )


@dataclass(frozen=True, slots=True)
class GoalProgressMethod:
    """How far the goal is reached after each utterance and its reply, 0 to 10.

    ``as_published`` asks before the utterance instead, as Sotopia-RL does: credit then lands one
    turn late, the last utterance's effect is never seen, and an utterance before which nothing was
    said has no level.
    """

    gives: Yield
    asking: Asking
    as_published: bool = False
    name: str = "goal_progress"
    needs_model: bool = True
    max_rounds: int = 1

    def step(
        self, case: SocialCase, evidence: SocialEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The questions, or the opinion once all are answered."""
        dimension = self.asking.dimension
        refusal = refused(self.name, self.gives, case, evidence, dimension)
        if refusal is not None:
            return refusal
        if dimension.name != "goal":
            reason = f"dimension_mismatch: {self.name} judges goal, not {dimension.name}"
            return Opinion(status="error", reason=reason)
        points = {turn: self._point(case, turn) for turn in evidence.facts.ids}
        begun = next(i for i, turn in enumerate(case.turns) if turn.acted)
        unscored = {str(turn): _NO_HISTORY for turn, end in points.items() if end <= begun}
        asked = {t: self._asked(case, end) for t, end in points.items() if str(t) not in unscored}
        if not asked:
            return Opinion(status="skipped", reason=_NO_HISTORY)
        found = _answers(asked, replies, GoalLevel)
        if isinstance(found, Ask | Opinion):
            return found
        levels = {turn: level.progress for turn, level in found.items()}
        return judged(self.gives, levels, analysis=_analyses(found), unscored=unscored)

    def _point(self, case: SocialCase, turn: int) -> int:
        """How many turns are over when the level of the utterance at ``turn`` is taken."""
        return turn if self.as_published else next_own(case, turn)

    def _asked(self, case: SocialCase, end: int) -> tuple[Message, ...]:
        return messages(
            case,
            self.asking,
            system="progress_system",
            form="format_progress",
            shown=Shown(upto=end, title="Conversation so far"),
            top=self.gives.top,
        )


def _answers(
    asked: Mapping[int, tuple[Message, ...]], replies: Mapping[str, Reply], form: type[F]
) -> Ask | Opinion | dict[int, F]:
    """What was answered by turn; the questions still open; or the failure of the first that has
    one: nothing is scored unless all is."""
    open_questions = tuple(
        Question(key=f"turn-{turn}", messages=messages, form=form)
        for turn, messages in asked.items()
        if f"turn-{turn}" not in replies
    )
    if open_questions:
        return Ask(questions=open_questions)
    found: dict[int, F] = {}
    for turn in asked:
        reply = replies[f"turn-{turn}"]
        if reply.status != "ok":
            return failed(reply, turn)
        found[turn] = answer(reply)
    return found


def _analyses(found: Mapping[int, UtteranceImportance] | Mapping[int, GoalLevel]) -> str:
    return "\n".join(f"Turn {turn}: {given.analysis}" for turn, given in found.items())
