"""Pairs of values as joint tables: every measure of two raters is a function of one.

A table is ``(k, k)``: rows are the first rater's values (the judge), columns the second's (the
label), entries counts of pairs. Measures take any number of tables at once, ``(..., k, k)``, and
return as many numbers, NaN where one is undefined: that is what makes resampling cheap. NaN stays
inside this package (see ``Figure``).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]


def joint_tables(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    categories: Sequence[Hashable],
    clusters: Sequence[Hashable] | None = None,
) -> Numbers:
    """One table for each cluster, ``(clusters, k, k)``, in order of first appearance.

    Without ``clusters`` there is one table of all pairs, ``(1, k, k)``. Raises ``KeyError`` for a
    value that is no category.

    >>> joint_tables([0, 1, 1], [0, 1, 0], [0, 1]).tolist()
    [[[1.0, 0.0], [1.0, 1.0]]]
    """
    index = {value: i for i, value in enumerate(categories)}
    groups = numbered(clusters) if clusters is not None else np.zeros(len(first), np.int64)
    count = int(groups.max()) + 1 if len(groups) else (0 if clusters is not None else 1)
    tables = np.zeros((count, len(categories), len(categories)))
    rows = np.array([index[value] for value in first], np.int64)
    columns = np.array([index[value] for value in second], np.int64)
    np.add.at(tables, (groups, rows, columns), 1.0)
    return tables


def numbered(names: Sequence[Hashable]) -> NDArray[np.int64]:
    """Each name's number, in order of first appearance.

    >>> numbered(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(name, len(seen)) for name in names], np.int64)


def totals(tables: Numbers) -> Numbers:
    """Pairs in each table."""
    return np.asarray(tables.sum(axis=(-2, -1)))


def ratio(above: Numbers, below: Numbers) -> Numbers:
    """``above / below``, NaN where ``below`` is 0."""
    above, below = np.broadcast_arrays(above, below)
    return np.asarray(
        np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0), np.float64
    )


def sums_by(groups: NDArray[np.int64], values: ArrayLike) -> Numbers:
    """The sum of ``values`` in each group; groups are numbered from 0."""
    return np.asarray(np.bincount(groups, weights=np.asarray(values, np.float64)), np.float64)


def midranks(counts: Numbers) -> Numbers:
    """The mean rank of each value, ``(..., k)``, where ``counts`` say how often each occurs.

    >>> midranks(np.array([2.0, 0.0, 1.0])).tolist()
    [1.5, 2.5, 3.0]
    """
    return np.asarray(np.cumsum(counts, axis=-1) - counts / 2 + 0.5)
