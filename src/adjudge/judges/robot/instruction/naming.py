"""Words to names: the adjectives taken off, the head in the singular, "of" turned round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from adjudge.judges.robot.instruction.phrases import Determiner, NounPhrase, Phrase
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import (
    MEASURE_NOUNS,
    PART_NOUNS,
    SELECTING,
    SLICE_NOUNS,
    TRAITS,
)
from adjudge.judges.robot.nouns import default_nouns
from adjudge.judges.robot.verbs import VerbTable

_IRREGULAR = {
    "knives": "knife",
    "knifes": "knife",
    "shelves": "shelf",
    "loaves": "loaf",
    "halves": "half",
    "leaves": "leaf",
    "scarves": "scarf",
    "mice": "mouse",
    "shoes": "shoe",
    "cookies": "cookie",
    "veggies": "veggie",
    "movies": "movie",
}
_NOT_PLURAL = ("ss", "us", "is")


@lru_cache(maxsize=4096)
def singular(word: str) -> tuple[str, bool]:
    """A noun in the singular, and whether it was a plural.

    >>> singular("knives"), singular("tomatoes"), singular("glass"), singular("keys")
    (('knife', True), ('tomato', True), ('glass', False), ('key', True))
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word], True
    if (len(word) < 4 and word not in ("cds", "tvs", "pcs")) or not word.endswith("s"):
        return word, False
    if word.endswith(_NOT_PLURAL) or word in ("gas", "atlas", "canvas"):
        return word, False
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y", True
    if word.endswith(("ches", "shes", "sses", "xes", "oes", "zes")):
        return word[:-2], True
    return word[:-1], True


def named(
    words: Sequence[str], determiner: Determiner, number: int | None, verbs: VerbTable
) -> NounPhrase:
    """The phrase of these words. A word with ``_`` is a name as it stands."""
    names = default_nouns().by_name
    wanted: list[str] = []
    selects: list[str] = []
    traits: list[str] = []
    rest = list(words)
    while len(rest) > 1 and "_" not in rest[0] and "".join(rest) not in names:
        first = rest[0]
        if first in verbs.by_adjective:
            wanted.append(first)
        elif first in SELECTING:
            selects.append(SELECTING[first])
        elif first in TRAITS:
            traits.append(first)
        elif first in SLICE_NOUNS and rest[-1] not in SLICE_NOUNS:
            rest.append(first)
        else:
            break
        rest.pop(0)
    while len(rest) > 1 and rest[-1] in PART_NOUNS and "".join(rest) not in names:
        rest.pop()
    rest = [part for word in rest for part in word.split("_")]
    head, plural = singular(rest[-1])
    if "".join(rest) in names:
        head, plural = rest[-1], False
    return NounPhrase(
        words=(*rest[:-1], head),
        surface=tuple(rest),
        determiner=determiner,
        number=number,
        plural=plural,
        wanted=tuple(wanted),
        selects=tuple(selects),
        traits=tuple(traits),
    )


def of(outer: NounPhrase, inner: NounPhrase) -> NounPhrase:
    """ "A slice of apple", "a set of keys", "the back of the toilet", "a bottle of wine"."""
    head = outer.words[-1]
    wanted, selects = outer.wanted + inner.wanted, outer.selects + inner.selects
    if head in SLICE_NOUNS:
        if inner.plural:
            raise Refused(f"cannot tell how many of the {inner.surface[-1]}")
        name = (*inner.words, "slice")
        outer = replace(outer, words=name, surface=name, where=inner.where)
        return replace(outer, wanted=wanted, selects=selects)
    if head in MEASURE_NOUNS:
        return replace(
            inner,
            of=(*inner.words, head),
            determiner=outer.determiner,
            number=outer.number or inner.number,
            plural=outer.plural or outer.number is not None,
            wanted=wanted,
            selects=selects,
        )
    if head in PART_NOUNS:
        return replace(inner, wanted=wanted, selects=selects)
    if inner.determiner in ("bare", "a"):
        return replace(outer, of=inner.words, wanted=wanted, selects=selects)
    return replace(outer, where=(*outer.where, Phrase("of", (inner,))))
