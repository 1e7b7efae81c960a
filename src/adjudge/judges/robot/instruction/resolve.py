"""Names to the objects of a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from adjudge.judges.robot.case import default_category
from adjudge.judges.robot.instruction.phrases import NounPhrase
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import ROOM_WORDS, SLICE_NOUNS, VAGUE
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.nouns import Noun, Nouns, default_nouns, squash

Quantity = Literal["one", "all"] | int


@dataclass(frozen=True, slots=True)
class Found:
    """What a name comes to: object ids, their categories; none where there is no such thing."""

    ids: tuple[str, ...]
    categories: tuple[str, ...]
    name: str
    sliced: bool = False
    room: bool = False
    singled: bool = False


class Resolver:
    """Looks names up among the objects and rooms of one case."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._nouns: Nouns = default_nouns()
        self._categories = lexicon.by_category
        self._squashed_ids: Mapping[str, str] | None = None
        self._squashed_categories: Mapping[str, tuple[str, ...]] | None = None

    def kind(self, category: str) -> Noun | None:
        """The noun row of a category."""
        return self._nouns.kind(category)

    def is_room(self, phrase: NounPhrase) -> str | None:
        """The room that a phrase names, if it names one."""
        name = "_".join(phrase.words)
        for room in self.lexicon.rooms:
            if squash(room) == squash(name):
                return room
        matching = [r for r in self.lexicon.rooms if squash(default_category(r)) == squash(name)]
        if len(matching) == 1:
            return matching[0]
        if not self.lexicon.closed and name in ROOM_WORDS:
            return name
        return None

    def find(self, phrase: NounPhrase) -> Found:
        """The objects a phrase may mean. Raises ``Refused`` where that cannot be told."""
        for words in self._spellings(phrase):
            found = self._lookup(words)
            if found is not None:
                return self._narrowed(found, phrase)
        words = phrase.words
        if len(words) > 1 and words[-1] in SLICE_NOUNS:
            whole = self._lookup(words[:-1])
            name = "_".join(words[:-1])
            ids, categories = whole if whole else ((), ())
            return self._narrowed((ids, categories), phrase, name, sliced=True)
        for start in range(1, len(words)):
            if self._nouns.by_name.get("".join(words[start - 1 :])):
                break
            found = self._lookup(words[start:])
            if found is not None:
                return self._narrowed(found, phrase)
        for row in self._nouns.by_name.get("".join(words), ()):
            for wider in row.wider:
                ids = self._of_category(squash(wider))
                if ids:
                    return self._narrowed(ids, phrase)
        return self._absent(phrase)

    def _spellings(self, phrase: NounPhrase) -> Iterable[tuple[str, ...]]:
        if phrase.of:
            yield (*phrase.of, phrase.words[-1]) if phrase.of[-1] != phrase.words[-1] else phrase.of
            yield phrase.of
        if phrase.surface != phrase.words:
            yield phrase.surface
        if phrase.traits:
            for trait in phrase.traits:
                yield (trait, *phrase.words)
        yield phrase.words
        if phrase.words[-1] in SLICE_NOUNS and len(phrase.words) > 1:
            yield ("sliced", *phrase.words[:-1])
            yield (*phrase.words[:-1], "sliced")

    def _lookup(self, words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        name = "_".join(words)
        lexicon = self.lexicon
        if name in lexicon.objects and name not in self._categories:
            return (name,), (lexicon.objects[name],)
        if name in self._categories:
            return self._categories[name], (name,)
        key = "".join(words)
        exact = self._id(key)
        if exact is not None:
            return (exact,), (lexicon.objects[exact],)
        ids = self._of_category(key)
        if ids:
            return ids
        for row in self._nouns.by_name.get(key, ()):
            found = self._union(squash(other) for other in row.names)
            if found:
                return found
        narrower = [
            squash(row_name) for row in self._nouns.by_wider.get(key, ()) for row_name in row.names
        ]
        ending = [squash(c) for c in self._categories if c.endswith("_" + name)]
        return self._union(dict.fromkeys([*narrower, *ending]))

    def _id(self, key: str) -> str | None:
        if self._squashed_ids is None:
            self._squashed_ids = {squash(name): name for name in self.lexicon.objects}
        found = self._squashed_ids.get(key)
        return None if found is None or found in self._categories else found

    def _of_category(self, key: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        if self._squashed_categories is None:
            index: dict[str, tuple[str, ...]] = {}
            for category in self._categories:
                index[squash(category)] = (*index.get(squash(category), ()), category)
            self._squashed_categories = index
        categories = self._squashed_categories.get(key, ())
        ids = tuple(name for category in categories for name in self._categories[category])
        return (ids, categories) if ids else None

    def _union(self, keys: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        ids: list[str] = []
        categories: list[str] = []
        for key in keys:
            found = self._of_category(key)
            if found:
                ids.extend(found[0])
                categories.extend(found[1])
        return (tuple(ids), tuple(categories)) if ids else None

    def _absent(self, phrase: NounPhrase) -> Found:
        if phrase.words[-1] in VAGUE:
            raise Refused(f"cannot tell what {' '.join(phrase.surface)!r} is")
        if phrase.conjunct and phrase.determiner == "bare" and not phrase.plural:
            key = "".join(phrase.words)
            if not (self._nouns.by_name.get(key) or self._nouns.by_name.get(phrase.words[-1])):
                raise Refused(f"no such thing as {' '.join(phrase.surface)!r}")
        name = "_".join(phrase.of or phrase.words)
        return Found((), (default_category(name),), name)

    def _narrowed(
        self,
        found: tuple[tuple[str, ...], tuple[str, ...]],
        phrase: NounPhrase,
        name: str | None = None,
        sliced: bool = False,
    ) -> Found:
        ids, categories = found
        if not ids:
            return Found((), (name or "",), name or "", sliced)
        singled = False
        if len(ids) > 1:
            kept = self._in_rooms(ids, phrase)
            kept = self._with_traits(kept, phrase)
            singled = len(kept) < len(ids)
            ids = kept
        return Found(
            ids, categories, ids[0] if len(ids) == 1 else categories[0], sliced, False, singled
        )

    def _in_rooms(self, ids: tuple[str, ...], phrase: NounPhrase) -> tuple[str, ...]:
        rooms = [
            word for word in phrase.words[:-1] if word in ROOM_WORDS or word in self.lexicon.rooms
        ]
        for where in phrase.where:
            for noun in where.nouns:
                room = self.is_room(noun)
                if room is not None:
                    rooms.append(room)
                elif where.nouns:
                    return self._at_place(ids, noun, rooms)
        return self._filter_rooms(ids, rooms)

    def _filter_rooms(self, ids: tuple[str, ...], rooms: list[str]) -> tuple[str, ...]:
        for room in rooms:
            named = tuple(i for i in ids if self.room_of(i) in (None, room) or room in i.split("_"))
            sure = tuple(i for i in named if self.room_of(i) is not None or room in i.split("_"))
            if self.lexicon.closed and not sure:
                raise Refused(f"nothing of that name in the {room}")
            ids = sure or ids
        return ids

    def _at_place(
        self, ids: tuple[str, ...], noun: NounPhrase, rooms: list[str]
    ) -> tuple[str, ...]:
        places = self.find(noun).ids
        kept = tuple(
            i for i in ids if i in self.lexicon.places and self.lexicon.places[i][1] in places
        )
        if not kept and self.lexicon.closed:
            raise Refused(f"cannot tell which is at {' '.join(noun.surface)!r}")
        return self._filter_rooms(kept or ids, rooms)

    def _with_traits(self, ids: tuple[str, ...], phrase: NounPhrase) -> tuple[str, ...]:
        for trait in phrase.traits:
            kept = tuple(i for i in ids if trait in i.split("_"))
            if not kept and self.lexicon.closed and len(ids) > 1:
                raise Refused(f"cannot tell which is {trait!r}")
            ids = kept or ids
        return ids

    def room_of(self, name: str) -> str | None:
        """The room an object is in, as far as the stated places say."""
        for _ in range(64):
            place = self.lexicon.places.get(name)
            if place is None:
                return None
            relation, name = place
            if relation == "room":
                return default_category(name)
        return None
