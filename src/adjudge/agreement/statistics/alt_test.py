"""The alternative annotator test: may the judge stand in for a person?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from adjudge.agreement.statistics.student import student_cdf
from adjudge.contract import Frozen

ANNOTATORS = 3
CASES_EACH = 30
EPSILON = 0.2
FALSE_DISCOVERIES = 0.05

Values = Mapping[str, float | str]
"""One annotator's values by case."""


class AltTest(Frozen):
    """What the test found, or the ``reason`` why it could not be made.

    ``winning_rate`` is the share of ``annotators`` whom the judge matches at least as well as they
    match their colleagues, less ``epsilon``; from 0.5 on the judge passes. ``advantage`` is the
    mean probability that the judge is as close to the others as the person it stands in for.
    """

    winning_rate: float | None = None
    advantage: float | None = None
    p_values: dict[str, float] = {}
    epsilon: float
    reason: str | None = None

    @property
    def passed(self) -> bool | None:
        """Whether the judge may stand in, or ``None`` where that is not known."""
        return None if self.winning_rate is None else self.winning_rate >= 0.5


def alt_test(
    judge: Values, people: Mapping[str, Values], *, ordered: bool, epsilon: float = EPSILON
) -> AltTest:
    """Calderon, Reichart and Dror (2025, arXiv 2501.10970), with Student's t for each annotator and
    the procedure of Benjamini and Yekutieli over them.

    A value's closeness to others' is minus the root mean square distance where values are
    ``ordered``, else the share that equals it. ``epsilon`` is what a judge's lower cost is worth:
    0.2 in place of experts, 0.15 of skilled, 0.1 of crowd workers. At least 3 annotators with 30
    shared cases each are needed.
    """
    values: dict[str, dict[str, float | str]] = {}
    for name, given in people.items():
        for case, value in given.items():
            if case in judge:
                values.setdefault(case, {})[name] = value
    shared = {case: given for case, given in values.items() if len(given) >= 2}
    p_values: dict[str, float] = {}
    advantages: list[float] = []
    for name in people:
        mine = [(judge[case], given) for case, given in shared.items() if name in given]
        if len(mine) < CASES_EACH:
            continue
        judge_wins, person_wins = [], []
        for verdict, given in mine:
            others = [value for other, value in given.items() if other != name]
            judges = _closeness(verdict, others, ordered)
            persons = _closeness(given[name], others, ordered)
            judge_wins.append(judges >= persons)
            person_wins.append(persons >= judges)
        behind = np.array(person_wins, float) - np.array(judge_wins, float)
        p_values[name] = p_below(behind, epsilon)
        advantages.append(float(np.mean(judge_wins)))
    if len(p_values) < ANNOTATORS:
        why = f"needs {ANNOTATORS} annotators with {CASES_EACH} shared cases each"
        return AltTest(epsilon=epsilon, reason=f"{why}, has {len(p_values)}")
    rejected = yekutieli(list(p_values.values()), FALSE_DISCOVERIES)
    return AltTest(
        winning_rate=sum(rejected) / len(rejected),
        advantage=float(np.mean(advantages)),
        p_values=p_values,
        epsilon=epsilon,
    )


def _closeness(value: float | str, others: Sequence[float | str], ordered: bool) -> float:
    if not ordered:
        return sum(value == other for other in others) / len(others)
    return -math.sqrt(sum((float(value) - float(other)) ** 2 for other in others) / len(others))


def p_below(differences: np.ndarray, bound: float) -> float:
    """The one-sided p value that the mean of two or more ``differences`` is below ``bound``."""
    spread = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    above = float(differences.mean()) - bound
    if spread == 0:
        return float(above >= 0)
    return student_cdf(above / spread, len(differences) - 1)


def yekutieli(p_values: Sequence[float], rate: float) -> list[bool]:
    """Which hypotheses are rejected at a false discovery ``rate`` (Benjamini, Yekutieli 2001)."""
    m = len(p_values)
    harmonic = sum(1 / i for i in range(1, m + 1))
    ranked = sorted(p_values)
    passing = [p for i, p in enumerate(ranked, start=1) if p <= i * rate / (m * harmonic)]
    return [bool(passing) and p <= passing[-1] for p in p_values]
