"""Labels that the cases themselves bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudge.agreement.labels import SUCCESS, Label, LabelValue, Missing, label_value
from adjudge.contract import CaseError, Fault, Scale

OWN = "case"
"""The annotator that a case's own label is by."""

LabelPaths = Mapping[str, Sequence[str]]
"""Dimension to the way to its value inside ``label``."""


class BadLabelPath(Fault, ValueError):
    """Not ``DIMENSION=PATH``."""


def label_paths(given: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """``DIMENSION=PATH`` texts, with a dotted path into ``label``. Raises ``BadLabelPath``.

    >>> label_paths(["success=goal_satisfied"])
    {'success': ('goal_satisfied',)}
    """
    paths: dict[str, tuple[str, ...]] = {}
    for text in given:
        dimension, equals, path = text.partition("=")
        if not equals or not dimension.strip() or not path.strip():
            raise BadLabelPath(f"--label: expected DIMENSION=PATH, found {text[:60]!r}")
        paths[dimension.strip()] = tuple(path.strip().split("."))
    return paths


def own_labels(
    case_id: str, label: Any, scales: Mapping[str, Scale], paths: LabelPaths
) -> Iterator[Label | CaseError]:
    """What ``label`` says about the dimensions of a case; an error for what is on no scale.

    It is an object by dimension, or the bare value of the only dimension (``success`` for a bool).
    ``paths`` say for some dimensions where in it their value is.
    """
    if label is None:
        return
    for dimension, (field, value) in _values(label, scales, paths).items():
        try:
            found: LabelValue = label_value(value, dimension, scales, field)
        except Missing:
            continue
        except CaseError as error:
            yield error
            continue
        yield Label(case=case_id, annotator=OWN, dimension=dimension, value=found)


def _values(
    label: Any, scales: Mapping[str, Scale], paths: LabelPaths
) -> dict[str, tuple[str, Any]]:
    values: dict[str, tuple[str, Any]] = {}
    if isinstance(label, bool):
        values[SUCCESS] = ("label", label)
    elif isinstance(label, Mapping):
        for name in (*scales, SUCCESS):
            if name in label:
                values[name] = (f"label.{name}", label[name])
    elif len(scales) == 1:
        values[next(iter(scales))] = ("label", label)
    for dimension, path in paths.items():
        value = label
        for step in path:
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is not None:
            values[dimension] = (".".join(("label", *path)), value)
    return values
