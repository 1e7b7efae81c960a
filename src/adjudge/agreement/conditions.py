"""Conditions that a run is held against."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from adjudge.contract import Fault, Frozen

SCORED = "scored"
REWARD = "reward"
NEWLY_FAILING = "newly_failing"

Kind = Literal["min", "max", "each"]


class BadCondition(Fault, ValueError):
    """No condition, or one about something that the run does not have."""


class Condition(Frozen):
    """``name`` must be at least (``min``) or at most (``max``) ``value`` over the run, or at least
    that in ``each`` case.

    Over the run a name is ``scored`` (the share of cases with a verdict), ``success`` (the share of
    successes), ``reward`` or a dimension (its mean), ``newly_failing`` (how many more than in
    another run), or a statistic of agreement such as ``success.kappa``.
    """

    kind: Kind
    name: str
    value: float

    def __str__(self) -> str:
        sign = {"min": "≥", "max": "≤", "each": "≥"}[self.kind]
        return f"{'each ' if self.kind == 'each' else ''}{self.name} {sign} {self.value:g}"

    @classmethod
    def of(cls, kind: Kind, text: str) -> Condition:
        """``NAME=VALUE`` as a condition; raises ``BadCondition``.

        >>> str(Condition.of("min", "success=0.9"))
        'success ≥ 0.9'
        """
        name, equals, value = text.partition("=")
        try:
            number = float({"true": "1", "false": "0"}.get(value.strip(), value))
        except ValueError:
            number = math.nan
        if not equals or not name.strip() or not math.isfinite(number):
            raise BadCondition(f"--{kind}: expected NAME=NUMBER, found {text[:60]!r}")
        return cls(kind=kind, name=name.strip(), value=number)

    @property
    def of_agreement(self) -> bool:
        """Whether it is about agreement with labels."""
        return "." in self.name

    def met_by(self, value: float) -> bool:
        """Whether ``value`` meets it."""
        return value <= self.value if self.kind == "max" else value >= self.value


def conditions_of(given: Mapping[Kind, Sequence[str]]) -> list[Condition]:
    """``NAME=VALUE`` texts by kind, as conditions. Raises ``BadCondition``."""
    return [Condition.of(kind, text) for kind, texts in given.items() for text in texts]
