"""Agreement on categories: accuracy, the majority class, Cohen's kappa, Gwet's AC1."""

from __future__ import annotations

from typing import Literal

import numpy as np

from adjudge.agreement.statistics.tables import Numbers, ratio, totals

Weights = Literal["none", "linear", "quadratic"]


def accuracy(tables: Numbers) -> Numbers:
    """The share of pairs that are equal. Undefined without pairs."""
    return ratio(np.trace(tables, axis1=-2, axis2=-1), totals(tables))


def majority(tables: Numbers) -> Numbers:
    """The accuracy of always saying the commonest label. Undefined without pairs."""
    return ratio(tables.sum(axis=-2).max(axis=-1, initial=0.0), totals(tables))


def kappa(tables: Numbers, values: Numbers, weights: Weights = "none") -> Numbers:
    """Cohen's kappa (1960; weighted, 1968), disagreements weighed by the distance of ``values``.

    Undefined without pairs, and where both raters give one and the same value throughout.
    """
    distance = np.abs(values[:, None] - values[None, :])
    weigh = {"none": (distance > 0).astype(float), "linear": distance, "quadratic": distance**2}
    weighed = weigh[weights]
    n = totals(tables)[..., None, None]
    expected = ratio(tables.sum(axis=-1)[..., :, None] * tables.sum(axis=-2)[..., None, :], n)
    return 1 - ratio((weighed * tables).sum(axis=(-2, -1)), (weighed * expected).sum((-2, -1)))


def ac1(tables: Numbers) -> Numbers:
    """Gwet's AC1 (2008) over as many categories as the tables have, used or not.

    Undefined without pairs, and with fewer than two categories.
    """
    k = tables.shape[-1]
    n = totals(tables)
    if k < 2:
        return np.full(n.shape, np.nan)
    shares = ratio(tables.sum(axis=-1) + tables.sum(axis=-2), 2 * n[..., None])
    chance = (shares * (1 - shares)).sum(axis=-1) / (k - 1)
    return ratio(accuracy(tables) - chance, 1 - chance)
