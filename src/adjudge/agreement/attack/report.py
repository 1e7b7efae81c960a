"""What attacks came to: how often a score rose, with bounds and without, and which did it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudge.agreement.units import heading_of
from adjudge.contract import Frozen, JsonObject, ScoreValue

_MOST_RISES = 10_000


class Rise(Frozen):
    """One score that an attack raised. ``bounded``: with bounds. ``allowed`` is what the bounds of
    the attacked case leave, ``None`` for all; ``loosened``: before the attack they forbade it."""

    case: str
    attack: str
    field: str
    dimension: str
    before: float
    after: float
    bounded: bool
    allowed: tuple[ScoreValue, ...] | None
    loosened: bool


class Tally(Frozen):
    """One attack, or one kind of place.

    Of ``tried`` variants ``rose_bare`` had some score raised without bounds, ``rose`` with them, by
    so many ``points`` altogether; ``loosened`` of these to values that the bounds of the case
    before the attack forbid, because the attack changed what could be proved. ``settled`` counts
    dimensions of which the bounds of an attacked case leave one value, ``rose_settled`` those of
    them that rose. ``lost_bare`` and ``lost`` variants had no verdict, ``impossible`` ones were no
    case. Of a dimension the same, counted in values in place of variants.
    """

    name: str
    tried: int = 0
    rose_bare: int = 0
    rose: int = 0
    points_bare: float = 0
    points: float = 0
    loosened: int = 0
    settled: int = 0
    rose_settled: int = 0
    lost_bare: int = 0
    lost: int = 0
    impossible: int = 0


class AttackReport(Frozen):
    """All attacks on some cases. ``asked`` is false where no model is: there is nothing bare then.

    ``untried`` attacks apply to none of the cases. ``rises`` are the first 10,000, those with
    bounds before others.
    """

    judge: str
    method: str
    models: tuple[str, ...]
    asked: bool
    cases: int
    unjudged: int
    total: Tally
    attacks: tuple[Tally, ...]
    untried: tuple[str, ...]
    fields: tuple[Tally, ...]
    dimensions: tuple[Tally, ...]
    rises: tuple[Rise, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on one variant (or the case itself) by one side."""

    scores: Mapping[str, ScoreValue] | None
    bounds: Mapping[str, tuple[ScoreValue, ...]]

    @classmethod
    def of(cls, verdict: JsonObject) -> Judged:
        """From a verdict's JSON; ``scores`` are ``None`` where it is not scored."""
        return cls(
            verdict["scores"] if verdict["status"] == "scored" else None,
            {name: tuple(bound["allowed"]) for name, bound in verdict["bounds"].items()},
        )


@dataclass(frozen=True, slots=True)
class Sides:
    """A verdict inside the bounds, and one without any where models are asked."""

    bounded: Judged
    bare: Judged | None


Sums = dict[str, float]


@dataclass
class Counter:
    """Tallies in the making; ``names`` are all attacks there are."""

    asked: bool
    names: dict[str, None] = field(default_factory=dict)
    total: Sums = field(default_factory=dict)
    attacks: dict[str, Sums] = field(default_factory=dict)
    fields: dict[str, Sums] = field(default_factory=dict)
    dimensions: dict[str, Sums] = field(default_factory=dict)
    rises: list[Rise] = field(default_factory=list)

    def impossible(self, attack: str, where: str) -> None:
        """Count a variant that is no case."""
        self._count(attack, where, {"impossible": 1})

    def add(self, variant: tuple[str, str, str], plain: Sides, attacked: Sides) -> None:
        """Count one variant (case, attack, kind of place) beside the case it was made of."""
        rises = _rises(variant, plain.bounded, attacked.bounded, bounded=True)
        bare = _rises(variant, plain.bare, attacked.bare, bounded=False)
        settled = [name for name, left in attacked.bounded.bounds.items() if len(left) == 1]
        _, attack, where = variant
        self._count(
            attack,
            where,
            {
                "tried": 1,
                "rose": bool(rises),
                "rose_bare": bool(bare),
                **_points(rises, bare),
                "loosened": any(rise.loosened for rise in rises),
                "settled": len(settled),
                "rose_settled": sum(rise.dimension in settled for rise in rises),
                "lost": attacked.bounded.scores is None,
                "lost_bare": attacked.bare is not None and attacked.bare.scores is None,
            },
        )
        for name in plain.bounded.scores or ():
            up = [rise for rise in rises if rise.dimension == name]
            up_bare = [rise for rise in bare if rise.dimension == name]
            counts = {
                "tried": 1,
                "rose": len(up),
                "rose_bare": len(up_bare),
                **_points(up, up_bare),
                "loosened": sum(rise.loosened for rise in up),
                "settled": name in settled,
                "rose_settled": name in settled and bool(up),
            }
            _add(self.dimensions.setdefault(heading_of(name), {}), counts)
        self.rises += rises + bare

    def _count(self, attack: str, where: str, counts: Mapping[str, float]) -> None:
        for sums in (
            self.total,
            self.attacks.setdefault(attack, {}),
            self.fields.setdefault(where, {}),
        ):
            _add(sums, counts)

    def report(
        self, judge: str, method: str, models: tuple[str, ...], cases: int, unjudged: int
    ) -> AttackReport:
        """The tallies so far."""
        rises = sorted(self.rises, key=lambda rise: not rise.bounded)
        return AttackReport(
            judge=judge,
            method=method,
            models=models,
            asked=self.asked,
            cases=cases,
            unjudged=unjudged,
            total=_tally("all", self.total),
            attacks=_tallies(self.attacks),
            untried=tuple(name for name in self.names if name not in self.attacks),
            fields=_tallies(self.fields),
            dimensions=_tallies(self.dimensions),
            rises=tuple(rises[:_MOST_RISES]),
        )


def _tallies(sums: Mapping[str, Sums]) -> tuple[Tally, ...]:
    return tuple(_tally(name, counts) for name, counts in sums.items())


def _tally(name: str, counts: Sums) -> Tally:
    return Tally.model_validate({"name": name, **counts})


def _add(sums: Sums, counts: Mapping[str, float]) -> None:
    for name, count in counts.items():
        sums[name] = sums.get(name, 0) + count


def _points(rises: Sequence[Rise], bare: Sequence[Rise]) -> Sums:
    return {
        "points": sum(rise.after - rise.before for rise in rises),
        "points_bare": sum(rise.after - rise.before for rise in bare),
    }


def _rises(
    variant: tuple[str, str, str], plain: Judged | None, attacked: Judged | None, *, bounded: bool
) -> list[Rise]:
    found: list[Rise] = []
    if plain is None or attacked is None:
        return found
    case, attack, where = variant
    for dimension, before in (plain.scores or {}).items():
        after = (attacked.scores or {}).get(dimension)
        if not isinstance(before, int | float) or not isinstance(after, int | float):
            continue
        if after > before:
            found.append(
                Rise(
                    case=case,
                    attack=attack,
                    field=where,
                    dimension=dimension,
                    before=before,
                    after=after,
                    bounded=bounded,
                    allowed=attacked.bounds.get(dimension),
                    loosened=after not in plain.bounds.get(dimension, (after,)),
                )
            )
    return found
