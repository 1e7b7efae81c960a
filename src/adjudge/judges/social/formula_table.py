"""The formulas by the names that ``-o formula=`` takes, and what each can be applied to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from adjudge.judges.social import formulas
from adjudge.judges.social.formulas import Rewards

Values = Literal["importance", "key", "progress", "none"]
"""What a method gives for each utterance: an importance, whether it is the key one, how far the
goal is reached after it, or nothing."""

FormulaName = Literal[
    "scaled",
    "normalized",
    "key",
    "key_discounted",
    "progress",
    "quality",
    "directed",
    "discounted",
    "uniform",
]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rewards of one episode and agent are made from; lists are by utterance."""

    values: tuple[int | None, ...]
    directions: tuple[int | None, ...]
    top: int
    score: float | None
    gamma: float

    @property
    def keys(self) -> list[bool | None]:
        """Values as flags: the key utterance has the scale's top."""
        return [None if value is None else value == self.top for value in self.values]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, and the kinds of values that it reads."""

    reads: frozenset[Values]
    rewards: Callable[[Judged], Rewards]


_SCALED = frozenset[Values]({"importance", "key"})
_ANY = frozenset[Values]({"importance", "key", "progress", "none"})

FORMULAS: dict[FormulaName, Formula] = {
    "scaled": Formula(_SCALED, lambda j: formulas.scaled(j.values, j.top, j.score)),
    "normalized": Formula(_SCALED, lambda j: formulas.normalized(j.values, j.score)),
    "key": Formula(frozenset({"key"}), lambda j: formulas.key_only(j.keys, j.score)),
    "key_discounted": Formula(
        frozenset({"key"}), lambda j: formulas.key_discounted(j.keys, j.score, j.gamma)
    ),
    "progress": Formula(frozenset({"progress"}), lambda j: formulas.progress(j.values, j.score)),
    "quality": Formula(_SCALED, lambda j: formulas.quality(j.values, j.top)),
    "directed": Formula(_SCALED, lambda j: formulas.directed(j.values, j.directions, j.top)),
    "discounted": Formula(_ANY, lambda j: formulas.discounted(len(j.values), j.score, j.gamma)),
    "uniform": Formula(_ANY, lambda j: formulas.uniform(len(j.values), j.score)),
}
"""Every formula by its name."""
