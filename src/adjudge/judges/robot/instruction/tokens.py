"""Text to words: lower case, no quotes, punctuation of its own."""

from __future__ import annotations

import re

MAX_CHARACTERS = 2_000
MAX_TOKENS = 120

_TOKEN = re.compile(r"[^\W_]+(?:[_'][^\W_]+)*'?|[.,;:!?\n()&/]|\S", re.UNICODE)
_ENDS = frozenset(".;!?\n")


class Refused(Exception):
    """The rules stop here; the message says why."""


def sentences(text: str) -> list[list[str]]:
    """The sentences of a text as lists of words and commas.

    Raises ``Refused`` for a text that is too long, empty, or holds signs the rules do not read.

    >>> sentences("Put the Coffee-Mug down, please. Wait!")
    [['put', 'the', 'coffee', 'mug', 'down', ',', 'please'], ['wait']]
    """
    if len(text) > MAX_CHARACTERS:
        raise Refused(f"longer than {MAX_CHARACTERS:,} characters")
    found: list[list[str]] = [[]]
    for token in _TOKEN.findall(_plain(text)):
        if token in _ENDS:
            found.append([])
        elif token == "&":
            found[-1].append("and")
        elif token == ",":
            if found[-1]:
                found[-1].append(",")
        elif token[0].isalnum():
            found[-1].append(_without_possessive(token))
        else:
            raise Refused(f"cannot read {token!r}")
    found = [_without_trailing_commas(words) for words in found]
    found = [words for words in found if words]
    if sum(map(len, found)) > MAX_TOKENS:
        raise Refused(f"longer than {MAX_TOKENS} words")
    if not found:
        raise Refused("no words")
    return found


def _plain(text: str) -> str:
    text = text.lower().replace("’", "'").replace("‘", "'")
    text = re.sub(r"[\"“”`*]|(?<!\w)'|'(?!\w)", "", text)
    text = re.sub(r"^\s*(?:task|instruction|goal|command)\s*:|^\s*\d+[.)]\s", "", text, flags=re.M)
    return re.sub(r"(?<=[^\W_])-(?=[^\W_])|(?<=\d)[.](?=\d)|\s-\s", " ", text)


def _without_possessive(token: str) -> str:
    return (
        token[:-2] if token.endswith("'s") and token not in ("let's", "it's", "that's") else token
    )


def _without_trailing_commas(words: list[str]) -> list[str]:
    while words and words[-1] == ",":
        words.pop()
    return words
