"""A rubric made ready: scales, the trees of its expressions, the values its bounds allow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from adjudge.contract import Scale, ScoreValue
from adjudge.judges.invalid import shown
from adjudge.judges.loading import OURS
from adjudge.judges.rubric.agent import AgentText, agent_of
from adjudge.judges.rubric.expressions import ANYTHING, Shape
from adjudge.judges.rubric.expressions.parser import RESERVED
from adjudge.judges.rubric.formulas import Formula, parsed
from adjudge.judges.rubric.model import Allowed, BoundRule, InputField, Rubric
from adjudge.judges.rubric.places import Document, Path
from adjudge.judges.rubric.template import check_template

_NO_FIELDS = frozenset({"id", "meta", "label", "expect"}) | RESERVED | frozenset(dir(BaseModel))
_NO_DIMENSIONS = frozenset({"success", "reasons"}) | RESERVED | frozenset(dir(BaseModel))
_LIMIT = re.compile(r"(at most|at least)\s+(-?\d{1,9})(\s+or null)?")


@dataclass(frozen=True, slots=True)
class Rule:
    """A bound rule ready to be tried."""

    name: str
    when: Formula
    allowed: Mapping[str, frozenset[ScoreValue]]
    hard: bool
    text: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """All that is worked out once."""

    rubric: Rubric
    scales: Mapping[str, Scale]
    rules: tuple[Rule, ...]
    agent: tuple[AgentText, ...]
    success: Formula | None
    reward: Formula | None


def compile_rubric(rubric: Rubric, document: Document) -> Compiled:
    """Raises ``RubricError``, which names the place in ``document``."""
    if rubric.name in OURS:
        raise document.error(("name",), "a name that no other judge has", f"{rubric.name!r}")
    for name in rubric.input:
        if name in _NO_FIELDS:
            raise document.error(("input", name), "another name for a field", f"{name!r}")
    for name in rubric.dimensions:
        if name in _NO_DIMENSIONS:
            raise document.error(("dimensions", name), "another name for a dimension", f"{name!r}")
    fields = {name: shape_of(field) for name, field in rubric.input.items()}
    scales = {name: dimension.values for name, dimension in rubric.dimensions.items()}
    scored = {
        name: Shape("text") if scale.kind == "choice" else Shape("number")
        for name, scale in scales.items()
    }
    rules = tuple(
        _rule(name, rule, fields, scales, document) for name, rule in rubric.bounds.items()
    )
    if rubric.template is not None:
        try:
            check_template(rubric.template, frozenset(rubric.input))
        except ValueError as error:
            raise document.error(
                ("template",), "a template that can be filled in", str(error)
            ) from None
    return Compiled(
        rubric,
        scales,
        rules,
        agent_of(rubric, fields, document),
        parsed(rubric.success, scored, ("success",), document),
        parsed(rubric.reward, scored, ("reward",), document),
    )


def shape_of(field: InputField) -> Shape:
    """What is known of a field's value."""
    if field.type == "list":
        return Shape("list", element=shape_of(field.element) if field.element else ANYTHING)
    if field.fields is not None:
        return Shape("object", {name: shape_of(one) for name, one in field.fields.items()})
    kinds = {"integer": "number", "choice": "text"}
    kind: Any = kinds.get(field.type, field.type)
    return Shape(kind)


def _rule(
    name: str,
    rule: BoundRule,
    fields: Mapping[str, Shape],
    scales: Mapping[str, Scale],
    document: Document,
) -> Rule:
    path: Path = ("bounds", name)
    when = parsed(rule.when, fields, (*path, "when"), document)
    assert when is not None
    allowed = {}
    for dimension, value in rule.allow.items():
        place = (*path, "allow", dimension)
        if dimension not in scales:
            there = f"a dimension ({', '.join(scales)})"
            raise document.error(place, there, f"{dimension!r}")
        try:
            allowed[dimension] = values_allowed(value, scales[dimension])
        except ValueError as error:
            expected, _, found = str(error).partition(", found ")
            raise document.error(place, expected, found) from None
    return Rule(name, when, allowed, not rule.soft, rule.text or rule.when)


def values_allowed(value: Allowed, scale: Scale) -> frozenset[ScoreValue]:
    """``at most 2``, ``at least 2 or null``, one value, or a list of values, as the values.

    Raises ``ValueError`` for what is not on the scale.

    >>> sorted(values_allowed("at most 2", Scale.ordinal(1, 5)))
    [1, 2]
    """
    limit = _LIMIT.fullmatch(value.strip()) if isinstance(value, str) else None
    if limit is None or scale.kind == "choice":
        values = value if isinstance(value, tuple) else (value,)
        for one in values:
            if not scale.holds(one):
                raise ValueError(f"{_expected(scale)}, found {shown(one)}")
        if not values:
            raise ValueError(f"{_expected(scale)}, found none")
        return frozenset(values)
    if scale.kind == "real":
        raise ValueError(f"{_expected(scale)}, found {value!r} (only whole-number scales take it)")
    if limit[3] and not scale.nullable:
        raise ValueError(
            f"{_expected(scale)}, found {value!r}, where the dimension is not nullable"
        )
    low, high, mark = int(scale.low), int(scale.high), int(limit[2])
    left: set[ScoreValue] = set(
        range(low, min(mark, high) + 1)
        if limit[1] == "at most"
        else range(max(mark, low), high + 1)
    )
    if not left:
        raise ValueError(f"{_expected(scale)}, found {value!r}, which leaves none")
    return frozenset(left | ({None} if limit[3] else set()))


def _expected(scale: Scale) -> str:
    null = " or null" if scale.nullable else ""
    if scale.kind == "choice":
        return f"{', '.join(scale.choices)}{null}, or a list of them"
    if scale.kind == "real":
        return f"numbers from {scale.low:g} to {scale.high:g}{null}, one or a list"
    return (
        f"`at most N`, `at least N`, or values from {scale.low:g} to {scale.high:g}{null}, one or "
        "a list"
    )
