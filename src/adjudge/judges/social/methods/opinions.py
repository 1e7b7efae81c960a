"""What all methods of the social judge share: what they refuse, how they give their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adjudge.contract import Evidence, Opinion, Reply
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.dimensions import Dimension
from adjudge.judges.social.facts import SocialFacts
from adjudge.judges.social.formula_table import FORMULAS, FormulaName, Values

SocialEvidence = Evidence[SocialFacts]

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Yield:
    """What a method gives: the kind of its values, the top of their scale, and its formula."""

    values: Values
    top: int
    formula: FormulaName


def refused(
    name: str, gives: Yield, case: SocialCase, evidence: SocialEvidence, dimension: Dimension
) -> Opinion | None:
    """The opinion on a case that the method cannot judge, before anyone is asked."""
    if gives.values not in FORMULAS[gives.formula].reads:
        fitting = ", ".join(n for n, f in FORMULAS.items() if gives.values in f.reads)
        reason = (
            f"formula_mismatch: {gives.formula} cannot be applied to what {name} gives;"
            f" expected one of {fitting}"
        )
        return Opinion(status="error", reason=reason)
    if not evidence.facts.utterances:
        return Opinion(status="skipped", reason="no_utterances")
    asks_for_goal = gives.values != "none" and dimension.name == "goal"
    if asks_for_goal and not case.goals.get(case.agent):
        return Opinion(status="skipped", reason="no_goal")
    return None


def judged(
    gives: Yield,
    values: Mapping[int, int],
    *,
    directions: Mapping[int, int] | None = None,
    key: int | None = None,
    analysis: str | None = None,
    unscored: Mapping[str, str] | None = None,
) -> Opinion:
    """The opinion that holds these values by turn id."""
    return Opinion(
        scores={str(turn): value for turn, value in sorted(values.items())},
        output={
            "values": gives.values,
            "top": gives.top,
            "formula": gives.formula,
            "directions": {str(t): d for t, d in sorted((directions or {}).items())},
            "key": key,
            "analysis": analysis,
        },
        unscored=unscored or {},
    )


def failed(reply: Reply, turn: int | None = None) -> Opinion:
    """The opinion where a question has no answer; ``turn`` says which one it was about."""
    status = "error" if reply.status == "ok" else reply.status
    reason = reply.reason or "no_answer"
    return Opinion(status=status, reason=reason if turn is None else f"{reason} (turn {turn})")


def invalid(reason: str, turns: Iterable[int]) -> Opinion:
    """The opinion on an answer that names the wrong turns."""
    shown = ", ".join(map(str, dict.fromkeys(turns)))
    return Opinion(status="invalid", reason=f"{reason}: {shown[:_LONGEST]}")
