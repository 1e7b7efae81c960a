"""An expression as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adjudge.judges.rubric.expressions.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that stands there: a number, a text, true, false, null."""

    value: Any


@dataclass(frozen=True, slots=True)
class ListOf:
    """``[a, b]``."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the case, or of the element in hand."""

    name: str
    of_element: bool


@dataclass(frozen=True, slots=True)
class Element:
    """``it``: the element in hand."""


@dataclass(frozen=True, slots=True)
class Whole:
    """``case``: all of the case."""


@dataclass(frozen=True, slots=True)
class Part:
    """``value.key``, ``value["key"]``, ``value[-1]``."""

    value: Node
    key: str | int


@dataclass(frozen=True, slots=True)
class Not:
    """``not value``."""

    value: Node


@dataclass(frozen=True, slots=True)
class Junction:
    """Operands joined by ``and`` (``every``) or by ``or``."""

    operands: tuple[Node, ...]
    every: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands and a sign: a comparison, ``in``, or arithmetic."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function that needs its arguments' values only."""

    function: str
    arguments: tuple[Node, ...]
    pattern: Pattern | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """A function that holds a condition against each element of a list."""

    function: str
    items: Node
    condition: Node | None


Node = Constant | ListOf | Field | Element | Whole | Part | Not | Junction | Operation | Call | Over


def names_in(node: Node) -> tuple[str, ...]:
    """The fields of the case that an expression reads, in order, each once."""
    return tuple(dict.fromkeys(_names(node)))


def _names(node: Node) -> Iterator[str]:
    match node:
        case Field(name, False):
            yield name
        case Part(Whole(), key):
            yield str(key)
        case Part(value, _) | Not(value):
            yield from _names(value)
        case Operation(_, left, right):
            yield from _names(left)
            yield from _names(right)
        case Over(_, items, condition):
            yield from _names(items)
            if condition is not None:
                yield from _names(condition)
        case ListOf(nodes) | Junction(nodes, _) | Call(_, nodes, _):
            for inner in nodes:
                yield from _names(inner)
        case _:
            pass
