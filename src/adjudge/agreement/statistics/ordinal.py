"""Agreement on values that have an order: rank correlations and distances."""

from __future__ import annotations

import numpy as np

from adjudge.agreement.statistics.tables import Numbers, midranks, ratio, totals


def spearman(tables: Numbers) -> Numbers:
    """Spearman's rho with ties. Undefined where either rater gives one value throughout."""
    n = totals(tables)[..., None]
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    first = midranks(rows) - (n + 1) / 2
    second = midranks(columns) - (n + 1) / 2
    together = (first[..., :, None] * second[..., None, :] * tables).sum(axis=(-2, -1))
    spreads = (first**2 * rows).sum(axis=-1) * (second**2 * columns).sum(axis=-1)
    return ratio(together, np.sqrt(spreads))


def kendall(tables: Numbers) -> Numbers:
    """Kendall's tau-b (1945). Undefined where either rater gives one value throughout."""
    n = totals(tables)
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    concordant = (tables * _beyond(tables)).sum(axis=(-2, -1))
    discordant = (tables * _beyond(tables[..., ::-1])[..., ::-1]).sum(axis=(-2, -1))
    pairs = n * (n - 1) / 2
    untied_rows = pairs - (rows * (rows - 1) / 2).sum(axis=-1)
    untied_columns = pairs - (columns * (columns - 1) / 2).sum(axis=-1)
    return ratio(concordant - discordant, np.sqrt(untied_rows) * np.sqrt(untied_columns))


def _beyond(tables: Numbers) -> Numbers:
    """For each cell, how many pairs are in a later row and a later column."""
    from_here = tables[..., ::-1, ::-1].cumsum(axis=-2).cumsum(axis=-1)[..., ::-1, ::-1]
    found = np.zeros_like(tables)
    found[..., :-1, :-1] = from_here[..., 1:, 1:]
    return found


def mean_absolute_error(tables: Numbers, values: Numbers) -> Numbers:
    """The mean distance between the two values. Undefined without pairs."""
    distance = np.abs(values[:, None] - values[None, :])
    return ratio((tables * distance).sum(axis=(-2, -1)), totals(tables))


def within_one(tables: Numbers, values: Numbers) -> Numbers:
    """The share of pairs at most 1 apart. Undefined without pairs."""
    near = np.abs(values[:, None] - values[None, :]) <= 1
    return ratio((tables * near).sum(axis=(-2, -1)), totals(tables))
