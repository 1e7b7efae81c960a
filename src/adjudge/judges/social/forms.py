"""What a model is asked to fill in: one form a method, whatever the dialogue."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

_ANALYSIS = "in brief, what decided the outcome and which utterances brought it about"
_TURN = "the number of the turn"
_GOOD_OR_BAD = "good if it worked for the agent, bad if it worked against it"
_LOW_TOP, _HIGH_TOP, _LEVELS = 3, 10, 10

Direction = Literal["good", "bad"]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True)


class ThreeScore(_Form):
    """An utterance's importance from 0 to 3."""

    turn: int = Field(strict=True, description=_TURN)
    importance: int = Field(ge=0, le=_LOW_TOP, strict=True, description="an integer from 0 to 3")


class TenScore(_Form):
    """An utterance's importance from 0 to 10."""

    turn: int = Field(strict=True, description=_TURN)
    importance: int = Field(ge=0, le=_HIGH_TOP, strict=True, description="an integer from 0 to 10")


class DirectedThreeScore(ThreeScore):
    """The same with its direction."""

    direction: Direction = Field(description=_GOOD_OR_BAD)


class DirectedTenScore(TenScore):
    """The same with its direction."""

    direction: Direction = Field(description=_GOOD_OR_BAD)


class ThreeScores(_Form):
    """Importances of several utterances, 0 to 3."""

    analysis: str = Field(description=_ANALYSIS)
    scores: list[ThreeScore]


class TenScores(_Form):
    """Importances of several utterances, 0 to 10."""

    analysis: str = Field(description=_ANALYSIS)
    scores: list[TenScore]


class DirectedThreeScores(_Form):
    """Importances and directions of several utterances, 0 to 3."""

    analysis: str = Field(description=_ANALYSIS)
    scores: list[DirectedThreeScore]


class DirectedTenScores(_Form):
    """Importances and directions of several utterances, 0 to 10."""

    analysis: str = Field(description=_ANALYSIS)
    scores: list[DirectedTenScore]


Score = ThreeScore | TenScore
Scores = ThreeScores | TenScores | DirectedThreeScores | DirectedTenScores


def scores_form(top: int, directed: bool) -> type[Scores]:
    """The form for importances from 0 to ``top`` (3 or 10)."""
    if directed:
        return DirectedThreeScores if top == _LOW_TOP else DirectedTenScores
    return ThreeScores if top == _LOW_TOP else TenScores


class KeyUtterance(_Form):
    """The most critical utterance."""

    analysis: str = Field(description=_ANALYSIS)
    turn: int = Field(strict=True, description="the number of the most critical turn")
    direction: Direction = Field(description=_GOOD_OR_BAD)


class UtteranceImportance(_Form):
    """The importance of the one utterance asked about, 0 to 3."""

    analysis: str = Field(description="in brief, why this importance")
    importance: int = Field(ge=0, le=_LOW_TOP, strict=True, description="an integer from 0 to 3")


class GoalLevel(_Form):
    """How far the goal is reached, 0 to 10."""

    analysis: str = Field(description="in brief, what of the goal is reached and what is not")
    progress: int = Field(ge=0, le=_LEVELS, strict=True, description="an integer from 0 to 10")


def sign(direction: Direction) -> int:
    """1 for good, -1 for bad."""
    return 1 if direction == "good" else -1
