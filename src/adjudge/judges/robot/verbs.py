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
Words = Annotated[str, StringConstraints(pattern=r"^[a-z]+( [a-z]+)*$")]
State = Annotated[str, StringConstraints(pattern=r"^[a-z_]+$")]

# What a rule cannot do without.
_NEEDED: Mapping[str, str] = {"process": "devices", "act": "state", "fill": "state"}


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Verb(_Row):
    """One row: a verb with its synonyms, and what it asks for. The verb file says what is what."""

    names: tuple[Words, ...] = Field(min_length=1, strict=False)
    rule: Rule
    into: Words | None = None
    devices: tuple[Words, ...] = Field(default=(), strict=False)
    named: tuple[Words, ...] = Field(default=(), strict=False)
    step: State | None = None
    state: State | None = None
    adjectives: tuple[Words, ...] = Field(default=(), strict=False)
    presupposes: Annotated[str, StringConstraints(pattern=r"^(not )?[a-z_]+$")] | None = None
    surfaces: Words | None = None


class Device(_Row):
    """Something that does what a verb says while it runs."""

    name: Words
    holds: tuple[Way, ...] = Field(min_length=1, strict=False)
    switches: tuple[Words, ...] = Field(default=(), strict=False)
    itself: bool = False
    means: str | None = None


class VerbFileError(ValueError):
    """A verb file that cannot be used; says which file, row and field, and what was expected."""


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
        """Adjective ("chilled") to the verb that brings it about; a later row wins."""
        return {word: row for row in self.verbs for word in row.adjectives}

    @cached_property
    def by_device(self) -> Mapping[str, Device]:
        """Squashed name to the device; a later row wins."""
        return {squash(row.name): row for row in self.devices}


def forms(base: str) -> Iterator[str]:
    """The forms of a verb that an instruction may begin with.

    >>> sorted(forms("place")), sorted(forms("wash"))
    (['place', 'places', 'placing'], ['wash', 'washes', 'washing'])
    """
    yield base
    yield base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")
    if base.endswith("e") and not base.endswith("ee"):
        yield base[:-1] + "ing"
        return
    yield base + "ing"
    short = len(base) > 2 and base[-2] in "aeiou" and base[-3] not in "aeiou"
    if short and base[-1] in "bdgmnpt":
        yield base + base[-1] + "ing"


def load_verbs(*files: Path) -> VerbTable:
    """The package's verbs, then the rows of each file; what is named again is replaced.

    Raises ``VerbFileError`` where a file cannot be read or is not of the form.
    """
    located = list(_packaged())
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise VerbFileError(f"{file}: cannot be read: {error}") from error
        located.extend(_parse(text, str(file)))
    verbs = tuple(row for _, row in located if isinstance(row, Verb))
    devices = tuple(row for _, row in located if isinstance(row, Device))
    table = VerbTable(verbs, devices)
    for where, row in located:
        if isinstance(row, Verb):
            _check(where, row, table)
    return table


@lru_cache(maxsize=1)
def default_verbs() -> VerbTable:
    """The verbs that come with the package."""
    return load_verbs()


@lru_cache(maxsize=1)
def _packaged() -> tuple[tuple[str, _Row], ...]:
    source = resources.files(__package__).joinpath("verbs.toml")
    return tuple(_parse(source.read_text(encoding="utf-8"), "verbs.toml"))


def _parse(text: str, file: str) -> Iterator[tuple[str, _Row]]:
    """Each row with where it stands."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VerbFileError(f"{file}: expected TOML, {error}") from error
    for key, kind in (("verb", Verb), ("device", Device)):
        rows = tables.pop(key, [])
        if not isinstance(rows, list):
            raise VerbFileError(f"{file}: expected [[{key}]] rows, found {type(rows).__name__}")
        for number, row in enumerate(rows, start=1):
            where = f"{file}: [[{key}]] {number}"
            yield where, _row(kind, row, where)
    for key in tables:
        raise VerbFileError(f"{file}: expected [[verb]] and [[device]] rows, found {key!r}")


R = TypeVar("R", bound=_Row)


def _row(kind: type[R], row: object, where: str) -> R:
    try:
        return kind.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "(the row)"
        raise VerbFileError(
            f"{where}, field {field!r}: {first['msg']}, found {first['input']!r}"
        ) from error


def _check(where: str, row: Verb, table: VerbTable) -> None:
    """What only the whole table can tell."""
    needed = _NEEDED.get(row.rule)
    if needed is not None and not getattr(row, needed):
        raise VerbFileError(
            f"{where}, field {needed!r}: the rule {row.rule!r} needs it, found none"
        )
    for field in ("devices", "named"):
        for name in getattr(row, field):
            if squash(name) not in table.by_device:
                raise VerbFileError(
                    f"{where}, field {field!r}: expected the name of a [[device]], found {name!r}"
                )
    if row.surfaces is not None:
        other = table.by_name.get(row.surfaces)
        if other is None or other.rule != "act":
            raise VerbFileError(
                f"{where}, field 'surfaces': expected a verb of the rule 'act', "
                f"found {row.surfaces!r}"
            )
