"""Method ``key_utterance``: the one utterance on which the outcome turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.contract import Ask, Opinion, Question, Reply, answer
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.forms import KeyUtterance, sign
from adjudge.judges.social.methods.opinions import (
    SocialEvidence,
    Yield,
    failed,
    invalid,
    judged,
    refused,
)
from adjudge.judges.social.render import Asking, Shown, messages

KEY = "key"
TOP = 1


@dataclass(frozen=True, slots=True)
class KeyUtteranceMethod:
    """Asks once: which utterance was the most critical, and was its impact good or bad.

    The key utterance has the value 1, the others 0. ``anyone``: another agent's may be it, and
    then the agent's own all have 0.
    """

    gives: Yield
    asking: Asking
    anyone: bool = False
    name: str = "key_utterance"
    needs_model: bool = True
    max_rounds: int = 1

    def step(
        self, case: SocialCase, evidence: SocialEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The question, or the opinion once it is answered."""
        refusal = refused(self.name, self.gives, case, evidence, self.asking.dimension)
        if refusal is not None:
            return refusal
        reply = replies.get(KEY)
        if reply is None:
            return Ask(questions=(key_question(case, self.asking, self.anyone),))
        found = read_key(reply, case, self.anyone)
        if isinstance(found, Opinion):
            return found
        return judged(
            self.gives,
            {turn: TOP if turn == found.turn else 0 for turn in evidence.facts.ids},
            directions={found.turn: sign(found.direction)},
            key=found.turn,
            analysis=found.analysis,
        )


def key_question(case: SocialCase, asking: Asking, anyone: bool) -> Question:
    """Which utterance was the key one."""
    shown = Shown(
        upto=len(case.turns),
        turns=candidates(case, anyone),
        asked="The key utterance is one of the utterances at these turns",
    )
    asked = messages(
        case, asking, system="key_system", form="format_key", shown=shown, top=TOP, anyone=anyone
    )
    return Question(key=KEY, messages=asked, form=KeyUtterance)


def read_key(reply: Reply, case: SocialCase, anyone: bool) -> KeyUtterance | Opinion:
    """The answer, or the opinion that there is none: no reply, or no turn that it could be."""
    if reply.status != "ok":
        return failed(reply)
    given: KeyUtterance = answer(reply)
    if given.turn in candidates(case, anyone):
        return given
    known = 0 <= given.turn < len(case.turns) and case.turns[given.turn].acted
    return invalid("key_of_another_agent" if known else "unknown_turn", [given.turn])


def candidates(case: SocialCase, anyone: bool) -> tuple[int, ...]:
    """The turns among which the key utterance is."""
    if not anyone:
        return tuple(case.own_turns())
    return tuple(i for i, turn in enumerate(case.turns) if turn.acted)
