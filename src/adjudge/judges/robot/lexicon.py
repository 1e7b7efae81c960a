"""The names a case knows, for whoever has to understand words: the instruction rules, the goals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from adjudge.judges.robot.case import Relation


@dataclass(frozen=True)
class Lexicon:
    """Objects with their categories, rooms, and the places that were stated.

    ``closed``: the scene names everything there is. Otherwise ``objects`` are those that the plan
    and the remaining steps name, and more may exist. Categories and ids are in compared form
    (``normal``).
    """

    closed: bool
    objects: Mapping[str, str] = field(default_factory=dict)
    rooms: frozenset[str] = frozenset()
    places: Mapping[str, tuple[Relation, str]] = field(default_factory=dict)

    @cached_property
    def by_category(self) -> Mapping[str, tuple[str, ...]]:
        """Category to the ids of its objects, in the order given."""
        found: dict[str, list[str]] = {}
        for name, category in self.objects.items():
            found.setdefault(category, []).append(name)
        return {category: tuple(names) for category, names in found.items()}
