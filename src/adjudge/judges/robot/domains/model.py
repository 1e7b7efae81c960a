"""An action model as data: actions, states, and what kinds of things can do.

The tables beside this file are the reference; a user's own table has the same form.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

_TERM = re.compile(r"^(not )?([a-z_]+)(?:\(([a-z_|, ]*)\))?(?:: ([a-z]+))?$")
_ACTION_FIELDS = {
    "arguments",
    "interaction",
    "waiting",
    "affordances",
    "already",
    "requires",
    "effects",
    "wants",
}
ABILITY_WORDS = frozenset({"holding_a", "at_a"})
"""Words whose argument is an affordance, not an argument of the action."""
TAKING_WORDS = frozenset({"holding", "grab", "take"})
"""Effects that put something into a hand."""
CLASSES = ("additional", "affordance", "unexplained")
"""What a requirement can be marked as: failing it leaves the step out and the plan goes on; it is
an error of affordance; nobody says what kind of error it is."""
ROBOT = "@robot"
"""What the argument name ``robot`` stands for in a domain with relations."""
_KIND_FIELDS = {
    "categories",
    "can",
    "cannot",
    "usual",
    "starts_closed",
    "refills",
    "room_for",
}


class DomainError(ValueError):
    """A table that cannot be used: which row, which field, what was expected, what was found."""


@dataclass(frozen=True, slots=True)
class Term:
    """One condition or effect: a word, its argument names, and whether it is negated.

    ``state``: the word is a state of its one argument (``on(lamp)``), not a relation of two
    (``on(book, shelf)``) or a word of the simulator's. ``relation``: it is one of the domain's
    relations. ``error``: one of ``CLASSES``, or empty for the usual class of its failure.
    """

    word: str
    arguments: tuple[str, ...]
    negated: bool = False
    state: bool = False
    relation: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """One row of the table. Arguments whose name starts with ``_`` are read and not used."""

    name: str
    arguments: tuple[tuple[str, ...], ...]
    interaction: bool = True
    waiting: bool = False
    affordances: tuple[Term, ...] = ()
    already: tuple[Term, ...] = ()
    requires: tuple[Term, ...] = ()
    effects: tuple[Term, ...] = ()
    wants: tuple[Term, ...] = ()

    @property
    def takes(self) -> bool:
        """Whether it takes something into a hand."""
        return any(term.word in TAKING_WORDS for term in self.effects)

    def names_for(self, count: int) -> tuple[str, ...] | None:
        """The argument names for a call with ``count`` arguments, ``None`` if it takes no such."""
        for names in self.arguments:
            if len(names) == count:
                return names
        return None


@dataclass(slots=True)
class Kind:
    """What a category can and cannot do, and what is usual for it.

    ``room_for``: how many things may be on it before nobody can sit or lie there.
    """

    can: set[str] = field(default_factory=set)
    cannot: set[str] = field(default_factory=set)
    usual: dict[str, bool] = field(default_factory=dict)
    starts_closed: bool = False
    refills: bool = False
    room_for: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Domain:
    """An action model. ``states`` maps a state word to its fluent and value.

    With ``relations`` (``symmetric``: those that hold both ways) its worlds are graphs: everything
    about their start is known. ``script``: steps are written ``[WALK] <sofa> (352)``.
    """

    name: str
    hands: int
    actions: Mapping[str, Action]
    states: Mapping[str, tuple[str, bool]]
    usual: Mapping[str, bool]
    kinds: Mapping[str, Kind]
    relations: frozenset[str] = frozenset()
    symmetric: frozenset[str] = frozenset()
    script: bool = False

    def kind(self, category: str) -> Kind | None:
        """What is known of a category; a compound name falls back on its head."""
        return _kind(self, category)

    def can(self, category: str, affordance: str) -> bool | None:
        """Whether things of a category afford it; ``None`` where the table does not say."""
        return _can(self, category, affordance)

    def able(self, affordance: str) -> Mapping[str, bool | None]:
        """Category to whether its things afford it, for any category."""
        return self._abilities.setdefault(affordance, _Able(self, affordance))

    @cached_property
    def _abilities(self) -> dict[str, _Able]:
        return {}

    @cached_property
    def abilities(self) -> frozenset[str]:
        """The affordances that some action needs of something besides its arguments."""
        return frozenset(
            term.arguments[0]
            for action in self.actions.values()
            for term in (*action.requires, *action.wants)
            if term.word in ABILITY_WORDS
        )


class _Able(dict[str, bool | None]):
    """Answers of ``Domain.can`` for one affordance, each worked out once."""

    def __init__(self, domain: Domain, affordance: str) -> None:
        super().__init__()
        self._domain = domain
        self._affordance = affordance

    def __missing__(self, category: str) -> bool | None:
        answer = self[category] = self._domain.can(category, self._affordance)
        return answer


@lru_cache(maxsize=65_536)
def _kind(domain: Domain, category: str) -> Kind | None:
    name = category
    while name:
        if name in domain.kinds:
            return domain.kinds[name]
        _, _, name = name.partition("_")
    return None


@lru_cache(maxsize=65_536)
def _can(domain: Domain, category: str, affordance: str) -> bool | None:
    kind = _kind(domain, category)
    if kind is None:
        return None
    if affordance in kind.can:
        return True
    return False if affordance in kind.cannot else None


_TABLES = "adjudge.judges.robot.domains"


@lru_cache(maxsize=1)
def shipped_domains() -> tuple[str, ...]:
    """The names of the tables that come with the package."""
    found = (table.name for table in resources.files(_TABLES).iterdir())
    return tuple(sorted(name[:-5] for name in found if name.endswith(".toml")))


@lru_cache(maxsize=32)
def load_domain(name: str) -> Domain:
    """A shipped table by name, or a user's own by path (``.toml``). Raises ``DomainError``."""
    if name.endswith(".toml"):
        try:
            text = Path(name).read_text(encoding="utf-8")
        except OSError as error:
            raise DomainError(f"domain {name}: cannot be read ({error.strerror})") from None
    else:
        known = shipped_domains()
        if name not in known:
            raise DomainError(
                f"expected one of {', '.join(known)} or a path to a .toml table, found {name!r}"
            )
        text = (resources.files(_TABLES) / f"{name}.toml").read_text(encoding="utf-8")
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DomainError(f"domain {name}: not TOML: {error}") from None
    return _build(name, raw)


def _build(source: str, raw: Mapping[str, Any]) -> Domain:
    states: dict[str, tuple[str, bool]] = {}
    usual: dict[str, bool] = {}
    for fluent, row in raw.get("states", {}).items():
        usual[fluent] = bool(row.get("usual", False))
        for value in (True, False):
            for word in row.get("true" if value else "false", []):
                states[word] = (fluent, value)
    relations = frozenset(raw.get("relations", []))
    actions = {
        name: _action(f"{source}: actions.{name}", name, row, usual, relations)
        for name, row in raw.get("actions", {}).items()
    }
    kinds: dict[str, Kind] = {}
    for number, row in enumerate(raw.get("kinds", []), start=1):
        where = f"{source}: kinds[{number}]"
        _known(where, row, _KIND_FIELDS)
        for category in row.get("categories", []):
            kind = kinds.setdefault(category, Kind())
            kind.can |= set(row.get("can", []))
            kind.cannot |= set(row.get("cannot", []))
            kind.usual.update(row.get("usual", {}))
            kind.starts_closed |= bool(row.get("starts_closed", False))
            kind.refills |= bool(row.get("refills", False))
            kind.room_for.update(row.get("room_for", {}))
            both = kind.can & kind.cannot
            if both:
                raise DomainError(f"{where}: {category} both can and cannot: {sorted(both)}")
    return Domain(
        name=raw.get("name", source),
        hands=int(raw.get("hands", 2)),
        actions=actions,
        states=states,
        usual=usual,
        kinds=kinds,
        relations=relations,
        symmetric=frozenset(raw.get("symmetric", [])),
        script=bool(raw.get("script", False)),
    )


def _action(
    where: str,
    name: str,
    row: Mapping[str, Any],
    fluents: Mapping[str, bool],
    relations: frozenset[str],
) -> Action:
    _known(where, row, _ACTION_FIELDS)
    arguments = tuple(tuple(names) for names in row.get("arguments", [[]]))
    named = {a for names in arguments for a in names}
    if relations:
        named.add("robot")

    def terms(key: str) -> tuple[Term, ...]:
        return tuple(
            _term(f"{where}.{key}", text, named, fluents, relations) for text in row.get(key, [])
        )

    return Action(
        name=name,
        arguments=arguments,
        interaction=bool(row.get("interaction", True)),
        waiting=bool(row.get("waiting", False)),
        affordances=terms("affordances"),
        already=terms("already"),
        requires=terms("requires"),
        effects=terms("effects"),
        wants=terms("wants"),
    )


def _term(
    where: str,
    text: str,
    named: set[str],
    fluents: Mapping[str, bool],
    relations: frozenset[str],
) -> Term:
    match = _TERM.match(text)
    if match is None:
        raise DomainError(f"{where}: expected a term such as 'reach(object)', found {text!r}")
    arguments = tuple(a.strip() for a in (match[3] or "").split(",") if a.strip())
    word, error = match[2], match[4] or ""
    # a word that ends in _a names an affordance, "is" one after an argument
    names = () if word in ABILITY_WORDS else arguments[:1] if word == "is" else arguments
    unknown = [a for a in names if a not in named]
    if unknown:
        raise DomainError(f"{where}: {text!r} names {unknown[0]!r}, which is no argument")
    if error and error not in CLASSES:
        raise DomainError(f"{where}: expected one of {', '.join(CLASSES)}, found {error!r}")
    state = word in fluents and len(arguments) == 1
    relation = word in relations and len(arguments) == 2
    if match[1] and not (state or relation):
        raise DomainError(f"{where}: only a state or relation can be negated, found {text!r}")
    return Term(word, arguments, bool(match[1]), state, relation, error)


def _known(where: str, row: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(set(row) - known)
    if unknown:
        raise DomainError(f"{where}: unknown field {unknown[0]!r}; known: {sorted(known)}")
