"""Two runs over the same cases."""

from __future__ import annotations

import math


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p value of McNemar's test (1947) from the pairs that differ.

    ``only_first`` counts cases that succeed (or are right) in the first run alone. Where no pair
    differs it is 1.

    >>> round(mcnemar(1, 9), 4)
    0.0215
    """
    n, least = only_first + only_second, min(only_first, only_second)
    tail = sum(math.exp(_log_choose(n, i) - n * math.log(2)) for i in range(least + 1))
    return min(1.0, 2 * tail)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
