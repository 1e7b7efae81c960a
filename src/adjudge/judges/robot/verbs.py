"""The verb file: what each verb of an instruction asks for (``verbs.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from adjudge.judges.robot.nouns import Way, squash

Rule = Literal["place", "get", "hold", "process", "act", "fill", "pour", "go", "examine"]
_Words = Annotated[str, StringConstraints(pattern=r"^[a-z]+( [a-z]+)*$")]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Verb(_Row):
    """One row: a verb with its synonyms, and what it asks for."""

    names: tuple[_Words, ...] = Field(min_length=1, strict=False)
    rule: Rule
    into: str | None = None
    devices: tuple[str, ...] = Field(default=(), strict=False)
    named: tuple[str, ...] = Field(default=(), strict=False)
    step: str | None = None
    state: str | None = None
    adjectives: tuple[_Words, ...] = Field(default=(), strict=False)
    presupposes: str | None = None
    surfaces: str | None = None


class Device(_Row):
    """Something that does what a verb says while it runs."""

    name: str
    holds: tuple[Way, ...] = Field(min_length=1, strict=False)
    switches: tuple[str, ...] = Field(default=(), strict=False)
    itself: bool = False
    means: str | None = None


R = TypeVar("R", bound=_Row)


class VerbFileError(ValueError):
    """A verb file that cannot be used: names the file, the row and the field."""


@dataclass(frozen=True, eq=False)
class VerbTable:
    """Verbs and devices, looked up by name. Compared and hashed by identity."""

    verbs: tuple[Verb, ...]
    devices: tuple[Device, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Verb]:
        """Base form with particle ("turn on") to its row; a later row wins."""
        return {name: row for row in self.verbs for name in row.names}

    @cached_property
    def by_form(self) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
        """First word in any form ("turning") to (words, name) that it may begin, longest first."""
        found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for name in self.by_name:
            words = tuple(name.split())
            for form in forms(words[0]):
                found.setdefault(form, []).append((words, name))
        return {
            form: tuple(sorted(entries, key=lambda entry: -len(entry[0])))
            for form, entries in found.items()
        }

    @cached_property
    def by_adjective(self) -> Mapping[str, Verb]:
        """Adjective ("chilled") to the verb that brings it about."""
        return {word: row for row in self.verbs for word in row.adjectives}

    @cached_property
    def by_device(self) -> Mapping[str, Device]:
        """Squashed name to the device."""
        return {squash(row.name): row for row in self.devices}


def forms(base: str) -> Iterator[str]:
    """The forms of a verb that an instruction may begin with.

    >>> sorted(forms("place")), sorted(forms("put"))
    (['place', 'places', 'placing'], ['put', 'puts', 'putting'])
    """
    yield base
    yield base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")
    if base.endswith("e") and not base.endswith("ee"):
        yield base[:-1] + "ing"
    else:
        yield base + "ing"
        if (
            len(base) > 2
            and base[-1] in "bdgmnpt"
            and base[-2] in "aeiou"
            and base[-3] not in "aeiou"
        ):
            yield base + base[-1] + "ing"


def load_verbs(*files: Path) -> VerbTable:
    """The package's verbs, then the rows of each file; a verb named again is replaced.

    Raises ``VerbFileError`` with file, row and field where a file is not of the form.
    """
    verbs, devices = _packaged()
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise VerbFileError(f"{file}: cannot be read: {error}") from error
        more_verbs, more_devices = _parse(text, str(file))
        verbs = (*verbs, *more_verbs)
        devices = (*devices, *more_devices)
    return VerbTable(verbs, devices)


@lru_cache(maxsize=1)
def default_verbs() -> VerbTable:
    """The verbs that come with the package."""
    return load_verbs()


@lru_cache(maxsize=1)
def _packaged() -> tuple[tuple[Verb, ...], tuple[Device, ...]]:
    source = resources.files(__package__).joinpath("verbs.toml")
    return _parse(source.read_text(encoding="utf-8"), "verbs.toml")


def _parse(text: str, file: str) -> tuple[tuple[Verb, ...], tuple[Device, ...]]:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VerbFileError(f"{file}: expected TOML: {error}") from error
    for key in tables:
        if key not in ("verb", "device"):
            raise VerbFileError(f"{file}: expected [[verb]] and [[device]] rows, found {key!r}")
    verbs = tuple(_row(Verb, row, file, n) for n, row in enumerate(tables.get("verb", []), 1))
    devices = tuple(_row(Device, row, file, n) for n, row in enumerate(tables.get("device", []), 1))
    return verbs, devices


def _row(kind: type[R], row: object, file: str, number: int) -> R:
    try:
        return kind.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "(row)"
        raise VerbFileError(
            f"{file}: [[{kind.__name__.lower()}]] {number}, field {field!r}: {first['msg']}, "
            f"found {first['input']!r}"
        ) from error
