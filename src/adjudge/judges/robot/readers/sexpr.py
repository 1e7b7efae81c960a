"""S-expressions: the form of PDDL and BDDL texts."""

from __future__ import annotations

import re

from adjudge.contract import CaseError
from adjudge.judges.invalid import shown

Expression = str | list["Expression"]
"""A word in lower case, or a list of expressions."""

_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT = re.compile(r";[^\n]*")
_DEEPEST = 60
_LONGEST = 400_000


def read_sexpr(text: str, field: str) -> list[Expression]:
    """The one list that a text holds. Raises ``CaseError`` that names the field.

    >>> read_sexpr("(and (open Door_1) (not (dusty ?x))) ; done", "goal")
    ['and', ['open', 'door_1'], ['not', ['dusty', '?x']]]
    """
    if len(text) > _LONGEST:
        raise CaseError(
            f"a text of at most {_LONGEST} characters", field=field, found=f"{len(text)}"
        )
    top: list[Expression] = []
    open_: list[list[Expression]] = [top]
    for token in _TOKEN.findall(_COMMENT.sub("", text)):
        if token == "(":
            if len(open_) > _DEEPEST:
                raise CaseError(f"at most {_DEEPEST} brackets in each other", field=field)
            inner: list[Expression] = []
            open_[-1].append(inner)
            open_.append(inner)
        elif token == ")":
            if len(open_) == 1:
                raise CaseError("a bracket that was opened", field=field, found="a closing one")
            open_.pop()
        else:
            open_[-1].append(token.lower())
    if len(open_) > 1:
        raise CaseError("a closing bracket", field=field, found="the end of the text")
    if len(top) != 1 or not isinstance(top[0], list):
        raise CaseError("one expression in brackets", field=field, found=shown(text))
    return top[0]


def said(expression: Expression) -> str:
    """An expression as text again, short enough for an error.

    >>> said(["not", ["open", "?x"]])
    '(not (open ?x))'
    """
    if isinstance(expression, str):
        return expression
    text = "(" + " ".join(map(said, expression)) + ")"
    return text if len(text) <= 80 else text[:80] + "…"
