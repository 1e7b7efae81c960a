"""The values a dimension can take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from adjudge.contract.base import Frozen, ScoreValue


class Scale(Frozen):
    """A dimension's values: ``ordinal`` (low…high, integers), ``choice`` or ``real`` (low…high).

    >>> stars = Scale.ordinal(0, 4)
    >>> stars.holds(3), stars.holds(3.5), stars.holds(True)
    (True, False, False)
    """

    kind: Literal["ordinal", "choice", "real"]
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()
    nullable: bool = False

    @classmethod
    def ordinal(cls, low: int, high: int, *, nullable: bool = False) -> Scale:
        """Integers from ``low`` to ``high``, both included."""
        return cls(kind="ordinal", low=low, high=high, nullable=nullable)

    @classmethod
    def choice(cls, choices: Iterable[str], *, nullable: bool = False) -> Scale:
        """One of ``choices``."""
        return cls(kind="choice", choices=tuple(choices), nullable=nullable)

    @classmethod
    def real(cls, low: float, high: float, *, nullable: bool = False) -> Scale:
        """A finite number from ``low`` to ``high``."""
        return cls(kind="real", low=low, high=high, nullable=nullable)

    def holds(self, value: object) -> bool:
        """Whether ``value`` is on the scale. A bool is no number, a float no integer."""
        if value is None:
            return self.nullable
        if self.kind == "choice":
            return isinstance(value, str) and value in self.choices
        if isinstance(value, bool):
            return False
        if self.kind == "ordinal":
            return isinstance(value, int) and self.low <= value <= self.high
        return (
            isinstance(value, int | float)
            and math.isfinite(value)
            and self.low <= value <= self.high
        )

    def values(self) -> frozenset[ScoreValue] | None:
        """Every value on the scale, or ``None`` where they cannot be listed (``real``)."""
        if self.kind == "real":
            return None
        listed: set[ScoreValue] = set(self.choices)
        if self.kind == "ordinal":
            listed = set(range(int(self.low), int(self.high) + 1))
        if self.nullable:
            listed.add(None)
        return frozenset(listed)
