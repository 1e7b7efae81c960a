"""A run's success rate where only part of it is labelled, corrected for the judge's errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.statistics.figure import CONFIDENCE, Figure
from adjudge.agreement.statistics.rates import ONE_CLUSTER
from adjudge.agreement.statistics.student import normal_quantile, student_quantile
from adjudge.agreement.statistics.tables import Numbers, sums_by


@dataclass(frozen=True)
class PartlyLabelled:
    """Successes by the judge and by label, 0 or 1, of the labelled part; by the judge of the rest.

    ``cluster`` and ``rest_cluster`` number the cluster of each case, over both parts alike.
    """

    judged: Numbers
    labels: Numbers
    rest: Numbers
    cluster: NDArray[np.int64]
    rest_cluster: NDArray[np.int64]

    @property
    def total(self) -> int:
        """Cases in both parts."""
        return len(self.judged) + len(self.rest)

    @property
    def clusters(self) -> int:
        """Clusters in both parts."""
        return len(np.unique(np.concatenate([self.cluster, self.rest_cluster])))

    @property
    def clustered(self) -> bool:
        """Whether some cluster has several cases."""
        return self.clusters < self.total

    def by_cluster(self, labelled: Numbers, rest: Numbers) -> Numbers:
        """Sums over clusters of one number a case."""
        every = np.concatenate([self.cluster, self.rest_cluster])
        groups = np.asarray(np.unique(every, return_inverse=True)[1], np.int64)
        return sums_by(groups, np.concatenate([labelled, rest]))


def rogan_gladen(positive: float, true_positive: float, true_negative: float) -> float:
    """The true share of successes where a judge calls a share ``positive`` so (Rogan, Gladen 1978).

    NaN where the judge is no better than chance: the two rates sum to 1 or less.

    >>> round(rogan_gladen(0.5, 0.9, 0.8), 4)
    0.4286
    """
    better = true_positive + true_negative - 1
    if not better > 0:
        return math.nan
    return min(1.0, max(0.0, (positive + true_negative - 1) / better))


def corrected_rate(part: PartlyLabelled) -> Figure:
    """The success rate of all cases: the labelled part by its labels, the rest by Rogan-Gladen.

    The interval is that of Lee et al. (2025, arXiv 2511.21140), which knows how well the two rates
    are known, with the labelled part's own uncertainty added. Where cases are clustered its
    variance is multiplied by the design effect, and Student's t takes the place of the normal.
    """
    n = part.total
    if len(part.labels) == 0:
        return Figure(n=n, reason="nothing is labelled")
    weight = len(part.labels) / n
    mean = float(part.labels.mean())
    if weight == 1.0:
        return _with_interval(part, mean, mean, 0.0, 0.0)
    successes, failures = float(part.labels.sum()), float((1 - part.labels).sum())
    if not successes or not failures:
        missing = "successes" if not successes else "failures"
        return Figure(n=n, reason=f"no {missing} among the labelled: a rate of errors is unknown")
    tpr = float((part.judged * part.labels).sum()) / successes
    tnr = float(((1 - part.judged) * (1 - part.labels)).sum()) / failures
    rate = rogan_gladen(float(part.rest.mean()), tpr, tnr)
    if math.isnan(rate):
        return Figure(n=n, reason="the judge is no better than chance on the labelled part")
    return _with_interval(part, weight * mean + (1 - weight) * rate, mean, tpr, tnr)


def _with_interval(
    part: PartlyLabelled, value: float, mean: float, tpr: float, tnr: float
) -> Figure:
    """``value`` with the interval around it; with smoothed rates, since one of 1 is not certain."""
    n, labelled, others = part.total, len(part.labels), len(part.rest)
    if part.clustered and part.clusters < 2:
        return Figure.of(value, n=n, why="", no_interval=ONE_CLUSTER)
    level = (1 + CONFIDENCE) / 2
    z = student_quantile(level, part.clusters - 1) if part.clustered else normal_quantile(level)
    weight = labelled / n
    smooth = (labelled * mean + z * z / 2) / (labelled + z * z)
    middle = weight * smooth
    variance = weight**2 * smooth * (1 - smooth) / (labelled + z * z)
    if others:
        positive = (float(part.rest.sum()) + z * z / 2) / (others + z * z)
        successes = float(part.labels.sum())
        m1, m0 = successes + 2, labelled - successes + 2
        q1, q0 = (tpr * successes + 1) / m1, (tnr * (labelled - successes) + 1) / m0
        better = q1 + q0 - 1
        if not better > 0:
            return Figure.of(value, n=n, why="", no_interval="too little is labelled to tell")
        rate = (positive + q0 - 1) / better
        of_q0, of_q1 = q0 * (1 - q0) / m0, q1 * (1 - q1) / m1
        shift = 2 * z * z * (rate * of_q1 - (1 - rate) * of_q0)
        spread = positive * (1 - positive) / (others + z * z)
        spread += (1 - rate) ** 2 * of_q0 + rate**2 * of_q1
        middle += (1 - weight) * (rate + shift)
        variance += (1 - weight) ** 2 * spread / better**2
    half = z * math.sqrt(variance * (_effect(part, mean, tpr, tnr) if part.clustered else 1.0))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Figure.of(value, n=n, why="", interval=(min(low, value), max(high, value)))


def _effect(part: PartlyLabelled, mean: float, tpr: float, tnr: float) -> float:
    """The design effect of the estimate, at least 1, from each case's influence on it."""
    labelled, weight = len(part.labels), len(part.labels) / part.total
    own = weight * (part.labels - mean) / labelled
    others = part.rest
    if len(others):
        better, positive = tpr + tnr - 1, float(part.rest.mean())
        rate = (positive + tnr - 1) / better
        successes = float(part.labels.sum())
        of_tpr = part.labels * (part.judged - tpr) / successes
        of_tnr = (1 - part.labels) * (1 - part.judged - tnr) / (labelled - successes)
        own = own + (1 - weight) * ((1 - rate) * of_tnr - rate * of_tpr) / better
        others = (1 - weight) * (others - positive) / len(others) / better
    alone = float(own @ own + others @ others)
    if alone == 0:
        return 1.0
    sums = part.by_cluster(own, others)
    return max(1.0, part.clusters / (part.clusters - 1) * float(sums @ sums) / alone)


def powered_rate(part: PartlyLabelled) -> Figure:
    """The success rate by prediction-powered inference, PPI++ (Angelopoulos et al. 2023).

    The labels' mean, corrected by how the judge sees the rest, as far as that helps. It assumes
    that the labelled cases were drawn at random. The variance sums over clusters.
    """
    n, labelled, others = part.total, len(part.labels), len(part.rest)
    if labelled < 2:
        return Figure(n=n, reason="fewer than two cases are labelled")
    power = tuned_power(part)
    value = float(part.labels.mean())
    own = (part.labels - power * part.judged) - float(np.mean(part.labels - power * part.judged))
    rest = np.zeros(0)
    if others:
        value += power * float(part.rest.mean() - part.judged.mean())
        rest = power * (part.rest - part.rest.mean()) / others
    value = min(1.0, max(0.0, value))
    sums = part.by_cluster(own / labelled, rest)
    if len(sums) < 2:
        return Figure.of(value, n=n, why="", no_interval=ONE_CLUSTER)
    level = (1 + CONFIDENCE) / 2
    z = student_quantile(level, len(sums) - 1) if part.clustered else normal_quantile(level)
    half = z * math.sqrt(len(sums) / (len(sums) - 1) * float(sums @ sums))
    if half == 0:
        return Figure.of(value, n=n, why="", no_interval="the labelled cases do not differ")
    return Figure.of(value, n=n, why="", interval=(max(0.0, value - half), min(1.0, value + half)))


def tuned_power(part: PartlyLabelled) -> float:
    """How much the judge is made use of, 0 to 1: the power that makes the variance least."""
    labelled, others = len(part.labels), len(part.rest)
    spread = float(np.var(np.concatenate([part.judged, part.rest]), ddof=1))
    if not others or spread == 0:
        return 0.0
    together = float(np.cov(part.labels, part.judged)[0, 1])
    return min(1.0, max(0.0, together / ((1 + labelled / others) * spread)))
