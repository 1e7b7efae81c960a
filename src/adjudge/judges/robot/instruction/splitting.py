"""A sentence to the words of its clauses, in the order in which they are said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import (
    ALSO_ADJECTIVES,
    DEFINITE,
    FILLERS,
    INDEFINITE,
    LEAD_INS,
    NUMBERS,
    OTHER_VERBS,
    SEQUELS,
    TAILS,
)
from adjudge.judges.robot.nouns import default_nouns, squash
from adjudge.judges.robot.verbs import VerbTable

Link = Literal["and", "then", "while", "to", "before", "after"]
"""How a clause follows the one before it: "to" says what that is for."""

_CONNECTORS = SEQUELS | {",", "and", "also", "please"}
_ORDERING: dict[str, Link] = {"while": "while", "before": "before", "after": "after"}


class Splitter:
    """Finds where clauses begin, by the verbs of a table."""

    def __init__(self, verbs: VerbTable) -> None:
        self._verbs = verbs
        self._names = default_nouns().by_name

    def split(self, words: list[str]) -> list[tuple[list[str], Link]]:
        """The words of each clause and its link; what is done "before" comes last."""
        tokens = without_lead_in(_held_in_hand(_without_fillers(words)))
        front, tokens = self._fronted(tokens)
        found: list[tuple[list[str], Link]] = []
        begin, at = 0, 0
        current: Link = "and"
        while at < len(tokens):
            end, following = self._boundary(tokens, at)
            if end and at > begin:
                found.append((tokens[begin:at], current))
                begin, current, at = end, following, end
            at += 1
        found.append((tokens[begin:], current))
        found = [(rest, how) for part, how in found if (rest := without_lead_in(part))]
        if front == "before" and len(found) > 1:
            return [*found[1:], (found[0][0], "then")]
        return found

    def _fronted(self, tokens: list[str]) -> tuple[Link | None, list[str]]:
        """ "Before putting it there, wash it": the front word, and the rest."""
        if tokens[:1] not in (["before"], ["after"]) or not self._starts(tokens, 1):
            return None, tokens
        if tokens.count(",") != 1:
            raise Refused(f"cannot follow {tokens[0]!r}")
        return _ORDERING[tokens[0]], tokens[1:]

    def _boundary(self, tokens: list[str], at: int) -> tuple[int, Link]:
        """Where the clause after ``at`` begins, 0 for none, and its link."""
        word = tokens[at]
        if _connects(tokens, at):
            return self._after_connectors(tokens, at)
        if word in _ORDERING and self._starts(tokens, at + 1):
            return at + 1, _ORDERING[word]
        if tokens[at : at + 2] == ["prior", "to"] and self._starts(tokens, at + 2):
            return at + 2, "before"
        if word == "to" and self._starts(tokens, at + 1):
            return at + 1, "to"
        return 0, "and"

    def _after_connectors(self, tokens: list[str], at: int) -> tuple[int, Link]:
        link: Link = "and"
        while at < len(tokens):
            if _connects(tokens, at):
                link = "then" if tokens[at] in SEQUELS or tokens[at] == "after" else link
                at += 2 if tokens[at] == "after" else 1
            elif tokens[at] == "to" and self._starts(tokens, at + 1):
                at += 1
            elif tokens[at] in ("make", "ensure"):
                return at, link
            elif tokens[at] in _ORDERING and self._starts(tokens, at + 1):
                return at + 1, _ORDERING[tokens[at]]
            else:
                break
        if self._starts(tokens, at):
            return at, link
        if link == "then":
            raise Refused(f"unknown verb {' '.join(tokens[at : at + 1])!r}")
        return 0, link

    def _starts(self, tokens: Sequence[str], at: int) -> bool:
        """Whether a clause begins at ``at``: a verb, and not a noun or adjective that looks it."""
        if at >= len(tokens):
            return False
        entries = self._verbs.by_form.get(tokens[at])
        if entries is None:
            return tokens[at] in OTHER_VERBS and not self._may_be_noun(tokens, at)
        ahead = tuple(tokens[at : at + 3])
        if any(len(words) > 1 and ahead[: len(words)] == words for words, _ in entries):
            return True
        return not self._may_be_noun(tokens, at)

    def _may_be_noun(self, tokens: Sequence[str], at: int) -> bool:
        """A word that is a noun or an adjective as well is a verb before an article or pronoun."""
        word = tokens[at]
        doubtful = (
            squash(word) in self._names
            or word in self._verbs.by_adjective
            or word in ALSO_ADJECTIVES
            or word in OTHER_VERBS
        )
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        return doubtful and not (
            following in DEFINITE
            or following in INDEFINITE
            or following in NUMBERS
            or following in ("it", "them", "all", "both", "each", "every")
        )


def _connects(tokens: Sequence[str], at: int) -> bool:
    ahead = tuple(tokens[at : at + 2])
    return ahead == ("after", "that") or (tokens[at] in _CONNECTORS and ahead != ("next", "to"))


def without_lead_in(tokens: list[str]) -> list[str]:
    """The words less "please", "can you", "your task is to" at their head and tail."""
    begin = 0
    while begin < len(tokens):
        ahead = tuple(tokens[begin : begin + 8])
        step = next((len(words) for words in LEAD_INS if ahead[: len(words)] == words), 0)
        if not step:
            break
        begin += step
    end = len(tokens)
    while end > begin:
        behind = tuple(tokens[max(begin, end - 2) : end])
        step = next((len(words) for words in TAILS if behind[-len(words) :] == words), 0)
        if not step:
            break
        end -= step
    return tokens[begin:end]


def _without_fillers(tokens: list[str]) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(tokens):
        ahead = tuple(tokens[at : at + 5])
        old, new = next(
            ((old, new) for old, new in FILLERS if ahead[: len(old)] == old),
            (ahead[:1], ahead[:1]),
        )
        found.extend(new)
        at += len(old)
    return found


def _held_in_hand(tokens: list[str]) -> list[str]:
    """ "With a bat in hand" as "while holding a bat"."""
    for at, word in enumerate(tokens):
        if word not in ("hand", "hands") or "with" not in tokens[:at]:
            continue
        start = at - 1 - tokens[:at][::-1].index("with")
        held = tokens[start + 1 : at]
        while held and held[-1] in DEFINITE:
            held = held[:-1]
        if held and held[-1] == "in":
            return [*tokens[:start], "while", "holding", *held[:-1], *tokens[at + 1 :]]
    return tokens
