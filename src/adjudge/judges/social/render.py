"""The social judge's questions: what a model is told and shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudge.contract import Message
from adjudge.judges.prompting import as_json, fence, render
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.dimensions import DIMENSIONS, Dimension

_NO_GOAL = "not given"
_NO_REPLY = "No reply followed."


@dataclass(frozen=True, slots=True)
class Asking:
    """How questions are put, whatever the method.

    ``show_score``: the judge is told the episode's score. ``background``: it sees the scenario and
    the chosen agent's background. ``formatting`` stands in place of the formatting instruction.
    """

    dimension: Dimension = DIMENSIONS["goal"]
    show_score: bool = False
    background: bool = False
    formatting: str | None = None

    @property
    def outcome(self) -> str:
        """The outcome in words, as the prompts name it."""
        if self.dimension.name == "goal":
            return "the final achievement of the agent's goal"
        return f"the final outcome on {self.dimension.name} for the agent"


@dataclass(frozen=True, slots=True)
class Shown:
    """The part of a case that one question shows: ``upto`` turns of the dialogue, then blocks."""

    upto: int
    title: str = "Conversation"
    blocks: tuple[tuple[str, str], ...] = ()
    key: int | None = None
    turns: tuple[int, ...] = ()
    asked: str = "Score the utterances at these turns"


def messages(
    case: SocialCase,
    asking: Asking,
    *,
    system: str,
    form: str,
    shown: Shown,
    top: int,
    directed: bool = False,
    anyone: bool = False,
) -> tuple[Message, ...]:
    """The system message and the user message. ``system`` and ``form`` name templates.

    Text from the case is in the user message alone, fenced or as JSON strings.
    """
    rules = render(
        __package__,
        system,
        dimension=asking.dimension,
        outcome=asking.outcome,
        top=top,
        directed=directed,
        anyone=anyone,
    )
    formatting = asking.formatting or render(__package__, form, top=top, directed=directed)
    goal = case.goals.get(case.agent)
    background = case.backgrounds.get(case.agent) if asking.background else None
    user = render(
        __package__,
        "user",
        agent=as_json(case.agent),
        goal=fence(goal) if goal else _NO_GOAL,
        scenario=fence(case.scenario) if asking.background and case.scenario else None,
        background=fence(background) if background else None,
        score=case.score(asking.dimension) if asking.show_score else None,
        dimension=asking.dimension,
        title=shown.title,
        conversation=dialogue(case, range(shown.upto)),
        blocks=shown.blocks,
        key=shown.key,
        top=top,
        turns=shown.turns,
        asked=shown.asked,
        formatting=formatting,
    )
    return Message(role="system", content=rules), Message(role="user", content=user)


def missing_message(turns: Sequence[int]) -> Message:
    """What is said when an answer left out some turns."""
    return Message(role="user", content=render(__package__, "missing", turns=turns))


def dialogue(case: SocialCase, turns: Iterable[int]) -> str:
    """The utterances among ``turns``, one JSON object a line, in a fenced block.

    A line break inside an utterance is an escape, so that no utterance can begin a turn.
    """
    lines = [_line(case, turn) for turn in turns if case.turns[turn].acted]
    return fence("\n".join(lines), "jsonl") if lines else "Nothing has been said yet."


def reply_to(case: SocialCase, turn: int) -> str:
    """The reply to the utterance at ``turn``: what others said before the agent's next one."""
    end = next_own(case, turn)
    replies = [i for i in range(turn + 1, end) if case.turns[i].acted]
    return dialogue(case, replies) if replies else _NO_REPLY


def next_own(case: SocialCase, turn: int) -> int:
    """The turn of the agent's next utterance after ``turn``, or the number of turns."""
    after = range(turn + 1, len(case.turns))
    own = (i for i in after if case.turns[i].acted and case.turns[i].speaker == case.agent)
    return next(own, len(case.turns))


def _line(case: SocialCase, turn: int) -> str:
    given = case.turns[turn]
    act = "said" if given.kind == "speak" else "did"
    return as_json({"turn": turn, "speaker": given.speaker, act: given.shown})
