"""A YAML (or JSON) text as plain values, with the place of each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.contract import Fault

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_MOST_NODES = 20_000
_LARGEST = 1_000_000
Path = tuple[str | int, ...]


class Place(NamedTuple):
    """A line and column, from 1. ``text_column`` is where the first character of a text stands
    that is written in one line, as it is or in quotes."""

    line: int
    column: int
    text_column: int | None


class RubricError(Fault, ValueError):
    """A rubric that cannot be used: file, line and field, what was expected, what was found."""


@dataclass
class Document:
    """The values of a text and where they stand; a value inside a key has its path."""

    name: str
    value: Any = None
    places: dict[Path, Place] = field(default_factory=dict)

    def error(self, path: Path, expected: str, found: str, at: int | None = None) -> RubricError:
        """The error about the value at ``path``, at the character ``at`` of it."""
        return RubricError(f"{self.where(path, at)}: expected {expected}, found {found}")

    def where(self, path: Path, at: int | None = None) -> str:
        """``FILE:LINE: FIELD``, with the column for a character of a text."""
        near = path
        while near and near not in self.places:
            near = near[:-1]
        place = self.places.get(near)
        told = self.name if place is None else f"{self.name}:{place.line}"
        if place is not None and at is not None and near == path and place.text_column is not None:
            told += f":{place.text_column + at}"
            at = None
        said = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).strip(".")
        told += f": {said}" if said else ""
        return told if at is None else f"{told}: column {at + 1}"


def read_document(text: str, name: str) -> Document:
    """The values in ``text``; ``name`` is the file's. Raises ``RubricError``.

    YAML 1.2's values: only ``true`` and ``false`` are such, ``yes`` and ``no`` are texts. A key
    that stands twice is an error; tags mean nothing.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    document = Document(name)
    if len(text) > _LARGEST:
        raise document.error((), f"at most {_LARGEST:,} characters", f"{len(text):,}")
    try:
        node = YAML(typ="safe", pure=True).compose(text)
        if node is not None:
            document.value = _Reading(document).value(node, ())
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark is not None else name
        context = f" ({error.context})" if error.context else ""
        raise RubricError(f"{place}: expected YAML, found: {error.problem}{context}") from None
    except (YAMLError, RecursionError) as error:
        told = " ".join(str(error).split())[:200]
        raise RubricError(f"{name}: expected YAML, found: {told}") from None
    return document


class _Reading:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._nodes = 0

    def value(self, node: Node, path: Path) -> Any:
        from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

        self._nodes += 1
        if self._nodes > _MOST_NODES:  # aliases of aliases can stand for any number of values
            raise self._document.error(path, f"at most {_MOST_NODES:,} values", "more")
        self._document.places.setdefault(path, _place(node))
        if isinstance(node, SequenceNode):
            return [self.value(inner, (*path, i)) for i, inner in enumerate(node.value)]
        if isinstance(node, MappingNode):
            return self._mapping(node, path)
        assert isinstance(node, ScalarNode)
        return _scalar(node.value, plain=node.style is None)

    def _mapping(self, node: Any, path: Path) -> dict[str, Any]:
        from ruamel.yaml.nodes import ScalarNode

        made: dict[str, Any] = {}
        for key, inner in node.value:
            self._document.places[(*path, "")] = _place(key)
            if not isinstance(key, ScalarNode):
                raise self._document.error((*path, ""), "a name for a key", "a list or an object")
            there = (*path, key.value)
            if key.value in made:
                raise self._document.error((*path, ""), "each key once", f"{key.value!r} again")
            self._document.places[there] = _place(key)._replace(
                text_column=_place(inner).text_column
            )
            made[key.value] = self.value(inner, there)
        self._document.places.pop((*path, ""), None)
        return made


def _place(node: Node) -> Place:
    start, end = node.start_mark, node.end_mark
    style = getattr(node, "style", None)
    one_line = start.line == end.line and style in (None, "'", '"')
    column = start.column + 1
    return Place(start.line + 1, column, column + (style is not None) if one_line else None)


_INTEGER = re.compile(r"[-+]?\d{1,15}")
_NUMBER = re.compile(r"[-+]?(?:\d{1,15}\.\d{0,15}|\.\d{1,15})(?:[eE][-+]?\d{1,2})?")
_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}


def _scalar(text: str, *, plain: bool) -> Any:
    """YAML 1.2's core values.

    >>> [_scalar(text, plain=True) for text in ("no", "true", "1-5", "3", "0.5", "~")]
    ['no', True, '1-5', 3, 0.5, None]
    """
    if not plain:
        return text
    if text in _CONSTANTS or text.lower() in ("true", "false", "null"):
        return _CONSTANTS[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
