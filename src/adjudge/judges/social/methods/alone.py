"""Methods ``discounting`` and ``uniform``: rewards by position, with no model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.contract import Ask, Opinion, Reply
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.methods.opinions import SocialEvidence, Yield, judged, refused
from adjudge.judges.social.render import Asking

_NOT_JUDGED = "no_importance"


@dataclass(frozen=True, slots=True)
class WithoutModel:
    """Gives no importances: the rewards follow from the order and the episode's score alone."""

    name: str
    gives: Yield
    asking: Asking
    needs_model: bool = False
    max_rounds: int = 0

    def step(
        self, case: SocialCase, evidence: SocialEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The opinion; ``skipped`` where there is no utterance or no score to share out."""
        refusal = refused(self.name, self.gives, case, evidence, self.asking.dimension)
        if refusal is not None:
            return refusal
        if evidence.facts.score is None:
            return Opinion(status="skipped", reason="no_score")
        unscored = {str(turn): _NOT_JUDGED for turn in evidence.facts.ids}
        return judged(self.gives, {}, unscored=unscored)
