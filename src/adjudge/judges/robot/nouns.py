"""What things are called: synonyms, wider words, how things are put into them (``nouns.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Way = Literal["in", "on", "under"]


@lru_cache(maxsize=65536)
def squash(name: str) -> str:
    """A name with nothing between its words, for comparing spellings.

    >>> squash("trash_can"), squash("trash can"), squash("trashcan")
    ('trashcan', 'trashcan', 'trashcan')
    """
    return name.replace("_", "").replace(" ", "")


class Noun(BaseModel):
    """One kind of thing."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    names: tuple[str, ...] = Field(min_length=1, strict=False)
    wider: tuple[str, ...] = Field(default=(), alias="is", strict=False)
    loose: tuple[str, ...] = Field(default=(), strict=False)
    put: tuple[Way, ...] = Field(default=(), strict=False)
    vessel: bool = False
    fixed: bool = False

    @property
    def name(self) -> str:
        """The first of its names."""
        return self.names[0]


@dataclass(frozen=True, eq=False)
class Nouns:
    """The noun file, by name; names are compared squashed."""

    rows: tuple[Noun, ...]

    @cached_property
    def by_name(self) -> Mapping[str, tuple[Noun, ...]]:
        """Squashed name to the kinds it names."""
        return _grouped((squash(name), row) for row in self.rows for name in row.names)

    @cached_property
    def by_wider(self) -> Mapping[str, tuple[Noun, ...]]:
        """Squashed wider word to the kinds it may mean."""
        return _grouped((squash(name), row) for row in self.rows for name in row.wider)

    def kind(self, name: str) -> Noun | None:
        """The kind a category belongs to: by the whole name, else by its last words.

        >>> default_nouns().kind("kitchen_fridge").name
        'fridge'
        """
        words = name.replace(" ", "_").split("_")
        for start in range(len(words)):
            found = self.by_name.get("".join(words[start:]))
            if found:
                return found[0]
        return None


def _grouped(pairs: Iterable[tuple[str, Noun]]) -> Mapping[str, tuple[Noun, ...]]:
    found: dict[str, tuple[Noun, ...]] = {}
    for name, row in pairs:
        found[name] = (*found.get(name, ()), row)
    return found


_ROWS = TypeAdapter(tuple[Noun, ...])


@lru_cache(maxsize=1)
def default_nouns() -> Nouns:
    """The nouns that come with the package."""
    text = resources.files(__package__).joinpath("nouns.toml").read_text(encoding="utf-8")
    return Nouns(_ROWS.validate_python(tomllib.loads(text)["noun"]))
