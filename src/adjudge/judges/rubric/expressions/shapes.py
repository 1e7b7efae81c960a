"""What is known of a value before there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ShapeKind = Literal["text", "number", "boolean", "list", "object", "any"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of value; of an object its fields, of a list what its elements are, where known."""

    kind: ShapeKind
    fields: Mapping[str, Shape] | None = None
    element: Shape | None = None

    @property
    def said(self) -> str:
        """As an error names it."""
        return {"any": "a value", "object": "an object"}.get(self.kind, f"a {self.kind}")


ANYTHING = Shape("any")
