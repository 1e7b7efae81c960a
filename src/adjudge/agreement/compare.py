"""Two runs over the same cases, case by case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.agreement.gather import Gathered
from adjudge.agreement.labels import SUCCESS, LabelValue
from adjudge.agreement.measures import Values
from adjudge.agreement.statistics.bootstrap import Resampled
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.statistics.paired import mcnemar
from adjudge.agreement.statistics.tables import Numbers, numbered, ratio, sums_by
from adjudge.agreement.units import TRUTH, Heading, Unit, Unjudged, value_of
from adjudge.contract import Fault, Frozen


class NothingPaired(Fault, ValueError):
    """The two runs have no case in common."""


class Change(Frozen):
    """One value before and after; a reason in its place where there was none."""

    case: str
    dimension: str
    before: LabelValue
    after: LabelValue


class Difference(Frozen):
    """One dimension in both runs.

    Of ``n`` pairs with a value in each, ``changed`` differ. Where values are ordered, ``mean`` is
    the mean difference (after less before) over those where both apply, ``up`` and ``down`` count
    them. For ``success`` it is the difference of success rates, and ``p_value`` McNemar's.
    """

    name: str
    n: int
    changed: int
    up: int
    down: int
    before: Figure
    after: Figure
    mean: Figure
    p_value: float | None
    changes: tuple[Change, ...]


class RightOrWrong(Frozen):
    """One labelled dimension: pairs of which both runs are right, only one, or neither."""

    name: str
    n: int
    both: int
    only_before: int
    only_after: int
    neither: int
    p_value: float


class Comparison(Frozen):
    """Two runs paired by case id.

    ``newly_failing`` succeeded before and fail now, ``newly_passing`` the other way round;
    ``newly_unscored`` had a value before and have none now. ``only_before`` and ``only_after``
    count cases that one run has alone.
    """

    before: str
    after: str
    cases: int
    only_before: int
    only_after: int
    newly_failing: tuple[str, ...]
    newly_passing: tuple[str, ...]
    newly_unscored: tuple[str, ...]
    differences: tuple[Difference, ...]
    labelled: tuple[RightOrWrong, ...]


@dataclass(frozen=True)
class _Pair:
    before: Unit
    after: Unit


def compare(
    before: Gathered, after: Gathered, names: tuple[str, str], *, most: int = 10
) -> Comparison:
    """The comparison of two gathered runs called ``names``; at most so many changes are listed
    for each dimension. Raises ``NothingPaired``."""
    first, second = _cases(before), _cases(after)
    both = [case for case in first if case in second]
    if not both:
        raise NothingPaired(
            f"runs {names[0]} and {names[1]}: expected cases of the same ids, found none "
            f"({len(first)} and {len(second)} cases)"
        )
    paired = {name: _paired(before, after, name) for name in before.headings}
    success = paired.get(SUCCESS, [])
    return Comparison(
        before=names[0],
        after=names[1],
        cases=len(both),
        only_before=len(first) - len(both),
        only_after=len(second) - len(both),
        newly_failing=tuple(p.after.case for p in success if _is(p, True, False)),
        newly_passing=tuple(p.after.case for p in success if _is(p, False, True)),
        newly_unscored=_newly_unscored(paired),
        differences=tuple(
            _difference(before.headings[name], pairs, most)
            for name, pairs in paired.items()
            if any(_judged(p) for p in pairs)
        ),
        labelled=tuple(
            _right_or_wrong(before.headings[name], pairs)
            for name, pairs in paired.items()
            if any(_judged(p) and p.before.labels for p in pairs)
        ),
    )


def _cases(gathered: Gathered) -> dict[str, None]:
    return {unit.case: None for heading in gathered.headings.values() for unit in heading.units}


def _paired(before: Gathered, after: Gathered, name: str) -> list[_Pair]:
    if name not in after.headings:
        return []
    there = {(unit.case, unit.dimension): unit for unit in after.headings[name].units}
    return [
        _Pair(unit, there[unit.case, unit.dimension])
        for unit in before.headings[name].units
        if (unit.case, unit.dimension) in there
    ]


def _is(pair: _Pair, before: bool, after: bool) -> bool:
    return pair.before.judged is before and pair.after.judged is after


def _judged(pair: _Pair) -> bool:
    return not isinstance(pair.before.judged, Unjudged) and not isinstance(
        pair.after.judged, Unjudged
    )


def _newly_unscored(paired: Mapping[str, Sequence[_Pair]]) -> tuple[str, ...]:
    found = (
        pair.after.case
        for pairs in paired.values()
        for pair in pairs
        if not isinstance(pair.before.judged, Unjudged) and isinstance(pair.after.judged, Unjudged)
    )
    return tuple(dict.fromkeys(found))


def _difference(heading: Heading, pairs: Sequence[_Pair], most: int) -> Difference:
    both = [pair for pair in pairs if _judged(pair)]
    truth = heading.scale is TRUTH
    seen = [value_of(u) for pair in both for u in (pair.before, pair.after)]
    ordered = truth or Values.of(heading.scale, seen, truth=truth).ordered
    numbers = [
        (float(p.before.judged), float(p.after.judged), p.before.cluster)
        for p in both
        if ordered
        and isinstance(p.before.judged, int | float)
        and isinstance(p.after.judged, int | float)
    ]
    changed = [p for p in both if p.before.judged != p.after.judged]
    up, down = sum(b < a for b, a, _ in numbers), sum(b > a for b, a, _ in numbers)
    before, after, mean = _means(numbers)
    return Difference(
        name=heading.name,
        n=len(both),
        changed=len(changed),
        up=up,
        down=down,
        before=before,
        after=after,
        mean=mean,
        p_value=mcnemar(down, up) if truth else None,
        changes=_changes(changed, most),
    )


def _means(numbers: Sequence[tuple[float, float, str]]) -> tuple[Figure, Figure, Figure]:
    """The mean before and after, and of the difference, from the same resamples of clusters."""
    n = len(numbers)
    if not n:
        nothing = Figure(n=0, reason="no pairs of numbers")
        return nothing, nothing, nothing
    groups = numbered([cluster for _, _, cluster in numbers])
    before, after = (np.array([pair[i] for pair in numbers]) for i in (0, 1))
    sums = np.stack([sums_by(groups, values) for values in (before, after, np.ones(n))], axis=-1)
    resampled = Resampled(sums)

    def mean(drawn: Numbers) -> Numbers:
        return ratio(drawn[:, 1] - drawn[:, 0], drawn[:, 2])

    def side(column: int) -> Figure:
        return resampled.figure(lambda drawn: ratio(drawn[:, column], drawn[:, 2]), n=n, why="")

    return side(0), side(1), resampled.figure(mean, n=n, why="")


def _changes(changed: Sequence[_Pair], most: int) -> tuple[Change, ...]:
    """The largest falls first."""
    found = [
        Change(
            case=pair.after.case,
            dimension=pair.after.dimension,
            before=value_of(pair.before),
            after=value_of(pair.after),
        )
        for pair in changed
    ]
    return tuple(sorted(found, key=_rise)[:most])


def _rise(change: Change) -> float:
    if isinstance(change.before, int | float) and isinstance(change.after, int | float):
        return float(change.after) - float(change.before)
    return 0.0


def _right_or_wrong(heading: Heading, pairs: Sequence[_Pair]) -> RightOrWrong:
    counts: Counter[tuple[bool, bool]] = Counter()
    for pair in pairs:
        if _judged(pair) and pair.before.labels:
            label = heading.reference(pair.before)
            counts[pair.before.judged == label, pair.after.judged == label] += 1
    return RightOrWrong(
        name=heading.name,
        n=counts.total(),
        both=counts[True, True],
        only_before=counts[True, False],
        only_after=counts[False, True],
        neither=counts[False, False],
        p_value=mcnemar(counts[True, False], counts[False, True]),
    )
