"""Bare against bounded: what the bounds did for a run's models, counted without asking again."""

from __future__ import annotations

from adjudge.agreement.dimension import pairs_of_units
from adjudge.agreement.gather import Gathered
from adjudge.agreement.measures import Values, figures
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.units import TRUTH, Heading, Unit, Unjudged
from adjudge.contract import Frozen


class Sides(Frozen):
    """One dimension's agreement with its labels, of the same ``n`` units: without and with bounds.

    ``moved`` units have another value within bounds; of those that are labelled, ``put_right`` are
    right only with them, ``put_wrong`` only without.
    """

    name: str
    n: int
    moved: int
    put_right: int
    put_wrong: int
    bare: dict[str, Figure]
    bounded: dict[str, Figure]


class RuleEffect(Frozen):
    """How often a rule ``held`` a model's value back; and of the labelled units in those verdicts
    how many the bounds put right, or wrong."""

    rule: str
    held: int
    put_right: int
    put_wrong: int


class BareAgainstBounded(Frozen):
    """``settled`` verdicts needed no call, ``asked`` rest on models' answers; ``needless`` of these
    had one value left by their bounds, ``held`` of them were held back by a rule."""

    settled: int
    asked: int
    needless: int
    held: int
    sides: tuple[Sides, ...]
    rules: tuple[RuleEffect, ...]


def bare_against_bounded(gathered: Gathered) -> BareAgainstBounded | None:
    """The comparison; ``None`` for a run in which no model had a say."""
    if not gathered.settled and not gathered.asked:
        return None
    rules: dict[str, list[int]] = {}
    for fired in gathered.rules.values():
        for rule in fired:
            rules.setdefault(rule, [0, 0, 0])[0] += 1
    sides = []
    for heading in gathered.headings.values():
        known = [u for u in heading.units if _known(u)]
        moved = [u for u in known if u.bare != u.judged]
        effects = [_effect(heading, unit) for unit in moved]
        for unit, effect in zip(moved, effects, strict=True):
            for rule in gathered.rules.get(unit.case, ()):
                rules[rule][1] += effect > 0
                rules[rule][2] += effect < 0
        if known:
            sides.append(
                _sides(
                    heading,
                    [u for u in known if u.labels],
                    len(moved),
                    effects.count(1),
                    effects.count(-1),
                )
            )
    return BareAgainstBounded(
        settled=gathered.settled,
        asked=gathered.asked,
        needless=gathered.needless,
        held=len(gathered.rules),
        sides=tuple(sides),
        rules=tuple(
            RuleEffect(rule=rule, held=held, put_right=right, put_wrong=wrong)
            for rule, (held, right, wrong) in sorted(
                rules.items(), key=lambda item: (-item[1][0], item[0])
            )
        ),
    )


def _known(unit: Unit) -> bool:
    """Whether it is judged, and known what it would be without bounds."""
    return not isinstance(unit.judged, Unjudged) and not isinstance(unit.bare, Unjudged)


def _effect(heading: Heading, unit: Unit) -> int:
    """1 where the bounds put the value right, -1 where they put it wrong."""
    if not unit.labels:
        return 0
    label = heading.reference(unit)
    return (unit.judged == label) - (unit.bare == label)


def _sides(heading: Heading, units: list[Unit], moved: int, right: int, wrong: int) -> Sides:
    bare, bounded = pairs_of_units(heading, units, bare=True), pairs_of_units(heading, units)
    seen = [*bare.first, *bounded.first, *bounded.second]
    values = Values.of(heading.scale, seen, truth=heading.scale is TRUTH)
    return Sides(
        name=heading.name,
        n=len(units),
        moved=moved,
        put_right=right,
        put_wrong=wrong,
        bare=figures(bare, values),
        bounded=figures(bounded, values),
    )
