"""From an expression's text to its tree; what it names is checked on the way."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from adjudge.judges.rubric.expressions.patterns import pattern_of
from adjudge.judges.rubric.expressions.shapes import ANYTHING, Shape
from adjudge.judges.rubric.expressions.tokens import ExpressionError, Token, tokens_of
from adjudge.judges.rubric.expressions.tree import (
    Call,
    Constant,
    Element,
    Field,
    Junction,
    ListOf,
    Node,
    Not,
    Operation,
    Over,
    Part,
    Whole,
)

_DEEPEST = 40
_CONSTANTS = {"true": True, "false": False, "null": None}
_CALLS = {"len": 1, "words": 1, "contains": 2, "matches": 2}
_OVER = {"count": (1, 2), "any": (2, 2), "all": (2, 2), "first": (1, 2), "last": (1, 2)}
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
RESERVED = frozenset({"and", "or", "not", "in", "it", "case", *_CONSTANTS, *_CALLS, *_OVER})
"""Words that no field can be called."""


class _Typed(NamedTuple):
    node: Node
    shape: Shape


_Rule = Callable[[], _Typed]


def parse(source: str, fields: Mapping[str, Shape]) -> Node:
    """The tree of ``source`` over ``fields``. Raises ``ExpressionError``.

    Operators, loosest first: ``or``; ``and``; ``not``; ``== != < <= > >= in not in``; ``+ -``;
    ``* /``; ``.name``, ``[n]``, ``["name"]``. Functions: ``len words contains matches``, and over a
    list ``count any all first last``, whose condition names fields of the element (``it`` is the
    element, ``case.name`` a field of the case).
    """
    parser = _Parser(tokens_of(source), fields)
    found = parser.either()
    parser.end()
    return found.node


class _Parser:
    def __init__(self, tokens: list[Token], fields: Mapping[str, Shape]) -> None:
        self._tokens = tokens
        self._at = 0
        self._fields = fields
        self._element: Shape | None = None
        self._depth = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self, *words: str) -> str | None:
        token = self._next
        if token.kind in ("sign", "name") and token.word in words:
            self._at += 1
            return token.word
        return None

    def _need(self, word: str) -> None:
        if self._take(word) is None:
            self._fail(word)

    def _fail(self, expected: str) -> NoReturn:
        token = self._next
        raise ExpressionError(token.at, expected, token.word[:40] or "the end")

    def end(self) -> None:
        if self._next.kind != "end":
            self._fail("an operator or the end")

    def either(self) -> _Typed:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ExpressionError(self._next.at, f"at most {_DEEPEST} levels", "more")
        found = self._joined("or", lambda: self._joined("and", self._negated))
        self._depth -= 1
        return found

    def _joined(self, word: str, operand: _Rule) -> _Typed:
        first = operand()
        operands = [first.node]
        while self._take(word):
            operands.append(operand().node)
        if len(operands) == 1:
            return first
        return _Typed(Junction(tuple(operands), word == "and"), Shape("boolean"))

    def _negated(self) -> _Typed:
        turns = 0
        while self._take("not"):
            turns += 1
        found = self._compared()
        for _ in range(min(turns, 2 - turns % 2)):
            found = _Typed(Not(found.node), Shape("boolean"))
        return found

    def _compared(self) -> _Typed:
        left = self._sum()
        made: list[Node] = []
        while True:
            sign = self._take(*_COMPARISONS, "in")
            if sign is None and self._next.word == "not":
                self._at += 1
                self._need("in")
                sign = "not in"
            if sign is None:
                break
            right = self._sum()
            made.append(Operation(sign, left.node, right.node))
            left = right
        if not made:
            return left
        node = made[0] if len(made) == 1 else Junction(tuple(made), every=True)
        return _Typed(node, Shape("boolean"))

    def _sum(self) -> _Typed:
        return self._arithmetic(("+", "-"), lambda: self._arithmetic(("*", "/"), self._signed))

    def _arithmetic(self, signs: tuple[str, ...], operand: _Rule) -> _Typed:
        found = operand()
        while (sign := self._take(*signs)) is not None:
            right = operand()
            found = _Typed(Operation(sign, found.node, right.node), Shape("number"))
        return found

    def _signed(self) -> _Typed:
        if self._take("-"):
            found = self._parts()
            return _Typed(Operation("-", Constant(0), found.node), Shape("number"))
        return self._parts()

    def _parts(self) -> _Typed:
        found = self._primary()
        while True:
            if self._take("."):
                token = self._next
                if token.kind != "name":
                    self._fail("a field's name")
                self._at += 1
                found = self._field_of(found, token.word, token)
            elif self._take("["):
                found = self._indexed(found)
                self._need("]")
            else:
                return found

    def _indexed(self, found: _Typed) -> _Typed:
        minus = self._take("-") is not None
        token = self._next
        if token.kind == "number" and "." not in token.word:
            if found.shape.kind not in ("list", "any"):
                raise ExpressionError(token.at, "a list before [", found.shape.said)
            self._at += 1
            number = -int(token.word) if minus else int(token.word)
            return _Typed(Part(found.node, number), found.shape.element or ANYTHING)
        if token.kind != "text" or minus:
            self._fail("a whole number or a field's name in quotes")
        self._at += 1
        return self._field_of(found, _unquoted(token), token)

    def _field_of(self, found: _Typed, name: str, token: Token) -> _Typed:
        if found.shape.kind not in ("object", "any"):
            raise ExpressionError(token.at, "an object before a field", found.shape.said)
        shape = _known(found.shape.fields, name, token)
        return _Typed(Part(found.node, name), shape)

    def _primary(self) -> _Typed:
        token = self._next
        if token.kind == "number":
            self._at += 1
            value = float(token.word) if "." in token.word else int(token.word)
            return _Typed(Constant(value), Shape("number"))
        if token.kind == "text":
            self._at += 1
            return _Typed(Constant(_unquoted(token)), Shape("text"))
        if self._take("("):
            found = self.either()
            self._need(")")
            return found
        if self._take("["):
            return self._listed()
        if token.kind != "name" or token.word in ("and", "or", "not", "in"):
            self._fail("a field, a number, a text or a function")
        self._at += 1
        if self._next.word == "(" and self._next.kind == "sign":
            self._at += 1
            return self._called(token)
        return self._named(token)

    def _listed(self) -> _Typed:
        items: list[Node] = []
        while not self._take("]"):
            if items:
                self._need(",")
            items.append(self.either().node)
        return _Typed(ListOf(tuple(items)), Shape("list"))

    def _named(self, token: Token) -> _Typed:
        name = token.word
        if name in _CONSTANTS:
            return _Typed(Constant(_CONSTANTS[name]), ANYTHING)
        if name == "case":
            return _Typed(Whole(), Shape("object", self._fields))
        if self._element is None:
            return _Typed(Field(name, False), _known(self._fields, name, token))
        if name == "it":
            return _Typed(Element(), self._element)
        if self._element.kind not in ("object", "any"):
            raise ExpressionError(token.at, f"it ({self._element.said}) or case.{name}", name)
        hint = f" (case.{name} is the case's)" if name in self._fields else ""
        return _Typed(Field(name, True), _known(self._element.fields, name, token, hint))

    def _called(self, token: Token) -> _Typed:
        name = token.word
        if name in _OVER:
            return self._over(token)
        if name not in _CALLS:
            near = _near(name, [*_CALLS, *_OVER])
            raise ExpressionError(token.at, f"one of {', '.join([*_CALLS, *_OVER])}", name + near)
        arguments: list[_Typed] = []
        first = second = self._next
        while not self._take(")"):
            if arguments:
                self._need(",")
                second = self._next
            arguments.append(self.either())
        if len(arguments) != _CALLS[name]:
            wanted = "one argument" if _CALLS[name] == 1 else "two arguments"
            raise ExpressionError(token.at, f"{name} with {wanted}", str(len(arguments)))
        nodes = tuple(argument.node for argument in arguments)
        self._suits(name, arguments[0].shape, first)
        if name == "matches":
            return _Typed(self._matching(nodes, second), Shape("boolean"))
        return _Typed(Call(name, nodes), Shape("boolean" if name == "contains" else "number"))

    def _suits(self, name: str, shape: Shape, token: Token) -> None:
        wanted = {
            "len": ("text", "list", "object"),
            "words": ("text",),
            "contains": ("text", "list"),
            "matches": ("text",),
        }[name]
        if shape.kind not in (*wanted, "any"):
            raise ExpressionError(token.at, f"{name} of a {' or '.join(wanted)}", shape.said)

    def _matching(self, nodes: tuple[Node, ...], token: Token) -> Node:
        source = nodes[1].value if isinstance(nodes[1], Constant) else None
        pattern = pattern_of(source) if isinstance(source, str) else None
        if pattern is None:
            raise ExpressionError(
                token.at,
                'matches(text, "regular expression") without look-around or back-references',
                repr(source)[:60] if isinstance(source, str) else "no text in quotes",
            )
        return Call("matches", nodes, pattern)

    def _over(self, token: Token) -> _Typed:
        name = token.word
        least, most = _OVER[name]
        first = self._next
        items = self.either()
        if items.shape.kind not in ("list", "any"):
            raise ExpressionError(first.at, f"{name} over a list", items.shape.said)
        element = items.shape.element or ANYTHING
        condition: Node | None = None
        if most > 1 and self._take(","):
            outside, self._element = self._element, element
            condition = self.either().node
            self._element = outside
        elif least > 1:
            self._fail(f"a comma and the condition of {name}")
        self._need(")")
        shape = {"count": Shape("number"), "first": element, "last": element}.get(
            name, Shape("boolean")
        )
        return _Typed(Over(name, items.node, condition), shape)


def _known(fields: Mapping[str, Shape] | None, name: str, token: Token, hint: str = "") -> Shape:
    """The shape of a field; any where it is not known which fields there are."""
    if fields is None:
        return ANYTHING
    if name in fields:
        return fields[name]
    near = hint or _near(name, list(fields))
    there = ", ".join(list(fields)[:12]) or "no field"
    raise ExpressionError(token.at, f"one of {there}", f"{name[:40]}{near}")


def _near(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _unquoted(token: Token) -> str:
    """The text in quotes, with its escapes: a quote, a line's end ``n``, a tab ``t``. Any other
    backslash stays, so that regular expressions are written as they are."""
    quote, body = token.word[0], token.word[1:-1]
    return _ESCAPE.sub(lambda found: _unescaped(found[0], quote), body)


def _unescaped(pair: str, quote: str) -> str:
    return quote if pair[1] == quote else {"n": "\n", "t": "\t"}.get(pair[1], pair)
