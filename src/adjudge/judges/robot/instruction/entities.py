"""What the clauses speak of: one entity for each thing, or group of things, meant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.phrases import NounPhrase
from adjudge.judges.robot.instruction.resolve import Found, Resolver
from adjudge.judges.robot.instruction.shapes import (
    chosen_apart,
    either,
    every,
    substituted,
    variables,
)
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.nouns import Noun

_LETTERS = "xyzwut"

_MOST_SPELT_OUT = 200

Quantity = Literal["one", "all"] | int
"""How many are meant: one, all there are, or at least so many."""


@dataclass(eq=False, slots=True)
class Entity:
    """One thing or group.

    ``argument`` stands for it in a goal: the object's id where one is meant, else a variable. It
    is the same for the same thing.
    """

    phrase: NounPhrase
    found: Found
    quantity: Quantity
    variable: str
    kind: Noun | None
    demanded: set[str] = field(default_factory=set)
    other: Entity | None = None
    clause: int = 0
    argument: str = field(init=False)

    def __post_init__(self) -> None:
        one = self.quantity in ("one", "all") and len(self.found.ids) < 2
        self.argument = self.found.name if one else self.variable

    @property
    def open(self) -> bool:
        """Whether its argument is a variable."""
        return self.argument is self.variable

    @property
    def name(self) -> str:
        """What a text calls it."""
        return self.found.ids[0] if len(self.found.ids) == 1 else self.found.name

    def each(self) -> list[Entity]:
        """One entity for each object it may be; itself where that is settled."""
        if not self.open:
            return [self]
        if len(self.found.ids) > _MOST_SPELT_OUT:
            raise Refused(f"too many things that {self.name!r} could be")
        return [
            replace(self, found=replace(self.found, ids=(i,), name=i), quantity="one")
            for i in self.found.ids
        ]

    @property
    def fixed(self) -> bool:
        """Whether it is furniture or a device."""
        return self.kind is not None and self.kind.fixed


class Entities:
    """Makes entities of phrases, remembers them, and binds their variables at the end."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.known: list[Entity] = []
        self.clause = 0

    def of(self, phrase: NounPhrase) -> Entity:
        """The entity a phrase means: one spoken of before where it says so, else a new one."""
        for earlier in reversed(self.known):
            if self._same(earlier, phrase):
                return earlier
        phrase = self.resolver.settled(phrase)
        room = self.resolver.places.room(phrase.words)
        if room is not None:
            return self._new(phrase, Found((room,), (), room, room=True), "one")
        found = self.resolver.find(phrase)
        return self._new(phrase, found, self._quantity(phrase, found))

    def another(self, entity: Entity) -> Entity:
        """A second one of the same kind, to which something else must happen."""
        if not entity.open:
            raise Refused(f"no other {entity.name!r}")
        second = replace(entity, variable=self._variable(), demanded=set(), other=entity)
        self.known.append(second)
        return second

    def _variable(self) -> str:
        taken = sum(entity.open for entity in self.known)
        return f"${_LETTERS[taken] if taken < len(_LETTERS) else f'x{taken}'}"

    def named(self, noun: str) -> Entity:
        """The entity of a noun of the verb file ("toaster oven")."""
        words = tuple(noun.split())
        phrase = NounPhrase(words, words, "the")
        for earlier in reversed(self.known):
            if self._same(earlier, phrase):
                return earlier
        return self._new(phrase, self.resolver.of_noun(noun), "one")

    def _new(self, phrase: NounPhrase, found: Found, quantity: Quantity) -> Entity:
        entity = Entity(phrase, found, quantity, self._variable(), self._kind(found))
        entity.clause = self.clause
        self.known.append(entity)
        return entity

    def kind_of(self, phrase: NounPhrase) -> Noun | None:
        """What kind of thing a phrase names, whichever it is."""
        return self._kind(self.resolver.find(replace(phrase, where=(), traits=())))

    def _kind(self, found: Found) -> Noun | None:
        for category in found.categories:
            kind = self.resolver.kind(category)
            if kind is not None:
                return kind
        return None

    @staticmethod
    def _same(earlier: Entity, phrase: NounPhrase) -> bool:
        return (
            earlier.phrase.words == phrase.words
            and earlier.phrase.of == phrase.of
            and phrase.determiner in ("the", "bare", "both", "all")
            and phrase.number in (None, earlier.phrase.number)
            and earlier.phrase.plural == phrase.plural
            and phrase.where in ((), earlier.phrase.where)
        )

    def _quantity(self, phrase: NounPhrase, found: Found) -> Quantity:
        count, head = len(found.ids), phrase.surface[-1] if phrase.surface else ""
        if phrase.number is not None:
            return "all" if count == phrase.number else phrase.number
        if phrase.determiner == "both":
            if count > 2:
                raise Refused(f"'both' of {count} things named {found.name!r}")
            return "all" if count == 2 else 2
        if phrase.determiner == "all":
            return "all"
        if not phrase.plural or (count == 1 and found.ids[0].endswith(head)):
            return "one"
        if phrase.determiner == "a":
            raise Refused(f"cannot tell how many {head}")
        if phrase.determiner == "bare" and self.resolver.lexicon.closed and count > 2:
            raise Refused(f"cannot tell how many {head}")
        return "all"

    def bound(self, goals: list[JsonObject]) -> list[JsonObject]:
        """The goals with every variable bound or replaced by a ``?category``."""
        open_ = [entity for entity in self.known if entity.open]
        for entity in sorted(open_, key=lambda entity: entity.quantity == "one"):
            using = [goal for goal in goals if entity.variable in variables(goal)]
            if not using:
                continue
            domain = self._domain(entity) if entity.quantity == "one" else None
            if domain and len(using) == 1 and chosen_apart(using[0], entity.variable):
                goals = [substituted(goal, entity.variable, domain) for goal in goals]
                continue
            merged = self._quantified(entity, every(using))
            place = goals.index(using[0])
            goals = [goal for goal in goals if goal not in using]
            goals.insert(place, merged)
        return goals

    def _domain(self, entity: Entity) -> str | None:
        """``?category`` where the entity may be any object of its categories."""
        lexicon = self.resolver.lexicon
        everything = [i for c in entity.found.categories for i in lexicon.by_category.get(c, ())]
        if set(everything) != set(entity.found.ids):
            return None
        return "?" + "|".join(entity.found.categories)

    def _quantified(self, entity: Entity, body: JsonObject) -> JsonObject:
        domain = self._domain(entity)
        if domain is None:
            if len(entity.found.ids) > _MOST_SPELT_OUT:
                raise Refused(f"too many things that {entity.name!r} could be")
            each = [substituted(body, entity.variable, name) for name in entity.found.ids]
            if entity.quantity == "all":
                return every(each)
            if entity.quantity == "one":
                return either(each)
            raise Refused(f"cannot count {entity.name!r}")
        bare = entity.variable[1:]
        if entity.quantity == "all":
            return {"forall": [bare, domain, body]}
        if entity.quantity == "one":
            return {"exists": [bare, domain, body]}
        return {"count": [bare, domain, entity.quantity, body]}
