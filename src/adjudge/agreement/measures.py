"""Which statistics say how two raters agree, by the kind of their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from adjudge.agreement.labels import LabelValue
from adjudge.agreement.statistics import nominal, ordinal
from adjudge.agreement.statistics.alpha import alpha, coincidences_of
from adjudge.agreement.statistics.bootstrap import Resampled
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.statistics.fine import fine_figures
from adjudge.agreement.statistics.rates import within
from adjudge.agreement.statistics.tables import Numbers, joint_tables
from adjudge.contract import Scale

Needs = Literal["categories", "order"]
_MOST_CATEGORIES = 60


@dataclass(frozen=True)
class Measure:
    """A statistic of joint tables and the numbers that their rows stand for.

    Where it is the share of pairs at most ``near`` apart, its interval is Wilson's; any other one
    is by bootstrap.
    """

    name: str
    needs: Needs
    function: Callable[[Numbers, Numbers], Numbers]
    near: float | None = None


MEASURES = (
    Measure("accuracy", "categories", lambda t, v: nominal.accuracy(t), near=0),
    Measure("kappa", "categories", lambda t, v: nominal.kappa(t, v)),
    Measure("alpha_nominal", "categories", lambda t, v: alpha(coincidences_of(t), v, "nominal")),
    Measure("ac1", "categories", lambda t, v: nominal.ac1(t)),
    Measure("kappa_linear", "order", lambda t, v: nominal.kappa(t, v, "linear")),
    Measure("kappa_quadratic", "order", lambda t, v: nominal.kappa(t, v, "quadratic")),
    Measure("alpha_ordinal", "order", lambda t, v: alpha(coincidences_of(t), v, "ordinal")),
    Measure("alpha_interval", "order", lambda t, v: alpha(coincidences_of(t), v, "interval")),
    Measure("spearman", "order", lambda t, v: ordinal.spearman(t)),
    Measure("kendall", "order", lambda t, v: ordinal.kendall(t)),
    Measure("mae", "order", lambda t, v: ordinal.mean_absolute_error(t, v)),
    Measure("within_one", "order", lambda t, v: ordinal.within_one(t, v), near=1),
)


@dataclass(frozen=True)
class Pairs:
    """Pairs of values, each with its cluster."""

    first: Sequence[LabelValue]
    second: Sequence[LabelValue]
    clusters: Sequence[str]

    def __len__(self) -> int:
        return len(self.first)

    def of_numbers(self) -> Pairs:
        """Those of which both values apply."""
        kept = [
            (a, b, c)
            for a, b, c in zip(self.first, self.second, self.clusters, strict=True)
            if a is not None and b is not None
        ]
        first, second, clusters = zip(*kept, strict=True) if kept else ((), (), ())
        return Pairs(first, second, clusters)


@dataclass(frozen=True)
class Values:
    """The values a dimension takes, in order; whether they are few enough to be categories."""

    all: tuple[LabelValue, ...]
    categories: bool
    ordered: bool

    @classmethod
    def of(cls, scale: Scale, seen: Sequence[LabelValue], *, truth: bool) -> Values:
        """Those of ``scale``; of a fine one those that were ``seen``."""
        if truth:
            return cls((False, True), categories=True, ordered=False)
        if scale.kind == "choice":
            null = (None,) if scale.nullable else ()
            return cls((*scale.choices, *null), categories=True, ordered=False)
        null = (None,) if scale.nullable else ()
        if scale.kind == "ordinal" and scale.high - scale.low < _MOST_CATEGORIES:
            numbers = range(int(scale.low), int(scale.high) + 1)
            return cls((*numbers, *null), categories=True, ordered=True)
        found = sorted({v for v in seen if isinstance(v, int | float)})
        return cls((*found, *null), categories=False, ordered=True)


def figures(pairs: Pairs, values: Values) -> dict[str, Figure]:
    """Every measure that fits the values. Measures of order leave out what does not apply."""
    found: dict[str, Figure] = {}
    if values.categories:
        found |= _on_tables("categories", pairs, values.all)
    if values.ordered:
        numbers = [value for value in values.all if value is not None]
        both = pairs.of_numbers()
        found |= _on_tables("order", both, numbers) if values.categories else _finely(both)
    return found


def _on_tables(needs: Needs, pairs: Pairs, names: Sequence[LabelValue]) -> dict[str, Figure]:
    measures = [measure for measure in MEASURES if measure.needs == needs]
    if not len(pairs):
        return {m.name: Figure(n=0, reason="no pairs") for m in measures}
    numbers = np.arange(len(names), dtype=float)
    if needs == "order":
        numbers = np.array([float(v) for v in names if isinstance(v, int | float)])
    tables = joint_tables(pairs.first, pairs.second, names, pairs.clusters)
    clustered = len(tables) < len(pairs)
    resampled = Resampled(tables)
    why = _undefined(pairs)
    found: dict[str, Figure] = {}
    apart = np.abs(numbers[:, None] - numbers[None, :])
    for measure in measures:
        if measure.near is not None:
            right = (apart <= measure.near).astype(float)
            found[measure.name] = within(tables, right, why=why, clustered=clustered)
        else:
            of_tables = partial(_on_numbers, measure, numbers)
            found[measure.name] = resampled.figure(of_tables, n=len(pairs), why=why)
    return found


def _on_numbers(measure: Measure, numbers: Numbers, tables: Numbers) -> Numbers:
    return measure.function(tables, numbers)


def _finely(pairs: Pairs) -> dict[str, Figure]:
    if not len(pairs):
        return {name: Figure(n=0, reason="no pairs") for name in ("alpha_interval", "mae")}
    first, second = (
        [float(v) for v in side if isinstance(v, int | float)]
        for side in (pairs.first, pairs.second)
    )
    return fine_figures(first, second, pairs.clusters, _undefined(pairs))


def _undefined(pairs: Pairs) -> str:
    """Why a measure of these pairs may be undefined."""
    judge, labels = set(pairs.first), set(pairs.second)
    if len(judge) == 1 and len(labels) == 1:
        same = "judge and labels give one and the same value"
        return same if judge == labels else "one value on each side"
    if len(judge) == 1:
        return "the judge gives one value throughout"
    if len(labels) == 1:
        return "all labels are the same"
    return "undefined"
