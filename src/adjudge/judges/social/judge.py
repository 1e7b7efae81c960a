"""The social judge: how much each utterance of an agent mattered, and the rewards that follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field, field_validator

from adjudge.contract import Decision, Evidence, Judge, Method, Published, Reader, Scale
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.check import check_dialogue
from adjudge.judges.social.dimensions import DIMENSIONS, Dimension, DimensionName
from adjudge.judges.social.facts import SocialFacts
from adjudge.judges.social.formula_table import FormulaName, Values
from adjudge.judges.social.methods import (
    GoalProgressMethod,
    KeyUtteranceMethod,
    OnePassMethod,
    UtteranceMethod,
    WithoutModel,
    Yield,
)
from adjudge.judges.social.published import published
from adjudge.judges.social.readers import ChatReader, NativeReader, SotopiaReader
from adjudge.judges.social.render import Asking

_WIDEST = 10
_SCALE = Scale.ordinal(0, _WIDEST)
_ALIASES = {"default": "direct", "10-scale": "direct_10", "all_the_same": "uniform"}


class SocialJudge(Judge):
    """Scores each utterance of one agent by how much it mattered for the end of the dialogue.

    One case, and one verdict, is an episode seen from one agent. ``scores`` are by turn id, 0 to 3
    or 0 to 10 by method; ``details.credits`` hold each utterance's importance, direction and
    reward. Method names of Sotopia-RL are understood: ``default``, ``10-scale``, ``all_the_same``.
    """

    name: ClassVar[str] = "social"
    version: ClassVar[str] = "1"
    Case: ClassVar[type[BaseModel]] = SocialCase

    agent: str | None = Field(default=None, description="judge only this agent of each episode")
    dimension: DimensionName = Field(
        default="goal", description="the dimension whose outcome and score count"
    )
    formula: FormulaName | None = Field(
        default=None, description="from values to rewards; each method has its own default"
    )
    gamma: float = Field(default=0.9, gt=0, le=1, description="the factor of discounting formulas")
    conserve: bool = Field(
        default=False, description="rescale rewards so that they sum to the episode's score"
    )
    key_first: bool = Field(
        default=False, description="direct, direct_10: find the key utterance before the rest"
    )
    key_candidates: Literal["own", "anyone"] = Field(
        default="own", description="key_utterance: own utterances, or anyone's"
    )
    direction: bool = Field(
        default=False, description="direct, direct_10: ask for good or bad with each importance"
    )
    as_published: bool = Field(
        default=False, description="goal_progress: ask before the utterance, as Sotopia-RL does"
    )
    show_score: bool = Field(default=False, description="tell the model the episode's score")
    background: bool = Field(
        default=False, description="show the model scenario and the agent's background"
    )
    formatting_instruction: str | None = Field(
        default=None, repr=False, description="a text in place of the formatting instruction"
    )

    @field_validator("dimension", mode="before")
    @classmethod
    def _sotopia_names(cls, value: Any) -> Any:
        return next((d.name for d in DIMENSIONS.values() if d.key == value), value)

    def readers(self) -> Mapping[str, Reader]:
        """Format name to reader."""
        readers = (SotopiaReader(self.agent), ChatReader(self.agent), NativeReader(self.agent))
        return {reader.name: reader for reader in readers}

    def scales(self, case: SocialCase) -> Mapping[str, Scale]:
        """Each turn id to its scale: 0 to 10, of which a method's form may allow less."""
        return {str(turn): _SCALE for turn in case.own_turns()}

    def methods(self) -> Mapping[str, Method]:
        """Every method by its name, then by the names that Sotopia-RL has for some."""
        by_response = self._gives("importance", 3, "scaled")
        by_quality = self._gives("importance", 3, "quality")
        progress = self._gives("progress", _WIDEST, "progress")
        asking = self._asking
        made: tuple[Method, ...] = (
            self._one_pass("direct", 3, self.key_first),
            self._one_pass("direct_10", 10, self.key_first),
            self._one_pass("key_first", 3, True),
            KeyUtteranceMethod(
                self._gives("key", 1, "key"), asking, anyone=self.key_candidates == "anyone"
            ),
            UtteranceMethod("only_response", by_response, by_reply=True, asking=asking),
            UtteranceMethod("utterance_quality", by_quality, by_reply=False, asking=asking),
            GoalProgressMethod(progress, asking, self.as_published),
            WithoutModel("discounting", self._gives("none", 1, "discounted"), asking),
            WithoutModel("uniform", self._gives("none", 1, "uniform"), asking),
        )
        methods = {method.name: method for method in made}
        return {**methods, **{alias: methods[name] for alias, name in _ALIASES.items()}}

    def check(self, case: SocialCase) -> Evidence[SocialFacts]:
        """Find the utterances to score, and what in the dialogue is not speech."""
        return check_dialogue(case, self._dimension)

    def publish(
        self, case: SocialCase, evidence: Evidence[SocialFacts], decision: Decision
    ) -> Published:
        """Attributions by Sotopia-RL's keys, a credit an utterance, and the mean reward."""
        return published(
            case,
            evidence.facts,
            decision,
            self._dimension,
            gamma=self.gamma,
            conserve=self.conserve,
        )

    @property
    def _dimension(self) -> Dimension:
        return DIMENSIONS[self.dimension]

    @property
    def _asking(self) -> Asking:
        return Asking(
            dimension=self._dimension,
            show_score=self.show_score,
            background=self.background,
            formatting=self.formatting_instruction,
        )

    def _gives(self, values: Values, top: int, formula: FormulaName) -> Yield:
        return Yield(values=values, top=top, formula=self.formula or formula)

    def _one_pass(self, name: str, top: int, key_first: bool) -> OnePassMethod:
        return OnePassMethod(
            name,
            self._gives("importance", top, "scaled"),
            self._asking,
            directed=self.direction or self.formula == "directed",
            key_first=key_first,
        )
