"""Whether a text is English: what rests on English words says nothing about other languages."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z']+")
_COMMON = frozenset(
    {"the", "a", "an", "and", "or", "to", "of", "in", "is", "are", "was", "it", "this", "that"}
    | {"you", "your", "i", "for", "with", "on", "from", "be", "have", "has", "at", "as", "here"}
    | {"can", "will", "by"}
)
_ENOUGH = 0.15


def is_english(text: str) -> bool:
    """Whether enough of the words are among the commonest English ones.

    >>> is_english("Here is the page you asked for."), is_english("Hier ist die Seite.")
    (True, False)
    """
    words = _WORD.findall(text[:4000].lower())
    return len(words) >= 3 and sum(word in _COMMON for word in words) >= _ENOUGH * len(words)
