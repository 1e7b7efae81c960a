"""Methods ``direct``, ``direct_10`` and ``key_first``: all importances in one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.contract import Ask, Message, Opinion, Question, Reply, answer
from adjudge.judges.prompting import fence
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.forms import (
    DirectedTenScore,
    DirectedThreeScore,
    Score,
    Scores,
    scores_form,
    sign,
)
from adjudge.judges.social.methods.key import KEY, key_question, read_key
from adjudge.judges.social.methods.opinions import (
    SocialEvidence,
    Yield,
    failed,
    invalid,
    judged,
    refused,
)
from adjudge.judges.social.render import Asking, Shown, messages, missing_message

_SCORES = "scores"
_MISSING = "missing"


@dataclass(frozen=True, slots=True)
class OnePassMethod:
    """Asks for the importance of every utterance of the agent at once.

    An answer holds exactly those turns, each once; ones it left out are asked for once more, and
    the opinion is ``invalid`` where they are still missing, or where a turn was repeated or
    invented. ``key_first`` asks for the key utterance first, gives it the top of the scale, and
    asks for the rest. ``directed`` asks for good or bad as well.
    """

    name: str
    gives: Yield
    asking: Asking
    directed: bool = False
    key_first: bool = False
    needs_model: bool = True

    @property
    def max_rounds(self) -> int:
        """The scores, the missing ones, and the key utterance before them."""
        return 3 if self.key_first else 2

    @property
    def usual_rounds(self) -> int:
        """Where nothing is missing."""
        return self.max_rounds - 1

    def step(
        self, case: SocialCase, evidence: SocialEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The next question, or the opinion."""
        refusal = refused(self.name, self.gives, case, evidence, self.asking.dimension)
        if refusal is not None:
            return refusal
        key: int | None = None
        directions: dict[int, int] = {}
        wanted = evidence.facts.ids
        if self.key_first:
            if KEY not in replies:
                return Ask(questions=(key_question(case, self.asking, anyone=False),))
            found = read_key(replies[KEY], case, anyone=False)
            if isinstance(found, Opinion):
                return found
            key = found.turn
            directions[key] = sign(found.direction)
            wanted = tuple(turn for turn in wanted if turn != key)
            if not wanted:
                return self._judged({}, directions, key, found.analysis)
        return self._scored(case, wanted, key, directions, replies)

    def _scored(
        self,
        case: SocialCase,
        wanted: tuple[int, ...],
        key: int | None,
        directions: dict[int, int],
        replies: Mapping[str, Reply],
    ) -> Ask | Opinion:
        form = scores_form(self.gives.top, self.directed)
        first = replies.get(_SCORES)
        if first is None:
            asked = self._asked(case, wanted, key)
            return Ask(questions=(Question(key=_SCORES, messages=asked, form=form),))
        if first.status != "ok":
            return failed(first)
        given: Scores = answer(first)
        wrong = _wrong_turns(given, wanted)
        if wrong is not None:
            return wrong
        entries: list[Score] = list(given.scores)
        left = _left_out(given, wanted)
        if left:
            again = replies.get(_MISSING)
            if again is None:
                said = Message(role="assistant", content=fence(given.model_dump_json(), "json"))
                asked = (*self._asked(case, wanted, key), said, missing_message(left))
                return Ask(questions=(Question(key=_MISSING, messages=asked, form=form),))
            if again.status != "ok":
                return failed(again)
            more: Scores = answer(again)
            wrong = _wrong_turns(more, left)
            if wrong is not None:
                return wrong
            still = _left_out(more, left)
            if still:
                return invalid("missing_turns", still)
            entries += more.scores
        for entry in entries:
            if isinstance(entry, DirectedThreeScore | DirectedTenScore):
                directions[entry.turn] = sign(entry.direction)
        importances = {entry.turn: entry.importance for entry in entries}
        return self._judged(importances, directions, key, given.analysis)

    def _asked(
        self, case: SocialCase, wanted: tuple[int, ...], key: int | None
    ) -> tuple[Message, ...]:
        return messages(
            case,
            self.asking,
            system="importance_system",
            form="format_scores",
            shown=Shown(upto=len(case.turns), turns=wanted, key=key),
            top=self.gives.top,
            directed=self.directed,
        )

    def _judged(
        self, importances: dict[int, int], directions: dict[int, int], key: int | None, text: str
    ) -> Opinion:
        values = importances if key is None else {**importances, key: self.gives.top}
        return judged(self.gives, values, directions=directions, key=key, analysis=text)


def _wrong_turns(given: Scores, wanted: tuple[int, ...]) -> Opinion | None:
    counts = Counter(entry.turn for entry in given.scores)
    invented = [turn for turn in counts if turn not in wanted]
    if invented:
        return invalid("unasked_turns", invented)
    repeated = [turn for turn, count in counts.items() if count > 1]
    return invalid("repeated_turns", repeated) if repeated else None


def _left_out(given: Scores, wanted: tuple[int, ...]) -> tuple[int, ...]:
    there = {entry.turn for entry in given.scores}
    return tuple(turn for turn in wanted if turn not in there)
