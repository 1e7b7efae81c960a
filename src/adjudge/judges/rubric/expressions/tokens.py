"""An expression cut into words, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

_LONGEST = 2_000
_MOST = 400
_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<number>\d{1,15}(?:\.\d{1,15})?)
    |(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>==|!=|<=|>=|[-+*/<>()\[\],.])""",
    re.VERBOSE | re.DOTALL,
)


class ExpressionError(ValueError):
    """An expression that says nothing: ``at`` is the 0-based offset of what is wrong in it."""

    def __init__(self, at: int, expected: str, found: str) -> None:
        self.at = at
        self.expected = expected
        self.found = found
        super().__init__(f"column {at + 1}: expected {expected}, found {found}")


class Token(NamedTuple):
    """``kind`` is ``number``, ``text``, ``name``, ``sign`` or ``end``; ``word`` what stands
    there."""

    kind: str
    word: str
    at: int


def tokens_of(source: str) -> list[Token]:
    """The words of ``source`` and an ``end``. Raises ``ExpressionError``.

    >>> [token.word for token in tokens_of('len(plan) > 3')]
    ['len', '(', 'plan', ')', '>', '3', '']
    """
    if len(source) > _LONGEST:
        raise ExpressionError(_LONGEST, f"at most {_LONGEST:,} characters", f"{len(source):,}")
    found: list[Token] = []
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            raise ExpressionError(at, "a name, a number, a text or an operator", _shown(source[at]))
        if match.lastgroup != "space":
            found.append(Token(str(match.lastgroup), match.group(), at))
        at = match.end()
        if len(found) > _MOST:
            raise ExpressionError(at, f"at most {_MOST} words and signs", "more")
    return [*found, Token("end", "", len(source))]


def _shown(char: str) -> str:
    hints = {
        "=": "= (equality is ==)",
        "&": "& (write and)",
        "|": "| (write or)",
        "!": "! (write not)",
        '"': 'a " without its end',
        "'": "a ' without its end",
    }
    return hints.get(char, repr(char))
