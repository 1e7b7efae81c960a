"""Phrases: nouns with all that is said of them, and prepositions with nouns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from adjudge.judges.robot.instruction.words import PREPOSITION_STARTS, PREPOSITIONS, Prep

Determiner = Literal["the", "a", "bare", "all", "both", "other", "another"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A preposition and the things after it; none where the sentence leaves them out.

    ``moving``: it says that something comes to be there ("into").
    """

    prep: Prep
    nouns: tuple[NounPhrase, ...]
    moving: bool = False


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """What a noun phrase says.

    ``words`` are the name with the head in the singular, ``surface`` as written. ``wanted`` are
    verbs whose result an adjective asks for ("chilled"), ``selects`` states that pick it out
    ("dirty"), ``traits`` colours and the like. ``of`` is what it holds or is made of ("bottle of
    wine"), ``contents`` what is to be in it ("with a spoon in it"), ``where`` where it is.
    """

    words: tuple[str, ...] = ()
    surface: tuple[str, ...] = ()
    determiner: Determiner = "bare"
    number: int | None = None
    plural: bool = False
    pronoun: str | None = None
    wanted: tuple[str, ...] = ()
    selects: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    contents: tuple[NounPhrase, ...] = ()
    where: tuple[Phrase, ...] = field(default=())
    conjunct: bool = False


def preposition(tokens: Sequence[str], start: int) -> tuple[Prep, bool, int] | None:
    """The preposition that begins at ``start``, whether it is one of motion, and where it ends."""
    if start >= len(tokens):
        return None
    for words in PREPOSITION_STARTS.get(tokens[start], ()):
        end = start + len(words)
        if tuple(tokens[start:end]) == words:
            prep, moving = PREPOSITIONS[words]
            return prep, moving, end
    return None
