"""What is compared: one value of the judge beside the labels of the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudge.agreement.labels import SUCCESS, LabelValue
from adjudge.contract import JsonObject, Scale, combine

PARTS = "parts"
"""The heading over dimensions that are parts of a case, named by numbers (a dialogue's turns)."""

TRUTH = Scale.choice(("false", "true"))
"""The scale of ``success``; its values are bools."""


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The judge has no value here, for this reason."""

    reason: str


Judged = LabelValue | Unjudged
_NOT_ASKED = Unjudged("no model was asked")


@dataclass(frozen=True, slots=True)
class Unit:
    """One dimension of one case. ``labels`` are by annotator, ``cluster`` is the case's task.

    ``bare`` is what the judge would have said without bounds, where that is known.
    """

    case: str
    position: int
    dimension: str
    cluster: str
    judged: Judged
    labels: Mapping[str, LabelValue]
    bare: Judged

    @property
    def pairs(self) -> bool:
        """Whether there are a value and a label."""
        return not isinstance(self.judged, Unjudged) and bool(self.labels)

    @property
    def name(self) -> str:
        """What tells it from the other units of its heading."""
        return f"{self.case}/{self.dimension}"


def value_of(unit: Unit, *, bare: bool = False) -> LabelValue:
    """The judge's value, or its ``bare`` one, of a unit that has it."""
    judged = unit.bare if bare else unit.judged
    assert not isinstance(judged, Unjudged)
    return judged


@dataclass(slots=True)
class Heading:
    """All units that are compared together, and the scale of their values."""

    name: str
    scale: Scale
    units: list[Unit] = field(default_factory=list)

    @property
    def annotators(self) -> list[str]:
        """Everyone who labelled something, in order of first appearance."""
        return list(dict.fromkeys(name for unit in self.units for name in unit.labels))

    def reference(self, unit: Unit) -> LabelValue:
        """The annotators' values as one: the lower median, or the majority of choices."""
        values = list(unit.labels.values())
        if len(values) == 1:
            return values[0]
        if self.scale is TRUTH:
            return combine(["true" if value else "false" for value in values], TRUTH) == "true"
        return combine(values, self.scale)


def heading_of(dimension: str) -> str:
    """The heading a dimension comes under."""
    return PARTS if dimension.isdecimal() else dimension


def units_of(
    verdict: JsonObject,
    scales: Mapping[str, Scale],
    labels: Mapping[str, Mapping[str, LabelValue]],
    cluster: str,
    bare: Mapping[str, Judged],
) -> Iterator[tuple[Unit, Scale]]:
    """The units of one verdict, each with its scale; ``labels`` are by dimension and annotator."""
    shown = scales if SUCCESS in scales else {**scales, SUCCESS: TRUTH}
    for dimension, scale in shown.items():
        judged = judged_of(verdict, dimension)
        yield (
            Unit(
                case=verdict["case_id"],
                position=verdict["position"],
                dimension=dimension,
                cluster=cluster,
                judged=judged,
                labels=labels.get(dimension, {}),
                bare=bare.get(dimension, _NOT_ASKED),
            ),
            scale,
        )


def judged_of(verdict: JsonObject, dimension: str) -> Judged:
    """A verdict's value for a dimension, or for ``success``; or why it has none."""
    scores = verdict["scores"]
    if dimension in scores:
        value: LabelValue = scores[dimension]
        return value
    if verdict["status"] != "scored":
        reason = (verdict["reason"] or "").partition(":")[0]
        return Unjudged(f"{verdict['status']}: {reason}" if reason else verdict["status"])
    if dimension == SUCCESS:
        success = verdict["success"]
        return Unjudged("no success or failure") if success is None else bool(success)
    return Unjudged(verdict["unscored"].get(dimension, "not scored"))


def headings(units: Iterable[tuple[Unit, Scale]]) -> dict[str, Heading]:
    """Units under their headings; a scale that some case lets be null lets all of them."""
    found: dict[str, Heading] = {}
    for unit, scale in units:
        name = heading_of(unit.dimension)
        heading = found.setdefault(name, Heading(name, scale))
        if scale.nullable and not heading.scale.nullable:
            heading.scale = heading.scale.model_copy(update={"nullable": True})
        heading.units.append(unit)
    return found


def cluster_of(case: Any, case_id: str, path: tuple[str, ...] | None) -> str:
    """The task that a case belongs to: what stands at ``path`` in it, else what its ``meta`` says
    (``task``, ``task_id``), else itself."""
    paths = (path,) if path else (("meta", "task"), ("meta", "task_id"))
    for steps in paths:
        value = case
        for step in steps:
            value = value.get(step) if isinstance(value, Mapping) else getattr(value, step, None)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    return f"case {case_id}"
