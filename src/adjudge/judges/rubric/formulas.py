"""A rubric's expressions, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.judges.rubric.expressions import ExpressionError, Node, Shape, names_in, parse
from adjudge.judges.rubric.places import Document, Path


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression, and the names that it reads."""

    node: Node
    names: tuple[str, ...]


def parsed(
    source: str | None, fields: Mapping[str, Shape], path: Path, document: Document
) -> Formula | None:
    """The expression at ``path``, if there is one. Raises ``RubricError``."""
    if source is None:
        return None
    try:
        node = parse(source, fields)
    except ExpressionError as error:
        raise document.error(path, error.expected, error.found, error.at) from None
    return Formula(node, names_in(node))
