"""How people agree among themselves, which is the most that can be asked of a judge."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from adjudge.agreement.labels import LabelValue
from adjudge.agreement.measures import Values
from adjudge.agreement.statistics.alpha import Level, alpha, coincidences
from adjudge.agreement.statistics.bootstrap import Resampled
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.statistics.rates import share
from adjudge.agreement.statistics.tables import numbered, sums_by
from adjudge.agreement.units import Heading, Unit, Unjudged, value_of
from adjudge.contract import Frozen


class Together(Frozen):
    """How some raters agree: the share of pairs of them that give one value, and Krippendorff's
    alpha at ``level``."""

    equal: Figure
    alpha: Figure
    level: Level


class People(Frozen):
    """``among``: the annotators with each other; ``with_judge``: the judge with each of them, over
    the same units. ``units`` were labelled by two or more."""

    annotators: dict[str, int]
    units: int
    among: Together
    with_judge: Together


def people(heading: Heading, labelled: Sequence[Unit], values: Values) -> People:
    """The agreement of a heading's annotators. Values that do not apply are left out of alpha
    where values have an order."""
    shared = [
        unit for unit in labelled if len(unit.labels) > 1 and not isinstance(unit.judged, Unjudged)
    ]
    clusters = [unit.cluster for unit in shared]
    everyone = [list(unit.labels.values()) for unit in shared]
    return People(
        annotators={
            name: sum(name in unit.labels for unit in labelled) for name in heading.annotators
        },
        units=len(shared),
        among=_together(
            [list(combinations(given, 2)) for given in everyone], everyone, clusters, values
        ),
        with_judge=_together(
            [[(value_of(unit), value) for value in unit.labels.values()] for unit in shared],
            None,
            clusters,
            values,
        ),
    )


def _together(
    pairs: Sequence[Sequence[tuple[LabelValue, LabelValue]]],
    raters: Sequence[Sequence[LabelValue]] | None,
    clusters: Sequence[str],
    values: Values,
) -> Together:
    """Of pairs by unit; alpha over all ``raters`` of a unit at once, or over each pair alone."""
    level: Level = "ordinal" if values.ordered else "nominal"
    if not pairs:
        nothing = Figure(n=0, reason="nothing is labelled by two")
        return Together(equal=nothing, alpha=nothing, level=level)
    if not values.categories:
        many = Figure(n=len(pairs), reason="too many different values")
        return Together(equal=many, alpha=many, level=level)
    groups = numbered(clusters)
    counts = np.bincount(groups).astype(float)
    equal = [sum(a == b for a, b in given) / len(given) for given in pairs]
    names = [value for value in values.all if value is not None or not values.ordered]
    rated = (
        [(c, given) for c, given in zip(clusters, raters, strict=True)]
        if raters
        else [(c, pair) for c, given in zip(clusters, pairs, strict=True) for pair in given]
    )
    matrices = coincidences(
        [[value for value in given if value in names] for _, given in rated],
        names,
        [cluster for cluster, _ in rated],
    )
    numbers = np.arange(len(names), dtype=float)
    return Together(
        equal=share(
            sums_by(groups, equal),
            counts,
            why="no pairs",
            clustered=len(counts) < len(pairs),
        ),
        alpha=Resampled(matrices).figure(
            lambda sums: alpha(sums, numbers, level), n=len(pairs), why="only one value occurs"
        ),
        level=level,
    )
