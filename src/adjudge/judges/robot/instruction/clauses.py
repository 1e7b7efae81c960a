"""Sentences to clauses: one verb each, with its objects and places. Text alone decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from adjudge.judges.robot.instruction.phrases import (
    NounPhrase,
    Phrase,
    PhraseReader,
    preposition,
)
from adjudge.judges.robot.instruction.tokens import Refused, sentences
from adjudge.judges.robot.instruction.words import (
    ADVERBS,
    COPULA,
    DEFINITE,
    FILLERS,
    INDEFINITE,
    LEAD_INS,
    NUMBERS,
    OTHER_VERBS,
    PARTICLES,
)
from adjudge.judges.robot.nouns import default_nouns, squash
from adjudge.judges.robot.verbs import Verb, VerbTable

Link = Literal["and", "then", "while", "to"]

_SEQUELS = frozenset(
    ["then", "next", "finally", "afterwards", "afterward", "lastly", "subsequently"]
)
_CONNECTORS = _SEQUELS | {",", "and", "also", "please"}
_ADJECTIVE_VERBS = frozenset(["open", "empty", "clean", "dry", "warm", "cool", "close"])


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


@lru_cache(maxsize=4096)
def parse(text: str, verbs: VerbTable) -> tuple[Clause | Statement, ...] | str:
    """The clauses of an instruction in the order they are to be done, or why there are none."""
    try:
        found: list[Clause | Statement] = []
        for words in sentences(text):
            found.extend(_Sentence(words, verbs).clauses())
        return tuple(_shared_objects(found))
    except Refused as refused:
        return str(refused)


def _shared_objects(clauses: list[Clause | Statement]) -> list[Clause | Statement]:
    """Gives "wash and dry the mug" the same object twice."""
    for place in range(len(clauses) - 2, -1, -1):
        clause, following = clauses[place], clauses[place + 1]
        if (
            isinstance(clause, Clause)
            and isinstance(following, Clause)
            and clause.verb.rule != "go"
            and not clause.objects
            and not clause.phrases
            and following.link == "and"
        ):
            origins = tuple(p for p in following.phrases if p.prep == "from")
            clauses[place] = replace(clause, objects=following.objects, phrases=origins)
    return clauses


class _Sentence:
    def __init__(self, words: list[str], verbs: VerbTable) -> None:
        self._tokens = _held_in_hand(_without_fillers(words))
        self._verbs = verbs
        self._reader = PhraseReader(verbs)

    def clauses(self) -> list[Clause | Statement]:
        """The clauses of the sentence, "before" and "after" turned round."""
        tokens, order = self._fronted(_without_lead_in(self._tokens))
        found: list[Clause | Statement] = []
        for words, link in self._split(tokens):
            clause_words = _without_lead_in(words)
            if not clause_words:
                continue
            if link in ("before", "after"):
                later = self._clause(clause_words, "then")
                if link == "before" or not found:
                    found.extend(later)
                else:
                    found[:0] = later
                    found = _named_first(found)
            else:
                found.extend(self._clause(clause_words, link))  # type: ignore[arg-type]
        return _named_first(found[::-1]) if order == "before" else found

    def _fronted(self, tokens: list[str]) -> tuple[list[str], str | None]:
        """ "Before putting it there, wash it" and "After washing it, put it there"."""
        if tokens[:1] in (["before"], ["after"]) and "," in tokens and len(tokens) > 2:
            if tokens.count(",") != 1:
                raise Refused(f"cannot follow {tokens[0]!r}")
            if self._starts(tokens, 1):
                return tokens[1:], tokens[0]
        return tokens, None

    def _split(self, tokens: list[str]) -> list[tuple[list[str], str]]:
        found: list[tuple[list[str], str]] = []
        begin, link, at = 0, "and", 0
        while at < len(tokens):
            end, following = self._boundary(tokens, at)
            if end and at > begin:
                found.append((tokens[begin:at], link))
                begin, link, at = end, following, end
            at += 1
        found.append((tokens[begin:], link))
        return found

    def _boundary(self, tokens: list[str], at: int) -> tuple[int, str]:
        """Where the clause after ``at`` begins, 0 for none, and its link."""
        word = tokens[at]
        if _connects(tokens, at) or tokens[at : at + 2] == ["after", "that"]:
            end, link = at, "and"
            while end < len(tokens):
                if _connects(tokens, end):
                    link = "then" if tokens[end] in _SEQUELS else link
                    end += 1
                elif tokens[end : end + 2] == ["after", "that"]:
                    link, end = "then", end + 2
                elif tokens[end] == "to" and self._starts(tokens, end + 1):
                    end += 1
                elif tokens[end : end + 1] == ["make"] or tokens[end : end + 1] == ["ensure"]:
                    return end, link
                elif tokens[end] in ("while", "before", "after") and self._starts(tokens, end + 1):
                    return end + 1, tokens[end]
                else:
                    break
            if self._starts(tokens, end):
                return end, link
            if link == "then":
                raise Refused(f"unknown verb {' '.join(tokens[end : end + 1])!r}")
            return 0, ""
        if word in ("while", "before", "after") and self._starts(tokens, at + 1):
            return at + 1, word
        if tokens[at : at + 2] == ["prior", "to"] and self._starts(tokens, at + 2):
            return at + 2, "before"
        if word == "to" and at + 1 < len(tokens) and self._starts(tokens, at + 1):
            return at + 1, "to"
        return 0, ""

    def _starts(self, tokens: Sequence[str], at: int) -> bool:
        """Whether a clause begins at ``at``: a verb, and not a noun or adjective that looks it."""
        if at >= len(tokens):
            return False
        word = tokens[at]
        entries = self._verbs.by_form.get(word)
        if entries is None:
            return word in OTHER_VERBS and not self._may_be_noun(tokens, at)
        if any(
            len(words) > 1 and tuple(tokens[at : at + len(words)]) == words for words, _ in entries
        ):
            return True
        return not self._may_be_noun(tokens, at)

    def _may_be_noun(self, tokens: Sequence[str], at: int) -> bool:
        word = tokens[at]
        names = default_nouns().by_name
        doubtful = (
            squash(word) in names
            or word in self._verbs.by_adjective
            or word in _ADJECTIVE_VERBS
            or word in OTHER_VERBS
        )
        if not doubtful:
            return False
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        return not (
            following in DEFINITE
            or following in INDEFINITE
            or following in NUMBERS
            or following in ("it", "them", "all", "both", "each", "every")
        )

    def _clause(self, tokens: list[str], link: Link) -> list[Clause | Statement]:
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
        if preposition(tokens, at) is None or tokens[at] in ("light",):
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
                if tokens[at] in ADVERBS or tokens[at] == ",":
                    at += 1
                    continue
                if tokens[at] in ("away", "back", "up", "over"):
                    at += 1
                    continue
                return self._gapped(name, objects, phrases, tokens, at, link)
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
            phrases.append(Phrase(prep, found[0], moving))
            at = found[1]
            if len(found[0]) > 1 and preposition(tokens, at) is not None and prep != "from":
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

    def _gapped(
        self,
        name: str,
        objects: tuple[NounPhrase, ...],
        phrases: list[Phrase],
        tokens: list[str],
        at: int,
        link: Link,
    ) -> list[Clause | Statement]:
        raise Refused(f"cannot follow {' '.join(tokens[at : at + 3])!r}")

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
        rest = rest[1:]
        rest = [
            word for word in rest if word not in ("turned", "switched", "placed", "put", "located")
        ]
        if len(rest) == 1:
            return Statement(subjects, None, rest[0], link)
        prep = preposition(rest, 0)
        places = self._reader.read_list(rest, prep[2]) if prep else None
        if prep is None or places is None or places[1] != len(rest) or len(places[0]) != 1:
            raise Refused(f"cannot follow {' '.join(rest)!r}")
        return Statement(subjects, Phrase(prep[0], places[0]), None, link)


def _named_first(clauses: list[Clause | Statement]) -> list[Clause | Statement]:
    """Gives the object's name to the clause that is done first, the pronoun to the next."""
    first, second = clauses[0], clauses[1] if len(clauses) > 1 else None
    if isinstance(first, Clause) and isinstance(second, Clause):
        pronouns = [bool(c.objects) and c.objects[0].pronoun is not None for c in (first, second)]
        if pronouns == [True, False] and second.objects:
            return [
                replace(first, objects=second.objects),
                replace(second, objects=first.objects),
                *clauses[2:],
            ]
    return clauses


def _demanding(tokens: list[str]) -> list[str]:
    """ "X should be …", "X needs to be …" as "X is …"; nothing where it is neither."""
    for words in (["should", "be"], ["must", "be"], ["needs", "to", "be"], ["need", "to", "be"]):
        for at in range(1, len(tokens) - len(words)):
            if tokens[at : at + len(words)] == words:
                return [*tokens[:at], "is", *tokens[at + len(words) :]]
    return []


def _connects(tokens: Sequence[str], at: int) -> bool:
    return tokens[at] in _CONNECTORS and tuple(tokens[at : at + 2]) != ("next", "to")


def _without_fillers(tokens: list[str]) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(tokens):
        for old, new in FILLERS:
            if tuple(tokens[at : at + len(old)]) == old:
                found.extend(new)
                at += len(old)
                break
        else:
            found.append(tokens[at])
            at += 1
    return found


def _held_in_hand(tokens: list[str]) -> list[str]:
    """ "with a bat in hand" as "while holding a bat"."""
    for at, word in enumerate(tokens):
        if word in ("hand", "hands") and "with" in tokens[:at]:
            start = len(tokens[:at]) - 1 - tokens[:at][::-1].index("with")
            middle = tokens[start + 1 : at]
            while middle and middle[-1] in DEFINITE:
                middle = middle[:-1]
            if middle and middle[-1] == "in":
                held = ["while", "holding", *middle[:-1]]
                return [*tokens[:start], *held, *tokens[at + 1 :]]
    return tokens


def _without_lead_in(tokens: list[str]) -> list[str]:
    """The words less "please", "can you", "your task is to" at their head and tail."""
    begin = 0
    changed = True
    while changed and begin < len(tokens):
        changed = False
        for words in LEAD_INS:
            if tuple(tokens[begin : begin + len(words)]) == words:
                begin, changed = begin + len(words), True
                break
        if not changed and tokens[begin : begin + 1] == [","]:
            begin, changed = begin + 1, True
    end = len(tokens)
    while end > begin and tokens[end - 1] in ("please", "thanks", ",", "now", "too", "also"):
        end -= 1
    if tokens[begin:end][-2:] == ["thank", "you"]:
        end -= 2
    return tokens[begin:end]
