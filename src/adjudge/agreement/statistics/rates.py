"""Shares of pairs, with Wilson intervals that know that pairs come in clusters."""

from __future__ import annotations

import math

import numpy as np

from adjudge.agreement.statistics.figure import CONFIDENCE, Figure
from adjudge.agreement.statistics.student import normal_quantile, student_quantile
from adjudge.agreement.statistics.tables import Numbers

ONE_CLUSTER = "one cluster: nothing says how much clusters differ"


def wilson(hits: float, n: float, z: float | None = None) -> tuple[float, float]:
    """Wilson's interval (1927) for a share of ``hits`` in ``n`` > 0; both may be fractions.

    >>> [round(end, 3) for end in wilson(9, 10)]
    [0.596, 0.982]
    """
    z = z if z is not None else normal_quantile((1 + CONFIDENCE) / 2)
    share = hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    return low, 1.0 if hits == n else min(1.0, middle + half)


def share(hits: Numbers, counts: Numbers, *, why: str, clustered: bool) -> Figure:
    """The share of hits with its interval; ``hits`` and ``counts`` are by cluster.

    Where pairs are clustered, the interval is Wilson's on the effective number of pairs (the number
    divided by the design effect, which is taken to be at least 1; Kish 1965, Korn and Graubard
    1998), with Student's t for as many clusters. ``why`` there may be no value.
    """
    n, hit = float(counts.sum()), float(hits.sum())
    if n == 0:
        return Figure(n=0, reason=why)
    if not clustered:
        return Figure.of(hit / n, n=int(n), why=why, interval=wilson(hit, n))
    groups = int((counts > 0).sum())
    if groups < 2:
        return Figure.of(hit / n, n=int(n), why=why, no_interval=ONE_CLUSTER)
    least = n / design_effect(hits, counts)
    t = student_quantile((1 + CONFIDENCE) / 2, groups - 1)
    return Figure.of(hit / n, n=int(n), why=why, interval=wilson(hit / n * least, least, t))


def design_effect(hits: Numbers, counts: Numbers) -> float:
    """How many times the variance of a share is that of as many independent pairs; at least 1.

    The share is a ratio of sums over clusters (Cochran 1977, section 11.12). Where nothing varies,
    nothing says how alike a cluster's pairs are, and each cluster counts as one.
    """
    there = counts > 0
    groups = int(there.sum())
    n, hit = float(counts.sum()), float(hits.sum())
    alone = hit / n * (1 - hit / n) / n
    if groups < 2:
        return 1.0
    if alone == 0:
        return n / groups
    off = (hits - hit / n * counts)[there] / n
    return max(1.0, groups / (groups - 1) * float(off @ off) / alone)


def true_positives(tables: Numbers, *, clustered: bool) -> Figure:
    """Of the cases that are successes by their label, the share that the judge calls so.

    ``tables`` are by cluster, ``(clusters, 2, 2)``, with failure before success.
    """
    return share(
        tables[:, 1, 1], tables[:, :, 1].sum(axis=-1), why="no successes", clustered=clustered
    )


def true_negatives(tables: Numbers, *, clustered: bool) -> Figure:
    """Of the cases that are failures by their label, the share that the judge calls so."""
    return share(
        tables[:, 0, 0], tables[:, :, 0].sum(axis=-1), why="no failures", clustered=clustered
    )


def within(tables: Numbers, right: Numbers, *, why: str, clustered: bool) -> Figure:
    """The share of pairs in the cells where ``right``, ``(k, k)``, is 1."""
    hits = (tables * right).sum(axis=(-2, -1))
    return share(hits, np.asarray(tables.sum(axis=(-2, -1))), why=why, clustered=clustered)
