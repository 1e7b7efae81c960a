"""A number with its interval, or the reason why there is none."""

from __future__ import annotations

import math

from adjudge.contract import Frozen

CONFIDENCE = 0.95


class Figure(Frozen):
    """One statistic over ``n`` pairs: a finite ``value``, or ``None`` and the ``reason``.

    ``low`` and ``high`` are the ends of its 95% interval; where they are ``None`` although there is
    a value, ``reason`` says why there is no interval.

    >>> Figure.of(float("nan"), n=0, why="no pairs")
    Figure(value=None, low=None, high=None, n=0, reason='no pairs')
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int
    reason: str | None = None

    @classmethod
    def of(
        cls,
        value: float,
        *,
        n: int,
        why: str,
        interval: tuple[float, float] | None = None,
        no_interval: str | None = None,
    ) -> Figure:
        """``value`` as a figure; ``why`` it is undefined where it is not finite."""
        if not math.isfinite(value):
            return cls(n=n, reason=why)
        if interval is None:
            return cls(value=float(value), n=n, reason=no_interval)
        return cls(value=float(value), low=float(interval[0]), high=float(interval[1]), n=n)
