"""Names to the objects of a case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from adjudge.judges.robot.case import default_category
from adjudge.judges.robot.instruction.naming import singular
from adjudge.judges.robot.instruction.phrases import NounPhrase
from adjudge.judges.robot.instruction.places import Places
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import LIDS, PART_NOUNS, SLICE_NOUNS
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.nouns import Noun, default_nouns, squash


@dataclass(frozen=True, slots=True)
class Found:
    """What a name comes to: object ids and their categories, no ids where there is none.

    ``sliced``: the name asks for a slice of it. ``room``: it is a room. ``singled``: one of several
    of its kind was singled out.
    """

    ids: tuple[str, ...]
    categories: tuple[str, ...]
    name: str
    sliced: bool = False
    room: bool = False
    singled: bool = False


class Resolver:
    """Looks names up among the objects and rooms of one case.

    A name means the object with that id; else the objects of that category; of a category that is
    another name for it, or a narrower one, or ends in it; else the same for its last words alone.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._nouns = default_nouns()
        self._categories = lexicon.by_category
        self.places = Places(lexicon)
        self._squashed: tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]] | None = None

    def kind(self, category: str) -> Noun | None:
        """What is known of a category."""
        return self._nouns.kind(category)

    def settled(self, phrase: NounPhrase) -> NounPhrase:
        """The phrase, its head a plural after all where only that names something here.

        "The glasses" are spectacles, or several a glass.
        """
        head, plural = singular(phrase.words[-1])
        words = (*phrase.words[:-1], head)
        if phrase.plural or not plural or self._called(phrase.words) or not self._called(words):
            return phrase
        return replace(phrase, words=words, plural=True)

    def of_noun(self, noun: str) -> Found:
        """The objects that a noun of the verb file may mean."""
        ids = self._lookup(tuple(noun.split()))
        if not ids:
            name = noun.replace(" ", "_")
            return Found((), (name,), name)
        categories = tuple(dict.fromkeys(self.lexicon.objects[name] for name in ids))
        return Found(ids, categories, ids[0] if len(ids) == 1 else categories[0])

    def find(self, phrase: NounPhrase) -> Found:
        """The objects that a phrase may mean. Raises ``Refused`` where that cannot be told."""
        if phrase.of and self._serves(phrase):
            return self._served(phrase)
        vague = phrase.plural and squash(phrase.surface[-1]) in self._nouns.vague
        for words in _spellings(phrase):
            ids = self._id(words) if vague else self._lookup(words)
            if ids:
                return self._narrowed(ids, phrase, ())
        words = phrase.words
        if vague:
            raise Refused(f"cannot tell what {' '.join(phrase.surface)!r} are")
        if len(words) > 1 and words[-1] in SLICE_NOUNS:
            uncut = replace(phrase, words=words[:-1], surface=words[:-1], of=())
            return replace(self.find(uncut), sliced=True)
        whole = words[:-1] if words[-1] in LIDS else ()
        if whole and (self._lookup(whole) or "".join(whole) in self._nouns.by_name):
            return self.find(replace(phrase, words=whole, surface=whole))
        for start in range(1, len(words)):
            if "".join(words[start - 1 :]) in self._nouns.by_name:
                break
            ids = self._lookup(words[start:])
            if ids:
                if any(self._id((word,)) for word in words[:start]):
                    raise Refused(f"cannot tell what {' '.join(phrase.surface)!r} is")
                return self._narrowed(ids, phrase, words[:start])
        row = self._nouns.by_name.get("".join(words))
        for wider in row.wider if row else ():
            ids = self._called(tuple(wider.split()))
            if ids:
                return self._narrowed(ids, phrase, ())
        return self._absent(phrase)

    def _serves(self, phrase: NounPhrase) -> bool:
        """Whether it is a dish of something: "a cup of tea"."""
        row = self._nouns.by_name.get("".join(phrase.words))
        return phrase.of[-1] != phrase.words[-1] and row is not None and row.vessel

    def _served(self, phrase: NounPhrase) -> Found:
        """The dish that holds it, where the scene says; the food itself where no dish is known."""
        compound = self._id((*phrase.of, *phrase.words))
        if compound:
            return self._narrowed(compound, phrase, ())
        content = set(self._lookup(phrase.of))
        dishes = self._lookup(phrase.words)
        holding = tuple(d for d in dishes if any(d in self.places.around(c) for c in content))
        if holding or (content and not dishes and not self.lexicon.closed):
            return self._narrowed(holding or tuple(content), phrase, ())
        raise Refused(f"cannot tell which {phrase.words[-1]} of {' '.join(phrase.of)} is meant")

    def _lookup(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The ids that these words, all of them, may mean."""
        found = self._called(words)
        if found:
            return found
        name, key = "_".join(words), "".join(words)
        narrower = [squash(n) for row in self._nouns.by_wider.get(key, ()) for n in row.names]
        found = self._of_keys(narrower)
        if words[-1] in PART_NOUNS:
            return found
        ending = self._of(c for c in self._categories if c.endswith("_" + name))
        return tuple(dict.fromkeys([*found, *ending]))

    def _called(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of what is called so, or by another name for the same."""
        ids = self._id(words)
        if ids:
            return ids
        row = self._nouns.by_name.get("".join(words))
        return self._of_keys(map(squash, row.names)) if row is not None else ()

    def _id(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of exactly this category, or this id."""
        name, key = "_".join(words), "".join(words)
        if name in self._categories:
            return self._categories[name]
        if name in self.lexicon.objects:
            return (name,)
        ids, categories = self._index()
        if key in categories:
            return self._of(categories[key])
        return (ids[key],) if key in ids else ()

    def _index(self) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
        if self._squashed is None:
            categories: dict[str, tuple[str, ...]] = {}
            for category in self._categories:
                key = squash(category)
                categories[key] = (*categories.get(key, ()), category)
            self._squashed = {squash(name): name for name in self.lexicon.objects}, categories
        return self._squashed

    def _of(self, categories: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for category in categories for name in self._categories[category])

    def _of_keys(self, keys: Iterable[str]) -> tuple[str, ...]:
        index = self._index()[1]
        return tuple(i for key in dict.fromkeys(keys) for i in self._of(index.get(key, ())))

    def _absent(self, phrase: NounPhrase) -> Found:
        """A thing that is not there. Only where the words are sure to be a name."""
        words, shown = phrase.words, " ".join(phrase.surface)
        vague = self._nouns.vague
        if squash(words[-1]) in vague or squash(phrase.surface[-1]) in vague:
            raise Refused(f"cannot tell what {shown!r} is")
        known = any("".join(words[start:]) in self._nouns.by_name for start in range(len(words)))
        if not known and phrase.conjunct and phrase.determiner == "bare" and not phrase.plural:
            raise Refused(f"no such thing as {shown!r}")
        parts = any(self._lookup(words[:end]) for end in range(1, len(words)))
        if not known and (parts or any(t in self._nouns.by_name for t in phrase.traits)):
            raise Refused(f"cannot tell what {shown!r} is")
        name = "_".join(phrase.of or words)
        return Found((), (default_category(name),), name)

    def _narrowed(
        self, ids: tuple[str, ...], phrase: NounPhrase, dropped: tuple[str, ...]
    ) -> Found:
        """The candidates that the rest of the phrase leaves."""
        if len(ids) == 1 and not phrase.where and not dropped:
            category = self.lexicon.objects[ids[0]]
            return Found(ids, (category,), ids[0], singled=len(self._categories[category]) > 1)
        rooms, dropped = self._rooms(phrase, dropped)
        kept = self._in_rooms(ids, rooms)
        for where in phrase.where:
            kept = self._at(kept, where.nouns)
        for trait in (*phrase.traits, *dropped):
            kept = self._with_trait(kept, trait)
        categories = tuple(dict.fromkeys(self.lexicon.objects[name] for name in kept))
        singled = len(kept) == 1 and len(self._of(categories)) > 1
        name = kept[0] if len(kept) == 1 else categories[0]
        return Found(kept, categories, name, singled=singled)

    def _rooms(
        self, phrase: NounPhrase, dropped: tuple[str, ...]
    ) -> tuple[list[str], tuple[str, ...]]:
        """The rooms that a phrase says something is in, and the dropped words that are none."""
        found = [
            r for where in phrase.where for n in where.nouns if (r := self.places.room(n.words))
        ]
        for end in range(len(dropped), 0, -1):
            room = self.places.room(dropped[:end])
            if room is not None or "".join(dropped[:end]) in self._nouns.rooms:
                return [*found, room or "_".join(dropped[:end])], dropped[end:]
        return found, dropped

    def _in_rooms(self, ids: tuple[str, ...], rooms: Iterable[str]) -> tuple[str, ...]:
        for room in rooms:
            named = tuple(i for i in ids if squash(room) in squash(i))
            inside = tuple(i for i in ids if self.places.room_of(i) == room)
            unknown = tuple(i for i in ids if self.places.room_of(i) is None)
            kept = inside or named or unknown
            if not kept:
                raise Refused(f"nothing of that name in {room!r}")
            if self.lexicon.closed and not (inside or named) and len(unknown) > 1:
                raise Refused(f"cannot tell which is in {room!r}")
            ids = kept
        return ids

    def _at(self, ids: tuple[str, ...], nouns: tuple[NounPhrase, ...]) -> tuple[str, ...]:
        """Those that are in, on or at the things named; all where there is nothing to choose."""
        if len(ids) == 1 or len(nouns) != 1 or self.places.room(nouns[0].words) is not None:
            return ids
        if nouns[0].pronoun or not nouns[0].words:
            raise Refused("cannot tell which is meant")
        places = set(self.find(nouns[0]).ids)
        kept = tuple(i for i in ids if places & set(self.places.around(i)))
        if not kept and self.lexicon.closed:
            raise Refused(f"cannot tell which is at {' '.join(nouns[0].surface)!r}")
        return kept or ids

    def _with_trait(self, ids: tuple[str, ...], trait: str) -> tuple[str, ...]:
        if len(ids) == 1:
            return ids
        kept = tuple(i for i in ids if trait in i.split("_"))
        if not kept and self.lexicon.closed:
            raise Refused(f"cannot tell which is {trait!r}")
        return kept or ids


def _spellings(phrase: NounPhrase) -> Iterator[tuple[str, ...]]:
    """The ways in which a case may spell a name, the likeliest first."""
    words, of = phrase.words, phrase.of
    if of:
        yield of if of[-1] == words[-1] else (*of, words[-1])
        yield of
    if phrase.surface != words:
        yield phrase.surface
    for trait in phrase.traits:
        yield (trait, *words)
    yield words
    if words[-1] in SLICE_NOUNS and len(words) > 1:
        yield ("sliced", *words[:-1])
        yield (*words[:-1], "sliced")
    yield (*words[:-1], words[-1] + "s")
