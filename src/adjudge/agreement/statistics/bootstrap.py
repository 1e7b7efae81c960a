"""Intervals by resampling whole clusters."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np

from adjudge.agreement.statistics.figure import CONFIDENCE, Figure
from adjudge.agreement.statistics.rates import ONE_CLUSTER
from adjudge.agreement.statistics.student import student_quantile
from adjudge.agreement.statistics.tables import Numbers

RESAMPLES = 2_000
SEED = 20_240_229
_CELLS_AT_ONCE = 4_000_000
_MOST_UNDEFINED = 0.05

Measure = Callable[[Numbers], Numbers]
"""A statistic of sums over clusters: ``(…, whatever) -> (…)``, NaN where it is undefined."""


class Resampled:
    """Sums over clusters, and the same of resamples of the clusters.

    ``sums`` is ``(clusters, whatever)``. All measures of one object see the same resamples, so that
    they can be compared pairwise; ``seed`` makes them the same at every call.
    """

    def __init__(self, sums: Numbers, *, resamples: int = RESAMPLES, seed: int = SEED) -> None:
        self.whole = sums.sum(axis=0)
        self.clusters = len(sums)
        self._sums = sums
        self._resamples = resamples
        self._seed = seed

    @cached_property
    def drawn(self) -> Numbers:
        """The sums of all resamples, ``(resamples, whatever)``.

        Clusters with equal sums are one kind, and it is drawn how often each kind comes: that is
        the same, and there are few kinds where clusters are single pairs.
        """
        flat = self._sums.reshape(self.clusters, -1)
        kinds, counts = np.unique(flat, axis=0, return_counts=True)
        at_once = max(1, _CELLS_AT_ONCE // max(kinds.shape))
        random = np.random.default_rng(self._seed)
        blocks = []
        for start in range(0, self._resamples, at_once):
            size = min(at_once, self._resamples - start)
            times = random.multinomial(self.clusters, counts / self.clusters, size=size)
            blocks.append(times.astype(float) @ kinds)
        return np.concatenate(blocks).reshape(self._resamples, *self._sums.shape[1:])

    def figure(self, measure: Measure, *, n: int, why: str) -> Figure:
        """The measure of all clusters with its interval; ``why`` it may be undefined."""
        value = float(measure(self.whole[None])[0])
        if not math.isfinite(value):
            return Figure(n=n, reason=why)
        if self.clusters < 2:
            return Figure.of(value, n=n, why=why, no_interval=ONE_CLUSTER)
        found = measure(self.drawn)
        defined = found[np.isfinite(found)]
        if len(defined) < (1 - _MOST_UNDEFINED) * len(found):
            return Figure.of(
                value, n=n, why=why, no_interval="undefined in more than 5% of the resamples"
            )
        if np.ptp(defined) == 0:
            return Figure.of(value, n=n, why=why, no_interval="every resample gives the same value")
        tail = expanded_tail(self.clusters)
        low, high = np.quantile(defined, [tail, 1 - tail])
        return Figure.of(value, n=n, why=why, interval=(float(low), float(high)))


def expanded_tail(clusters: int) -> float:
    """The share to cut off at each end of a bootstrap distribution.

    Percentile intervals are too short where there are few clusters; this widens them as Student's t
    widens the normal interval (the "expanded percentile" interval of Hesterberg 2015).

    >>> round(expanded_tail(10), 4), round(expanded_tail(100_000), 4)
    (0.0086, 0.025)
    """
    t = student_quantile((1 + CONFIDENCE) / 2, clusters - 1)
    wide = math.sqrt(clusters / (clusters - 1)) * t
    return math.erfc(wide / math.sqrt(2)) / 2
