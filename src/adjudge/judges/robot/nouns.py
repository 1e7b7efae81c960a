"""What things are called: synonyms, wider words, how things are put into them (``nouns.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

_MOST_KINDS = 65536

Way = Literal["in", "on", "under"]


@lru_cache(maxsize=65536)
def squash(name: str) -> str:
    """A name with nothing between its words, for comparing spellings.

    >>> squash("trash_can"), squash("trash can"), squash("trashcan")
    ('trashcan', 'trashcan', 'trashcan')
    """
    return name.replace("_", "").replace(" ", "")


class Noun(BaseModel):
    """One kind of thing: its names, the usual one first, and what is known of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    names: tuple[str, ...] = Field(strict=False)
    wider: tuple[str, ...] = Field(default=(), alias="is", strict=False)
    loose: tuple[str, ...] = Field(default=(), strict=False)
    put: tuple[Way, ...] = Field(default=(), strict=False)
    vessel: bool = False
    fixed: bool = False

    @property
    def carries(self) -> bool:
        """Whether things are put into it and carried in it."""
        return not self.fixed and (self.vessel or "in" in self.put)

    @property
    def name(self) -> str:
        """The usual name, with blanks between its words."""
        return self.names[0]


@dataclass(frozen=True, eq=False)
class Nouns:
    """The noun file. Names are looked up squashed."""

    rows: tuple[Noun, ...]
    rooms: frozenset[str]
    vague: frozenset[str]

    @cached_property
    def _kinds(self) -> dict[str, Noun | None]:
        return {}

    @cached_property
    def by_name(self) -> Mapping[str, Noun]:
        """Squashed name to the kind it names."""
        return {squash(name): row for row in self.rows for name in row.names}

    @cached_property
    def by_wider(self) -> Mapping[str, tuple[Noun, ...]]:
        """Squashed wider word to the kinds it may mean."""
        found: dict[str, tuple[Noun, ...]] = {}
        for row in self.rows:
            for name in row.wider:
                found[squash(name)] = (*found.get(squash(name), ()), row)
        return found

    def kind(self, category: str) -> Noun | None:
        """The kind a category belongs to: by its whole name, else by its last words.

        >>> default_nouns().kind("kitchen_fridge").name
        'fridge'
        """
        if category not in self._kinds:
            words = category.replace(" ", "_").split("_")
            ends = ("".join(words[start:]) for start in range(len(words)))
            found = next((self.by_name[end] for end in ends if end in self.by_name), None)
            if len(self._kinds) >= _MOST_KINDS:
                return found
            self._kinds[category] = found
        return self._kinds[category]


@lru_cache(maxsize=1)
def default_nouns() -> Nouns:
    """The nouns that come with the package."""
    text = resources.files(__package__).joinpath("nouns.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    rows = tuple(_row(name, row) for name, row in tables["noun"].items())
    return Nouns(rows, _squashed(tables["rooms"]), _squashed(tables["vague"]))


def _row(name: str, row: Mapping[str, object]) -> Noun:
    also = row.get("also", [])
    assert isinstance(also, list)
    rest = {key: value for key, value in row.items() if key != "also"}
    return Noun.model_validate({"names": [name, *also], **rest})


def _squashed(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(squash, names))
