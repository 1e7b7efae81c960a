"""A clause: one verb with its objects and places, or a state of affairs. Text alone decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudge.judges.robot.instruction.phrase_reader import PhraseReader
from adjudge.judges.robot.instruction.phrases import NounPhrase, Phrase, preposition
from adjudge.judges.robot.instruction.splitting import Link
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import (
    ADVERBS,
    COPULA,
    DEFINITE,
    PART_NOUNS,
    PARTICLES,
)
from adjudge.judges.robot.verbs import Verb, VerbTable

_SAYS_NOTHING = ("turned", "switched", "placed", "put", "located")


@dataclass(frozen=True, slots=True)
class Clause:
    """One verb with what it acts on. ``link`` is how it follows the clause before it."""

    name: str
    verb: Verb
    objects: tuple[NounPhrase, ...]
    phrases: tuple[Phrase, ...]
    link: Link = "and"


@dataclass(frozen=True, slots=True)
class Statement:
    """A state of affairs that is to be brought about: "the mug is on the table"."""

    subjects: tuple[NounPhrase, ...]
    phrase: Phrase | None
    state: str | None
    link: Link = "and"


class ClauseReader:
    """Reads clauses with the verbs of a table."""

    def __init__(self, verbs: VerbTable) -> None:
        self._verbs = verbs
        self._reader = PhraseReader(verbs)

    def read(self, tokens: list[str], link: Link) -> list[Clause | Statement]:
        """The clause that words make; several where they name further objects without a verb.

        Raises ``Refused`` where a word is left over or the verb is unknown.
        """
        statement = self._statement(tokens, link)
        if statement is not None:
            return [statement]
        name, at = self._verb(tokens)
        while at < len(tokens) and tokens[at] in ADVERBS | {"me", "us"}:
            at += 1
        return self._arguments(name, tokens, at, link)

    def _verb(self, tokens: Sequence[str]) -> tuple[str, int]:
        for words, name in self._verbs.by_form.get(tokens[0], ()):
            if tuple(tokens[1 : len(words)]) == words[1:]:
                return name, len(words)
        for words, _ in self._verbs.by_form.get(tokens[0], ()):
            if len(words) == 2 and words[1] in tokens:
                return words[0], 1
        raise Refused(f"unknown verb {tokens[0]!r}")

    def _arguments(
        self, name: str, tokens: list[str], at: int, link: Link
    ) -> list[Clause | Statement]:
        objects: tuple[NounPhrase, ...] = ()
        phrases: list[Phrase] = []
        if preposition(tokens, at) is None:
            found = self._reader.read_list(tokens, at)
            if found is not None:
                objects, at = found
        while at < len(tokens):
            before = at
            name, at = self._particle(name, tokens, at)
            if at > before:
                continue
            if tokens[at : at + 2] in (["to", "me"], ["to", "us"]):
                at += 2
                continue
            found_prep = preposition(tokens, at)
            if found_prep is None:
                if tokens[at] in ADVERBS or tokens[at] in (",", "away", "back", "up", "over"):
                    at += 1
                    continue
                raise Refused(f"cannot follow {' '.join(tokens[at : at + 3])!r}")
            prep, moving, after = found_prep
            found = self._reader.read_list(tokens, after)
            if found is None:
                if prep == "landmark" and after == len(tokens):
                    break
                if prep not in ("in", "under", "on") or after < len(tokens):
                    raise Refused(f"nothing after {' '.join(tokens[at:after])!r}")
                phrases.append(Phrase(prep, (), moving))
                at = after
                continue
            at = found[1]
            if _mere_side(found[0]):
                continue
            phrases.append(Phrase(prep, found[0], moving))
            following = preposition(tokens, at)
            further = following is not None and (prep == "from") == (following[0] == "from")
            if len(found[0]) > 1 and further:
                return self._split_list(name, objects, phrases, tokens, at, link)
        return [self._finished(name, objects, phrases, link)]

    def _particle(self, name: str, tokens: Sequence[str], at: int) -> tuple[str, int]:
        """ "turn the lamp on", "throw the apple away in the bin"."""
        word = tokens[at]
        longer = f"{name} {word}"
        place = preposition(tokens, at)
        if place is not None and place[2] > at + 1:
            return name, at
        if word in PARTICLES and longer in self._verbs.by_name:
            following = self._reader.read(tokens, at + 1) if word in ("on", "off", "in") else None
            if following is None:
                return longer, at + 1
        return name, at

    def _split_list(
        self,
        name: str,
        objects: tuple[NounPhrase, ...],
        phrases: list[Phrase],
        tokens: list[str],
        at: int,
        link: Link,
    ) -> list[Clause | Statement]:
        """ "The apple in the bowl and the cup on the shelf": the last is a new object."""
        last = phrases.pop()
        phrases.append(replace(last, nouns=last.nouns[:-1]))
        first = self._finished(name, objects, phrases, link)
        moved = replace(last.nouns[-1], conjunct=False)
        rest = self._arguments(name, ["it", *tokens[at:]], 0, "and")
        head = rest[0]
        assert isinstance(head, Clause)
        return [first, replace(head, objects=(moved,)), *rest[1:]]

    def _finished(
        self, name: str, objects: tuple[NounPhrase, ...], phrases: list[Phrase], link: Link
    ) -> Clause:
        verb = self._verbs.by_name.get(name)
        if verb is None:
            raise Refused(f"unknown verb {name!r}")
        return Clause(name, verb, objects, tuple(phrases), link)

    def _statement(self, tokens: list[str], link: Link) -> Statement | None:
        """ "make sure that the mug is on the table", "the mug should be clean"."""
        at = 0
        if tokens[:2] == ["make", "sure"] or tokens[:1] == ["ensure"]:
            at = 2 if tokens[0] == "make" else 1
            at += tokens[at : at + 1] == ["that"]
        else:
            demanded = _demanding(tokens)
            if not demanded:
                if tokens[0] in DEFINITE:
                    raise Refused("says how things are, not what to do")
                return None
            tokens = demanded
        found = self._reader.read_list(tokens, at)
        if found is None:
            raise Refused("no subject")
        subjects, end = found
        while (place := preposition(tokens, end)) is not None:
            inner = self._reader.read(tokens, place[2])
            if inner is None or len(subjects) != 1:
                raise Refused("cannot tell what a place belongs to")
            where = (*subjects[0].where, Phrase(place[0], (inner[0],)))
            subjects, end = (replace(subjects[0], where=where),), inner[1]
        rest = tokens[end:]
        if rest[:1] != ["be"] and not (rest and rest[0] in COPULA):
            raise Refused(f"cannot follow {' '.join(tokens[:3])!r}")
        rest = [word for word in rest[1:] if word not in _SAYS_NOTHING]
        if len(rest) == 1:
            return Statement(subjects, None, rest[0], link)
        prep = preposition(rest, 0)
        places = self._reader.read_list(rest, prep[2]) if prep else None
        if prep is None or places is None or places[1] != len(rest) or len(places[0]) != 1:
            raise Refused(f"cannot follow {' '.join(rest)!r}")
        return Statement(subjects, Phrase(prep[0], places[0]), None, link)


def _mere_side(nouns: Sequence[NounPhrase]) -> bool:
    """ "To the left", "in the corner"."""
    words = nouns[0].words if len(nouns) == 1 else ()
    return len(words) == 1 and words[0] in PART_NOUNS - {"light"}


def _demanding(tokens: list[str]) -> list[str]:
    """ "X should be …", "X needs to be …" as "X is …"; nothing where it is neither."""
    for words in (["should", "be"], ["must", "be"], ["needs", "to", "be"], ["need", "to", "be"]):
        for at in range(1, len(tokens) - len(words)):
            if tokens[at : at + len(words)] == words:
                return [*tokens[:at], "is", *tokens[at + len(words) :]]
    return []
