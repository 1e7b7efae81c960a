"""Agreement on values too fine for tables: each pair is weighed by how often it was drawn.

Weights are ``(resamples, pairs)``; measures return a number for each resample, NaN where one is
undefined. Sums over pairs of pairs are products with a ``(pairs, pairs)`` matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from adjudge.agreement.statistics.bootstrap import RESAMPLES, Resampled
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.statistics.tables import Numbers, numbered, ratio

_MOST_PAIRS = 4_000
_WORK = 2_000_000_000
_FEWEST_RESAMPLES = 200
_NOTHING = 1e-12


def fine_figures(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[str], why: str
) -> dict[str, Figure]:
    """Krippendorff's interval alpha, Spearman's rho, Kendall's tau-b and the mean absolute error;
    ``why`` one may be undefined. Above 4,000 pairs those of ranks are left out."""
    n = len(first)
    x, y = np.asarray(first, float), np.asarray(second, float)
    measures: dict[str, Callable[[Numbers], Numbers]] = {
        "alpha_interval": lambda w: _alpha(w, x, y),
        "mae": lambda w: ratio(w @ np.abs(x - y), w.sum(axis=-1)),
    }
    found: dict[str, Figure] = {}
    if n <= _MOST_PAIRS:
        signs = np.sign(x[:, None] - x[None, :]), np.sign(y[:, None] - y[None, :])
        measures["spearman"] = lambda w: _spearman(w, *signs)
        measures["kendall"] = lambda w: _kendall(w, *signs)
    else:
        left_out = Figure(n=n, reason=f"more than {_MOST_PAIRS:,} pairs of so many values")
        found = {"spearman": left_out, "kendall": left_out}
    members = np.zeros((len(set(clusters)), n))
    members[numbered(clusters), np.arange(n)] = 1
    resamples = max(_FEWEST_RESAMPLES, min(RESAMPLES, _WORK // (n * n)))
    resampled = Resampled(members, resamples=resamples)
    return found | {
        name: resampled.figure(measure, n=n, why=why) for name, measure in measures.items()
    }


def _alpha(w: Numbers, x: Numbers, y: Numbers) -> Numbers:
    middle = x.mean()
    x, y = x - middle, y - middle
    n = 2 * w.sum(axis=-1)
    squares = n * (w @ (x**2 + y**2))
    expected = 2 * (squares - (w @ (x + y)) ** 2)
    expected = np.where(expected > _NOTHING * squares, expected, 0)
    return np.asarray(1 - (n - 1) * ratio(2 * (w @ (x - y) ** 2), expected))


def _spearman(w: Numbers, above: Numbers, right: Numbers) -> Numbers:
    """Ranks less their mean are half of how many more pairs are below than above."""
    rows, columns = w @ above.T / 2, w @ right.T / 2
    spreads = (w * rows**2).sum(axis=-1) * (w * columns**2).sum(axis=-1)
    return ratio((w * rows * columns).sum(axis=-1), np.sqrt(spreads))


def _kendall(w: Numbers, above: Numbers, right: Numbers) -> Numbers:
    concordant = ((w @ (above * right)) * w).sum(axis=-1)
    untied = [((w @ np.abs(signs)) * w).sum(axis=-1) for signs in (above, right)]
    return ratio(concordant, np.sqrt(untied[0]) * np.sqrt(untied[1]))
