"""Every statistic is what the field's own libraries say, on random and on degenerate data."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.agreement.statistics.alpha import Level, alpha, coincidences, coincidences_of
from adjudge.agreement.statistics.fine import fine_figures
from adjudge.agreement.statistics.nominal import Weights, ac1, accuracy, kappa, majority
from adjudge.agreement.statistics.ordinal import (
    kendall,
    mean_absolute_error,
    spearman,
    within_one,
)
from adjudge.agreement.statistics.paired import mcnemar
from adjudge.agreement.statistics.rates import wilson
from adjudge.agreement.statistics.student import student_cdf, student_quantile
from adjudge.agreement.statistics.tables import Numbers, joint_tables

stats = pytest.importorskip("scipy.stats")
metrics = pytest.importorskip("sklearn.metrics")
dummy = pytest.importorskip("sklearn.dummy")
krippendorff = pytest.importorskip("krippendorff")
proportion = pytest.importorskip("statsmodels.stats.proportion")
contingency = pytest.importorskip("statsmodels.stats.contingency_tables")

SCALE = [0, 1, 2, 3, 4]
VALUES = np.array(SCALE, float)
Pairs = list[tuple[int, int]]

some_pairs = st.lists(st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), max_size=40)


def degenerate(test: Callable[..., None]) -> Callable[..., None]:
    """Nothing, one pair, one class, one rater constant, ties, opposite raters."""
    for pairs in (
        [],
        [(2, 2)],
        [(1, 3)],
        [(3, 3)] * 7,
        [(4, value) for value in SCALE],
        [(value, 0) for value in SCALE],
        [(0, 0), (0, 1), (1, 0), (1, 1)] * 5,
        [(value, 4 - value) for value in SCALE],
        [(0, 4)] * 6,
    ):
        test = example(pairs=pairs)(test)
    return settings(max_examples=120, deadline=None)(given(pairs=some_pairs)(test))


def table(pairs: Pairs) -> Numbers:
    return joint_tables([a for a, _ in pairs], [b for _, b in pairs], SCALE)


def same(found: Numbers, oracle: Callable[[], Any]) -> None:
    """Equal to the oracle, or undefined where the oracle is, or cannot be computed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = float(oracle())
        except (ValueError, ZeroDivisionError, IndexError):
            expected = math.nan
    [value] = found.tolist()
    assert value == pytest.approx(expected, abs=1e-9, nan_ok=True)


@degenerate
def test_accuracy(pairs: Pairs) -> None:
    first, second = zip(*pairs, strict=True) if pairs else ((), ())
    if pairs:
        same(accuracy(table(pairs)), lambda: metrics.accuracy_score(second, first))
    else:
        assert np.isnan(accuracy(table(pairs))).all()


@degenerate
def test_majority_class_baseline(pairs: Pairs) -> None:
    labels = np.array([b for _, b in pairs])
    if not pairs:
        assert np.isnan(majority(table(pairs))).all()
        return
    blank = np.zeros((len(labels), 1))
    same(
        majority(table(pairs)),
        lambda: dummy.DummyClassifier().fit(blank, labels).score(blank, labels),
    )


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa(weights: Weights) -> None:
    @degenerate
    def check(pairs: Pairs) -> None:
        found = kappa(table(pairs), VALUES, weights)
        if not pairs:
            assert np.isnan(found).all()
            return
        first, second = zip(*pairs, strict=True)
        named = None if weights == "none" else weights
        same(
            found,
            lambda: metrics.cohen_kappa_score(first, second, labels=SCALE, weights=named),
        )

    check()


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_of_two(level: Level) -> None:
    @degenerate
    def check(pairs: Pairs) -> None:
        data = np.array(pairs, float).reshape(-1, 2).T
        same(
            alpha(coincidences_of(table(pairs)), VALUES, level),
            lambda: krippendorff.alpha(
                reliability_data=data, value_domain=SCALE, level_of_measurement=level
            ),
        )

    check()


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_of_many_with_gaps(level: Level) -> None:
    missing_or_not = st.one_of(st.none(), st.sampled_from(SCALE))
    rows = st.lists(st.lists(missing_or_not, min_size=3, max_size=3), max_size=20)

    @example([[None, None, None]] * 3)
    @example([[1, None, None], [None, 2, None]])
    @example([[1, 1, None], [None, 1, 1]])
    @example([[0, 4, None]])
    @settings(max_examples=100, deadline=None)
    @given(rows)
    def check(units: list[list[int | None]]) -> None:
        data = np.array([[math.nan if v is None else v for v in unit] for unit in units])
        found = coincidences([[v for v in unit if v is not None] for unit in units], SCALE)
        same(
            alpha(found, VALUES, level),
            lambda: krippendorff.alpha(
                reliability_data=data.reshape(-1, 3).T,
                value_domain=SCALE,
                level_of_measurement=level,
            ),
        )

    check()


def test_ac1() -> None:
    irr, pandas = pytest.importorskip("irrCAC.raw"), pytest.importorskip("pandas")

    @degenerate
    def check(pairs: Pairs) -> None:
        found = ac1(table(pairs))
        if not pairs:
            assert np.isnan(found).all()
            return
        # irrCAC divides by n - 1; every pair twice has the same AC1
        ratings = pandas.DataFrame(pairs * 2, columns=["judge", "label"])
        [value] = found.tolist()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given_by = irr.CAC(ratings, weights="identity", categories=SCALE).gwet()["est"]
        # irrCAC rounds to five digits
        assert value == pytest.approx(given_by["coefficient_value"], abs=6e-6)

    check()


def test_ac1_needs_two_categories() -> None:
    assert np.isnan(ac1(joint_tables(["yes"], ["yes"], ["yes"]))).all()


@degenerate
def test_spearman(pairs: Pairs) -> None:
    def oracle() -> Any:
        return stats.spearmanr([a for a, _ in pairs], [b for _, b in pairs]).statistic

    same(spearman(table(pairs)), oracle)


@degenerate
def test_kendall(pairs: Pairs) -> None:
    def oracle() -> Any:
        return stats.kendalltau([a for a, _ in pairs], [b for _, b in pairs]).statistic

    same(kendall(table(pairs)), oracle)


@degenerate
def test_distances(pairs: Pairs) -> None:
    def error() -> Any:
        return metrics.mean_absolute_error([b for _, b in pairs], [a for a, _ in pairs])

    same(mean_absolute_error(table(pairs), VALUES), error)
    near = [abs(a - b) <= 1 for a, b in pairs]
    [found] = within_one(table(pairs), VALUES).tolist()
    assert found == pytest.approx(np.mean(near) if near else math.nan, nan_ok=True)


fine = st.one_of(st.sampled_from([0.0, 0.25, 1.0]), st.floats(-3, 3).map(lambda v: round(v, 3)))


@example([(0.5, 0.5)])
@example([(1.0, 2.0)] * 4)
@example([(1.0, 2.0), (1.0, 3.0)])
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(fine, fine), min_size=1, max_size=15))
def test_fine_values(pairs: list[tuple[float, float]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = fine_figures(first, second, [str(i) for i in range(len(pairs))], "undefined")
    values = {n: np.array([math.nan if f.value is None else f.value]) for n, f in found.items()}
    same(values["spearman"], lambda: stats.spearmanr(first, second).statistic)
    same(values["kendall"], lambda: stats.kendalltau(first, second).statistic)
    same(values["mae"], lambda: metrics.mean_absolute_error(second, first))
    same(
        values["alpha_interval"],
        lambda: krippendorff.alpha(
            reliability_data=[first, second], level_of_measurement="interval"
        ),
    )


def test_measures_take_many_tables_at_once() -> None:
    random = np.random.default_rng(1)
    tables = random.integers(0, 5, size=(3, 7, 5, 5)).astype(float)
    measures: list[Callable[[Numbers], Numbers]] = [
        accuracy,
        majority,
        ac1,
        spearman,
        kendall,
        lambda t: kappa(t, VALUES, "quadratic"),
        lambda t: alpha(coincidences_of(t), VALUES, "ordinal"),
        lambda t: mean_absolute_error(t, VALUES),
        lambda t: within_one(t, VALUES),
    ]
    for measure in measures:
        found = measure(tables)
        assert found.shape == (3, 7)
        assert found[2, 3] == pytest.approx(float(measure(tables[2, 3])))


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=100, deadline=None)
def test_wilson(counts: tuple[int, int]) -> None:
    expected = proportion.proportion_confint(*counts, method="wilson")
    assert wilson(*counts) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=100, deadline=None)
def test_mcnemar(first: int, second: int) -> None:
    expected = contingency.mcnemar([[3, first], [second, 4]], exact=True).pvalue
    assert mcnemar(first, second) == pytest.approx(expected, abs=1e-9)


@given(st.floats(-60, 60), st.floats(1, 5000))
@settings(max_examples=200, deadline=None)
def test_student(t: float, freedom: float) -> None:
    # scipy itself is off by some 1e-10 near 0
    assert student_cdf(t, freedom) == pytest.approx(stats.t.cdf(t, freedom), abs=1e-8)


@given(st.floats(0.001, 0.999), st.integers(1, 3000))
@settings(max_examples=100, deadline=None)
def test_student_quantile(probability: float, freedom: int) -> None:
    expected = stats.t.ppf(probability, freedom)
    assert student_quantile(probability, freedom) == pytest.approx(expected, rel=1e-7, abs=1e-7)
