"""One dimension's agreement: the judge beside its labels."""

from __future__ import annotations

from collections import Counter

import numpy as np

from adjudge.agreement.labels import LabelValue
from adjudge.agreement.measures import Pairs, Values, figures
from adjudge.agreement.people import People, people
from adjudge.agreement.statistics.alt_test import EPSILON, AltTest, alt_test
from adjudge.agreement.statistics.corrected import PartlyLabelled, corrected_rate, powered_rate
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.statistics.nominal import majority
from adjudge.agreement.statistics.rates import share, true_negatives, true_positives
from adjudge.agreement.statistics.tables import joint_tables, numbered, sums_by
from adjudge.agreement.units import TRUTH, Heading, Unit, Unjudged, value_of
from adjudge.contract import Frozen


class Confusion(Frozen):
    """Counts by value: a row for each the judge gave, a column for each label."""

    values: tuple[LabelValue, ...]
    counts: tuple[tuple[int, ...], ...]


class Rates(Frozen):
    """For ``success``: how often the judge is right about successes and about failures, and the
    success rate of all cases: as the judge sees it, and corrected by the labelled part."""

    true_positive: Figure
    true_negative: Figure
    judged: Figure
    labelled: Figure
    corrected: Figure
    powered: Figure


class Disagreement(Frozen):
    """A case where judge and label are apart."""

    case: str
    position: int
    dimension: str
    judged: LabelValue
    label: LabelValue
    distance: float


class DimensionAgreement(Frozen):
    """Everything about one dimension.

    ``n`` pairs of judge and label; ``unjudged`` labelled units without a value, by reason;
    ``unlabelled`` units. ``majority`` is the accuracy of always giving the commonest label.
    """

    name: str
    n: int
    unjudged: dict[str, int]
    unlabelled: int
    clusters: int
    figures: dict[str, Figure]
    majority: Figure
    confusion: Confusion | None
    rates: Rates | None
    people: People | None
    alt_test: AltTest | None
    worst: tuple[Disagreement, ...]


def agreement_on(
    heading: Heading, *, epsilon: float = EPSILON, worst: int = 10
) -> DimensionAgreement:
    """The agreement under one heading."""
    truth = heading.scale is TRUTH
    labelled = [unit for unit in heading.units if unit.labels]
    paired = [unit for unit in labelled if unit.pairs]
    pairs = pairs_of_units(heading, paired)
    seen = [*pairs.first, *(value for unit in labelled for value in unit.labels.values())]
    values = Values.of(heading.scale, seen, truth=truth)
    several = len(heading.annotators) > 1
    return DimensionAgreement(
        name=heading.name,
        n=len(pairs),
        unjudged=dict(Counter(u.judged.reason for u in labelled if isinstance(u.judged, Unjudged))),
        unlabelled=len(heading.units) - len(labelled),
        clusters=len(set(pairs.clusters)),
        figures=figures(pairs, values),
        majority=_majority(pairs, values),
        confusion=_confusion(pairs, values) if values.categories and len(pairs) else None,
        rates=_rates(heading, paired) if truth else None,
        people=people(heading, labelled, values) if several else None,
        alt_test=_alt_test(heading, labelled, values, epsilon) if several else None,
        worst=_worst(heading, paired, values)[:worst],
    )


def pairs_of_units(heading: Heading, units: list[Unit], *, bare: bool = False) -> Pairs:
    """The judge's values, or its ``bare`` ones, beside the labels."""
    return Pairs(
        [value_of(unit, bare=bare) for unit in units],
        [heading.reference(unit) for unit in units],
        [unit.cluster for unit in units],
    )


def _majority(pairs: Pairs, values: Values) -> Figure:
    if not values.categories or not len(pairs):
        return Figure(n=len(pairs), reason="no categories" if len(pairs) else "no pairs")
    [whole] = joint_tables(pairs.first, pairs.second, values.all)
    return Figure.of(
        float(majority(whole)), n=len(pairs), why="no pairs", no_interval="a baseline, no estimate"
    )


def _confusion(pairs: Pairs, values: Values) -> Confusion:
    [whole] = joint_tables(pairs.first, pairs.second, values.all)
    return Confusion(
        values=values.all, counts=tuple(tuple(int(n) for n in row) for row in whole.tolist())
    )


def _rates(heading: Heading, paired: list[Unit]) -> Rates:
    pairs = pairs_of_units(heading, paired)
    tables = joint_tables(pairs.first, pairs.second, (False, True), pairs.clusters)
    clustered = len(tables) < len(pairs)
    judged = [unit for unit in heading.units if not isinstance(unit.judged, Unjudged)]
    rest = [unit for unit in judged if not unit.labels]
    cluster = numbered([*pairs.clusters, *(unit.cluster for unit in rest)])
    part = PartlyLabelled(
        judged=np.array(pairs.first, float),
        labels=np.array(pairs.second, float),
        rest=np.array([value_of(unit) for unit in rest], float),
        cluster=cluster[: len(pairs)],
        rest_cluster=cluster[len(pairs) :],
    )
    return Rates(
        true_positive=true_positives(tables, clustered=clustered),
        true_negative=true_negatives(tables, clustered=clustered),
        judged=_share([bool(value_of(u)) for u in judged], [u.cluster for u in judged]),
        labelled=_share([bool(value) for value in pairs.second], list(pairs.clusters)),
        corrected=corrected_rate(part),
        powered=powered_rate(part),
    )


def _share(hits: list[bool], clusters: list[str]) -> Figure:
    groups = numbered(clusters)
    counts = np.bincount(groups).astype(float)
    sums = sums_by(groups, hits)
    return share(sums, counts, why="no cases", clustered=len(counts) < len(hits))


def _alt_test(heading: Heading, labelled: list[Unit], values: Values, epsilon: float) -> AltTest:
    judge = {
        unit.name: _plain(value_of(unit))
        for unit in labelled
        if unit.pairs and unit.judged is not None
    }
    by_person = {
        name: {
            unit.name: _plain(unit.labels[name])
            for unit in labelled
            if unit.labels.get(name) is not None
        }
        for name in heading.annotators
    }
    return alt_test(judge, by_person, ordered=values.ordered, epsilon=epsilon)


def _plain(value: LabelValue) -> float | str:
    return value if isinstance(value, str) else float(value or 0)


def _worst(heading: Heading, paired: list[Unit], values: Values) -> tuple[Disagreement, ...]:
    """Those apart, the farthest first; of equals one of each cluster before a second of any."""
    found: list[tuple[int, Disagreement]] = []
    nth: Counter[tuple[str, float]] = Counter()
    for unit in paired:
        judged, label = value_of(unit), heading.reference(unit)
        if judged == label:
            continue
        distance = _distance(judged, label, heading, values)
        apart = Disagreement(
            case=unit.case,
            position=unit.position,
            dimension=unit.dimension,
            judged=judged,
            label=label,
            distance=distance,
        )
        found.append((nth[unit.cluster, distance], apart))
        nth[unit.cluster, distance] += 1
    found.sort(key=lambda one: (-one[1].distance, one[0], one[1].position))
    return tuple(apart for _, apart in found)


def _distance(judged: LabelValue, label: LabelValue, heading: Heading, values: Values) -> float:
    """Null is as far from a number as numbers can be from each other."""
    if not values.ordered:
        return 1.0
    if isinstance(judged, int | float) and isinstance(label, int | float):
        return abs(float(judged) - float(label))
    return heading.scale.high - heading.scale.low
