"""Krippendorff's alpha, for any number of raters and missing values."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np

from adjudge.agreement.statistics.tables import Numbers, midranks, numbered, ratio

Level = Literal["nominal", "ordinal", "interval"]


def alpha(coincidences: Numbers, values: Numbers, level: Level) -> Numbers:
    """Krippendorff's alpha (2011) from coincidence matrices, ``(..., k, k)``.

    Undefined without pairs, and where all values that are paired are one and the same.
    """
    counts = coincidences.sum(axis=-1)
    n = counts.sum(axis=-1)
    if level == "nominal":
        metric = (values[:, None] != values[None, :]).astype(float)
    else:
        places = values if level == "interval" else midranks(counts)
        metric = (places[..., :, None] - places[..., None, :]) ** 2
    observed = (coincidences * metric).sum(axis=(-2, -1))
    expected = (counts[..., :, None] * counts[..., None, :] * metric).sum(axis=(-2, -1))
    return np.asarray(1 - (n - 1) * ratio(observed, expected))


def coincidences_of(tables: Numbers) -> Numbers:
    """The coincidence matrices of two raters' joint tables."""
    return tables + np.swapaxes(tables, -2, -1)


def coincidences(
    units: Sequence[Sequence[Hashable]],
    categories: Sequence[Hashable],
    clusters: Sequence[Hashable] | None = None,
) -> Numbers:
    """One coincidence matrix for each cluster of units, ``(clusters, k, k)``.

    A unit holds the values it was given, by however many raters; fewer than two pair with nothing.
    Without ``clusters`` all units are in one matrix.
    """
    index = {value: i for i, value in enumerate(categories)}
    groups = numbered(clusters) if clusters is not None else np.zeros(len(units), np.int64)
    count = int(groups.max()) + 1 if len(groups) else 1
    matrices = np.zeros((count, len(categories), len(categories)))
    for group, given in zip(groups, units, strict=True):
        if len(given) < 2:
            continue
        counts = np.bincount([index[value] for value in given], minlength=len(categories))
        paired = np.outer(counts, counts) - np.diag(counts)
        matrices[group] += paired / (len(given) - 1)
    return matrices
