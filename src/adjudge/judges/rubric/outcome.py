"""Success and reward of a case, from its scores."""

from __future__ import annotations

from adjudge.contract import Scores
from adjudge.judges.rubric.compiled import Compiled
from adjudge.judges.rubric.expressions import Budget, evaluate, is_true


def success_of(compiled: Compiled, scores: Scores) -> bool | None:
    """What the rubric's ``success`` comes to; ``None`` without one, or where a dimension in it has
    no score."""
    formula = compiled.success
    if formula is None or any(name not in scores for name in formula.names):
        return None
    return is_true(evaluate(formula.node, scores, Budget()))


def reward_of(compiled: Compiled, scores: Scores) -> float | None:
    """What the rubric's ``reward`` comes to; ``None`` where that is no number.

    Without one the mean of the numbers, each taken as its share of its scale; what does not apply
    is left out, and where a dimension has no score there is no reward.
    """
    formula = compiled.reward
    if formula is not None:
        if any(name not in scores for name in formula.names):
            return None
        value = evaluate(formula.node, scores, Budget())
        return float(value) if isinstance(value, int | float) else None
    shares: list[float] = []
    for name, scale in compiled.scales.items():
        if scale.kind == "choice":
            continue
        if name not in scores:
            return None
        score = scores[name]
        if isinstance(score, int | float):
            shares.append((score - scale.low) / (scale.high - scale.low))
    return sum(shares) / len(shares) if shares else None
