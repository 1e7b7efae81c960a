"""Small conversations in the browser setting: each kind of finding present, absent, nearly so.

A row is a name, the messages, and what is expected: findings as (kind, message) in any order, and
for the dimensions that are bounded the values left. The name's first word is the kind in question;
``no`` and ``near`` say that it must not be found.
"""

from __future__ import annotations

from browser_conversations import addressed, context, repeats, results, tools, words
from browser_conversations.making import (
    ADIDAS,
    ASK,
    CLOSED,
    DONE,
    ERROR,
    HISTORY,
    LONG,
    NIKE,
    NO_WORDS,
    PAGE,
    PREFERENCES,
    REVIEW,
    SORRY,
    TABS,
    TOOLS_2,
    TOOLS_3,
    Talk,
    call,
    page,
    result,
    say,
    tabs,
    user,
)

__all__ = [
    "ADIDAS",
    "ASK",
    "CLOSED",
    "DONE",
    "ERROR",
    "HISTORY",
    "LONG",
    "NIKE",
    "NO_WORDS",
    "PAGE",
    "PREFERENCES",
    "REVIEW",
    "SORRY",
    "TABS",
    "TALKS",
    "TOOLS_2",
    "TOOLS_3",
    "Talk",
    "call",
    "page",
    "result",
    "say",
    "tabs",
    "user",
]

TALKS: list[Talk] = [
    talk for group in (tools, repeats, context, results, words, addressed) for talk in group.talks()
]
