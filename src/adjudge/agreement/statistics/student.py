"""Student's t and the normal distribution, as far as tests and intervals need them."""

from __future__ import annotations

import math
from statistics import NormalDist

_TINY = 1e-300
_CLOSE = 1e-16
_STEPS = 10_000
_HALVINGS = 80


def normal_quantile(probability: float) -> float:
    """The normal deviate below which a share of ``probability`` lies."""
    return NormalDist().inv_cdf(probability)


def student_cdf(t: float, freedom: float) -> float:
    """The probability of a value up to ``t`` with ``freedom`` > 0 degrees of freedom.

    >>> round(student_cdf(2.228138852, 10), 6)
    0.975
    """
    outside, inside = freedom / (freedom + t * t), t * t / (freedom + t * t)
    tail = _incomplete_beta(outside, inside, freedom / 2, 0.5) / 2
    return tail if t < 0 else 1 - tail


def student_quantile(probability: float, freedom: float) -> float:
    """The value below which a share of ``probability`` (0 to 1, exclusive) lies."""
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    high = 1.0
    while student_cdf(high, freedom) < probability:
        high *= 2
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if student_cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22).

    ``rest`` is ``1 - x``, given apart because a small one would be lost in rounding.
    """
    if x <= 0 or rest <= 0:
        return float(rest <= 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(rest, x, b, a)
    log_front = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    )
    # Lentz's way of evaluating a continued fraction from the front
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / _away(1 + even * d), _away(1 + even / c)
        value *= c * d
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / _away(1 + odd * d), _away(1 + odd / c)
        value *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return math.exp(log_front) * value / a


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
