"""Words to noun phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudge.judges.robot.instruction.naming import named, of
from adjudge.judges.robot.instruction.phrases import Determiner, NounPhrase, Phrase, preposition
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import (
    ADVERBS,
    COPULA,
    DEFINITE,
    INDEFINITE,
    NUMBERS,
    REFUSED,
    RELATIVE,
    SELECTING,
    TRAITS,
)
from adjudge.judges.robot.nouns import default_nouns
from adjudge.judges.robot.verbs import VerbTable

_STOPS = frozenset(
    [",", "and", "then", "of", "it", "them", "itself", "me", "us", "while", "before"]
)
_CONTAINING = frozenset(["containing", "holding", "carrying"])


class PhraseReader:
    """Reads noun phrases from words, with the adjectives of a verb table."""

    def __init__(self, verbs: VerbTable) -> None:
        self._table = verbs
        self._wanting = verbs.by_adjective
        self._verbs = verbs.by_form
        self._names = default_nouns().by_name

    def read(self, tokens: Sequence[str], start: int) -> tuple[NounPhrase, int] | None:
        """The noun phrase that begins at ``start`` and where it ends; ``None`` where none does."""
        if start >= len(tokens):
            return None
        if tokens[start] in ("it", "them", "itself"):
            return NounPhrase(pronoun=tokens[start], plural=tokens[start] == "them"), start + 1
        determiner, number, at = self._determiner(tokens, start)
        words, at = self._words(tokens, at, determiner != "bare" or number is not None)
        if not words:
            if determiner in ("both", "all") and at > start and number is None:
                return NounPhrase(pronoun="them", plural=True), at
            if determiner in ("other", "another"):
                return NounPhrase(determiner=determiner, number=number), at
            if at == start:
                return None
            raise Refused(f"no noun after {' '.join(tokens[start:at])!r}")
        phrase = named(words, determiner, number, self._table)
        if tokens[start : start + 2] == ["one", "of"]:
            phrase = replace(phrase, plural=False)
        while at < len(tokens) and tokens[at] == "of":
            inner = self.read(tokens, at + 1)
            if inner is None or inner[0].pronoun:
                raise Refused("nothing after 'of'")
            phrase, at = of(phrase, inner[0]), inner[1]
        return self._after(phrase, tokens, at)

    def _determiner(self, tokens: Sequence[str], at: int) -> tuple[Determiner, int | None, int]:
        determiner: Determiner = "bare"
        number: int | None = None
        while at < len(tokens):
            word = tokens[at]
            if word in ("all", "every", "each"):
                determiner = "all"
            elif word == "both":
                determiner = "both"
            elif word in ("other", "another"):
                determiner = "other" if word == "other" else "another"
            elif tuple(tokens[at : at + 3]) == ("a", "couple", "of"):
                number, at = 2, at + 2
            elif word in DEFINITE:
                determiner = "the" if determiner == "bare" else determiner
            elif word in INDEFINITE:
                determiner = "a" if determiner == "bare" else determiner
            elif word in NUMBERS:
                number = NUMBERS[word]
            elif word.isdigit() and len(word) < 4 and int(word) > 0:
                number = int(word)
            elif word == "of" and (determiner in ("all", "both", "a") or number):
                pass
            else:
                break
            at += 1
        return determiner, None if number == 1 else number, at

    def _words(self, tokens: Sequence[str], at: int, begun: bool) -> tuple[list[str], int]:
        words: list[str] = []
        while at < len(tokens):
            word = tokens[at]
            if word in REFUSED:
                raise Refused(f"cannot follow {word!r}")
            if word == "back" and not words and tokens[at + 1 : at + 2] == ["of"]:
                words.append(word)
                at += 1
                continue
            if word in _STOPS or word in _CONTAINING or word in COPULA:
                break
            if word in ("up", "down", "away", "back", "over", "out") or word in DEFINITE:
                if words and words[-1] in self._wanting:
                    at += 1
                    continue
                break
            if words and word in INDEFINITE:
                break
            if word == "off" and words and words[-1] in self._wanting:
                at += 1
                continue
            if word in RELATIVE or preposition(tokens, at) is not None:
                break
            if word not in ADVERBS or (not words and begun):
                words.append(word)
            at += 1
        return words, at

    def _after(self, phrase: NounPhrase, tokens: Sequence[str], at: int) -> tuple[NounPhrase, int]:
        while at < len(tokens):
            if tokens[at] in RELATIVE and at + 2 < len(tokens) and tokens[at + 1] in COPULA:
                phrase, at = self._relative(phrase, tokens, at + 2)
                continue
            contents = self._contents(tokens, at)
            if contents is None:
                break
            phrase, at = replace(phrase, contents=contents[0]), contents[1]
        return phrase, at

    def _relative(
        self, phrase: NounPhrase, tokens: Sequence[str], at: int
    ) -> tuple[NounPhrase, int]:
        word = tokens[at]
        if word in self._wanting:
            return replace(phrase, wanted=(*phrase.wanted, word)), at + 1
        if word in SELECTING:
            return replace(phrase, selects=(*phrase.selects, SELECTING[word])), at + 1
        if word in TRAITS:
            return replace(phrase, traits=(*phrase.traits, word)), at + 1
        found = preposition(tokens, at)
        if found is not None:
            inner = self.read(tokens, found[2])
            if inner is not None:
                where = Phrase(found[0], (inner[0],))
                return replace(phrase, where=(*phrase.where, where)), inner[1]
        raise Refused(f"cannot follow {' '.join(tokens[at - 2 : at + 1])!r}")

    def _contents(
        self, tokens: Sequence[str], at: int
    ) -> tuple[tuple[NounPhrase, ...], int] | None:
        """``with a spoon in it``, ``containing a spoon``."""
        if tokens[at] not in _CONTAINING and tokens[at] != "with":
            return None
        inner = self.read_list(tokens, at + 1)
        if inner is None:
            return None
        nouns, end = inner
        found = preposition(tokens, end)
        if found is not None and found[0] in ("in", "on"):
            if tokens[found[2] : found[2] + 1] in (["it"], ["them"]):
                return nouns, found[2] + 1
            if found[2] == len(tokens) or tokens[found[2]] == ",":
                return nouns, found[2]
        return (nouns, end) if tokens[at] in _CONTAINING else None

    def _may_be_clause(self, tokens: Sequence[str], at: int, phrase: NounPhrase) -> bool:
        """ "Wash mug, dry mug": a verb without an article after it."""
        named = "".join(phrase.surface) in self._names and phrase.surface[:1] == (tokens[at],)
        return tokens[at] in self._verbs and not named and tokens[at] not in phrase.surface[-1:]

    def read_list(
        self, tokens: Sequence[str], start: int
    ) -> tuple[tuple[NounPhrase, ...], int] | None:
        """One or several noun phrases joined by commas and "and", and where they end."""
        first = self.read(tokens, start)
        if first is None:
            return None
        found, at = [first[0]], first[1]
        while at < len(tokens) and tokens[at] in (",", "and"):
            step = at + 1
            while step < len(tokens) and tokens[step] in (",", "and", "also"):
                step += 1
            following = self.read(tokens, step)
            if following is None:
                break
            if self._may_be_clause(tokens, step, following[0]):
                raise Refused(f"cannot tell whether {tokens[step]!r} is a verb")
            found.append(replace(following[0], conjunct=True))
            at = following[1]
        return tuple(found), at
