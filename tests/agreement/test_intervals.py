"""Intervals: clustered, corrected, paired; and what cannot be said is said, never NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.agreement.measures import Pairs, Values, figures
from adjudge.agreement.statistics.alt_test import alt_test, p_below, yekutieli
from adjudge.agreement.statistics.bootstrap import Resampled
from adjudge.agreement.statistics.corrected import (
    PartlyLabelled,
    corrected_rate,
    powered_rate,
    rogan_gladen,
    tuned_power,
)
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.statistics.nominal import kappa
from adjudge.agreement.statistics.rates import (
    design_effect,
    share,
    true_negatives,
    true_positives,
    wilson,
)
from adjudge.agreement.statistics.tables import Numbers, joint_tables, numbered, sums_by
from adjudge.contract import Scale

stats = pytest.importorskip("scipy.stats")
metrics = pytest.importorskip("sklearn.metrics")
api = pytest.importorskip("statsmodels.api")
multitest = pytest.importorskip("statsmodels.stats.multitest")

TWO = np.array([0.0, 1.0])
FIVE = Scale.ordinal(1, 5, nullable=True)


def part(
    judged: Any, labels: Any, rest: Any, cluster: Any = None, rest_cluster: Any = None
) -> PartlyLabelled:
    n, others = len(labels), len(rest)
    groups = [*(range(n) if cluster is None else cluster)]
    groups += [*(range(n, n + others) if rest_cluster is None else rest_cluster)]
    numbers = numbered(groups)
    return PartlyLabelled(
        np.array(judged, float),
        np.array(labels, float),
        np.array(rest, float),
        numbers[:n],
        numbers[n:],
    )


def drawn(seed: int, n: int, others: int, clusters: int | None = None) -> PartlyLabelled:
    random = np.random.default_rng(seed)
    truth = random.random(n + others) < 0.6
    judged = np.where(random.random(n + others) < 0.85, truth, ~truth)
    groups = random.integers(0, clusters, n + others) if clusters else np.arange(n + others)
    return part(judged[:n], truth[:n], judged[n:], groups[:n], groups[n:])


def sound(figure: Figure) -> None:
    """A finite value inside its interval, or a reason."""
    if figure.value is None:
        assert figure.reason
        assert figure.low is None
        assert figure.high is None
        return
    assert math.isfinite(figure.value)
    if figure.low is None or figure.high is None:
        assert figure.reason
    else:
        assert figure.low - 1e-9 <= figure.value <= figure.high + 1e-9


values = st.one_of(st.none(), st.integers(1, 5))
clustered_pairs = st.lists(st.tuples(values, values, st.sampled_from("abcd")), max_size=25)


@example([])
@example([(3, 3, "a")])
@example([(None, None, "a")] * 4)
@example([(None, 2, "a"), (3, None, "b")])
@example([(1, 1, "a"), (1, 1, "b"), (1, 1, "c")])
@example([(1, 5, "a"), (2, 5, "b"), (3, 5, "b")])
@given(clustered_pairs)
@settings(max_examples=60, deadline=None)
def test_every_figure_is_a_number_or_a_reason(
    pairs: list[tuple[int | None, int | None, str]],
) -> None:
    first, second, clusters = zip(*pairs, strict=True) if pairs else ((), (), ())
    names = Values.of(FIVE, [*first, *second], truth=False)
    found = figures(Pairs(first, second, clusters), names)
    assert set(found) >= {"accuracy", "kappa_quadratic", "alpha_ordinal", "spearman", "mae"}
    for name, figure in found.items():
        if name != "accuracy" and name != "within_one" and figure.low is not None:
            assert figure.value is not None  # a percentile interval need not hold the value
            continue
        sound(figure)
    assert found["accuracy"].n == len(pairs)
    both = [p for p in pairs if p[0] is not None and p[1] is not None]
    assert found["mae"].n == len(both)


def test_reasons_say_what_is_wrong() -> None:
    scale = Scale.ordinal(0, 4)

    def of(first: list[int], second: list[int]) -> Mapping[str, Figure]:
        clusters = [str(i) for i in range(len(first))]
        names = Values.of(scale, [*first, *second], truth=False)
        return figures(Pairs(first, second, clusters), names)

    assert of([], [])["kappa"].reason == "no pairs"
    same = of([3, 3], [3, 3])["alpha_nominal"]
    assert same.reason == "judge and labels give one and the same value"
    assert of([4, 4], [1, 2])["spearman"].reason == "the judge gives one value throughout"
    assert of([1, 2], [4, 4])["kendall"].reason == "all labels are the same"
    assert of([4, 4], [1, 2])["kappa"].value == 0
    assert of([2], [2])["accuracy"].value == 1


def test_fine_scales_are_compared_by_order_alone() -> None:
    random = np.random.default_rng(2)
    first = [float(v) for v in random.random(80)]
    second = [v + float(random.normal()) * 0.2 for v in first]
    scale = Scale.real(-1, 2)
    names = Values.of(scale, [*first, *second], truth=False)
    found = figures(Pairs(first, second, [str(i) for i in range(80)]), names)
    assert "kappa" not in found
    assert found["spearman"].value == pytest.approx(stats.spearmanr(first, second).statistic)
    assert found["kendall"].value == pytest.approx(stats.kendalltau(first, second).statistic)
    apart = np.abs(np.array(first) - np.array(second)).mean()
    assert found["mae"].value == pytest.approx(apart)


def test_bootstrap_is_that_of_scipy_where_clusters_are_single_pairs() -> None:
    random = np.random.default_rng(3)
    label = random.integers(0, 2, 250)
    judge = np.where(random.random(250) < 0.8, label, 1 - label)
    tables = joint_tables(judge.tolist(), label.tolist(), [0, 1], range(250))
    ours = Resampled(tables).figure(lambda t: kappa(t, TWO), n=250, why="")
    theirs = stats.bootstrap(
        (judge, label),
        metrics.cohen_kappa_score,
        paired=True,
        vectorized=False,
        n_resamples=600,
        method="percentile",
        random_state=np.random.default_rng(4),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03)


def test_whole_clusters_are_drawn() -> None:
    label = [0, 1] * 20
    judge = [0, 1] * 10 + [1, 0] * 10
    alone = joint_tables(judge, label, [0, 1], range(40))
    together = joint_tables(judge, label, [0, 1], [i // 10 for i in range(40)])
    narrow, wide = (
        Resampled(tables).figure(lambda t: kappa(t, TWO), n=40, why="")
        for tables in (alone, together)
    )
    assert narrow.value == wide.value
    assert width(wide) > 1.5 * width(narrow)
    one = joint_tables(judge, label, [0, 1], ["same"] * 40)
    figure = Resampled(one).figure(lambda t: kappa(t, TWO), n=40, why="")
    assert figure.low is None
    assert "one cluster" in str(figure.reason)


def width(figure: Figure) -> float:
    assert figure.low is not None
    assert figure.high is not None
    return figure.high - figure.low


def test_resamples_are_the_same_at_every_call() -> None:
    tables = np.random.default_rng(5).integers(0, 4, (12, 2, 2)).astype(float)

    def measure(drawn: Numbers) -> Numbers:
        return kappa(drawn, TWO)

    first, second = (Resampled(tables).figure(measure, n=1, why="") for _ in range(2))
    assert first == second


@given(st.integers(0, 10_000), st.integers(2, 12))
@settings(max_examples=40, deadline=None)
def test_design_effect_is_that_of_a_clustered_regression(seed: int, clusters: int) -> None:
    random = np.random.default_rng(seed)
    groups = numbered(random.integers(0, clusters, 60).tolist())
    hits = (random.random(60) < random.random(clusters)[groups]).astype(float)
    counts = np.bincount(groups).astype(float)
    share_of = hits.mean()
    if len(counts) < 2 or share_of in (0, 1):
        return
    fit = api.OLS(hits, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    times = fit.bse[0] ** 2 / (share_of * (1 - share_of) / 60)
    assert design_effect(sums_by(groups, hits), counts) == pytest.approx(max(1.0, times))


def test_shares_of_single_pairs_have_wilson_intervals() -> None:
    tables = joint_tables([1] * 9 + [0] * 6, [1] * 8 + [0] * 7, [0, 1], range(15))
    positive, negative = (
        true_positives(tables, clustered=False),
        true_negatives(tables, clustered=False),
    )
    assert (positive.low, positive.high) == wilson(8, 8)
    assert (negative.low, negative.high) == wilson(6, 7)
    assert (positive.n, negative.n) == (8, 7)
    nothing = true_negatives(joint_tables([1], [1], [0, 1], ["a"]), clustered=False)
    assert nothing == Figure(n=0, reason="no failures")


def test_a_share_without_variation_counts_clusters_as_one() -> None:
    counts = np.array([10.0, 10.0, 10.0])
    figure = share(counts, counts, why="", clustered=True)
    assert figure.value == 1
    assert figure.low is not None
    assert figure.low < wilson(30, 30)[0]


@pytest.mark.parametrize(
    ("positive", "tpr", "tnr", "rate"),
    [(0.5, 0.9, 0.8, 3 / 7), (0.1, 0.9, 0.8, 0), (1, 0.9, 0.9, 1), (0.3, 1, 1, 0.3)],
)
def test_rogan_gladen(positive: float, tpr: float, tnr: float, rate: float) -> None:
    assert rogan_gladen(positive, tpr, tnr) == pytest.approx(rate)


def test_rogan_gladen_of_a_useless_judge_is_undefined() -> None:
    assert math.isnan(rogan_gladen(0.5, 0.5, 0.5))
    figure = corrected_rate(part([1, 0] * 10, [1, 1, 0, 0] * 5, [1] * 30))
    assert figure.value is None
    assert figure.reason == "the judge is no better than chance on the labelled part"


def test_corrected_interval_is_that_of_lee_where_little_is_labelled() -> None:
    sample = drawn(7, 200, 50_000)
    figure = corrected_rate(sample)
    successes = int(sample.labels.sum())
    tpr = float((sample.judged * sample.labels).sum()) / successes
    tnr = float(((1 - sample.judged) * (1 - sample.labels)).sum()) / (200 - successes)
    # Lee et al. 2025, appendix: the published way, from the same counts
    z = stats.norm.ppf(0.975)
    n, p = 50_000, float(sample.rest.mean())
    m1, m0 = successes, 200 - successes
    p, q0, q1 = (
        (n * p + z**2 / 2) / (n + z**2),
        (m0 * tnr + 1) / (m0 + 2),
        (m1 * tpr + 1) / (m1 + 2),
    )
    n, m0, m1 = n + z**2, m0 + 2, m1 + 2
    rate = (p + q0 - 1) / (q0 + q1 - 1)
    shift = 2 * z**2 * (-(1 - rate) * q0 * (1 - q0) / m0 + rate * q1 * (1 - q1) / m1)
    spread = p * (1 - p) / n + (1 - rate) ** 2 * q0 * (1 - q0) / m0 + rate**2 * q1 * (1 - q1) / m1
    half = z * math.sqrt(spread) / (q0 + q1 - 1)
    expected = (rate + shift - half, rate + shift + half)
    assert (figure.low, figure.high) == pytest.approx(expected, abs=2e-3)


def test_corrected_rate_of_a_run_that_is_all_labelled_is_the_labels() -> None:
    sample = drawn(8, 90, 0)
    for figure in (corrected_rate(sample), powered_rate(sample)):
        assert figure.value == pytest.approx(float(sample.labels.mean()))


def test_powered_rate_is_that_of_a_clustered_regression_where_nothing_is_left() -> None:
    sample = drawn(9, 80, 0, clusters=15)
    fit = api.OLS(sample.labels, np.ones(80)).fit(
        cov_type="cluster", cov_kwds={"groups": sample.cluster}, use_t=True
    )
    low, high = fit.conf_int()[0]
    figure = powered_rate(sample)
    assert (figure.low, figure.high) == pytest.approx((low, high))


def test_powered_rate_is_prediction_powered_inference() -> None:
    sample = drawn(10, 150, 2_000)
    power = tuned_power(sample)
    both = np.concatenate([sample.judged, sample.rest])
    together = np.cov(sample.labels, sample.judged)[0, 1]
    assert power == pytest.approx(together / ((1 + 150 / 2_000) * both.var(ddof=1)))
    value = power * sample.rest.mean() + (sample.labels - power * sample.judged).mean()
    error = math.sqrt(
        (power * sample.rest).var() / 2_000 + (sample.labels - power * sample.judged).var() / 150
    )
    figure = powered_rate(sample)
    assert figure.value == pytest.approx(value)
    assert width(figure) == pytest.approx(2 * 1.959964 * error, rel=2e-3)


outcomes = st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("abc")), max_size=12)


@example([], [])
@example([(True, True, "a")], [])
@example([(True, True, "a")] * 3, [(False, "a")] * 3)
@example([(True, True, "a"), (False, False, "b")], [(True, "c")])
@given(outcomes, st.lists(st.tuples(st.booleans(), st.sampled_from("abcd")), max_size=12))
@settings(max_examples=150, deadline=None)
def test_corrected_rates_are_rates_or_reasons(
    labelled: list[tuple[bool, bool, str]], rest: list[tuple[bool, str]]
) -> None:
    sample = part(
        [j for j, _, _ in labelled],
        [t for _, t, _ in labelled],
        [j for j, _ in rest],
        [c for _, _, c in labelled],
        [c for _, c in rest],
    )
    for figure in (corrected_rate(sample), powered_rate(sample)):
        sound(figure)
        if figure.value is not None:
            assert 0 <= figure.value <= 1


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=2, max_size=60), st.floats(0.01, 0.9))
@settings(max_examples=100, deadline=None)
def test_one_sided_t(differences: list[float], bound: float) -> None:
    found = p_below(np.array(differences), bound)
    if len(set(differences)) == 1:
        assert found in (0, 1)
        return
    expected = stats.ttest_1samp(differences, bound, alternative="less").pvalue
    assert found == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=100, deadline=None)
def test_yekutieli(p_values: list[float]) -> None:
    expected = multitest.multipletests(p_values, alpha=0.05, method="fdr_by")[0]
    assert yekutieli(p_values, 0.05) == expected.tolist()


def people(seed: int, cases: int, noise: float) -> dict[str, dict[str, float | str]]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 5, cases)
    return {
        name: {
            str(case): float(np.clip(value + random.normal() * noise, 0, 4).round())
            for case, value in enumerate(truth)
        }
        for name in ("anna", "ben", "cleo")
    }


def test_a_judge_like_people_may_stand_in_and_one_that_guesses_may_not() -> None:
    humans = people(11, 80, 1.0)
    others = people(11, 80, 0.3)
    good = alt_test(others["anna"], humans, ordered=True)
    assert good.winning_rate == 1
    assert good.passed
    guess: dict[str, float | str] = {str(i): float(i % 5) for i in range(80)}
    bad = alt_test(guess, humans, ordered=True)
    assert bad.winning_rate == 0
    assert bad.passed is False
    assert bad.advantage is not None
    assert good.advantage is not None
    assert bad.advantage < good.advantage


def test_the_alternative_test_needs_enough_people_and_cases() -> None:
    humans = people(12, 20, 1.0)
    found = alt_test(humans["anna"], humans, ordered=True)
    assert found.winning_rate is None
    assert found.reason == "needs 3 annotators with 30 shared cases each, has 0"
