"""What people, or a case's own record, say the right value is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudge.contract import CaseError, Frozen, Scale, ScoreValue

SUCCESS = "success"
"""The name under which ``Verdict.success`` is labelled, beside a judge's own dimensions."""

LabelValue = ScoreValue | bool
"""A score on the dimension's scale, ``None`` for not applicable; a bool for ``success``."""

_TRUE = ("true", "yes", "1", "pass", "success")
_FALSE = ("false", "no", "0", "fail", "failure")
_NULL = ("null", "none", "n/a", "na")


class Missing(Exception):
    """There is a place for a label, and nothing in it."""


class Label(Frozen):
    """One annotator's value for one dimension of one case."""

    case: str
    annotator: str
    dimension: str
    value: LabelValue


def label_value(given: Any, dimension: str, scales: Mapping[str, Scale], field: str) -> LabelValue:
    """``given``, as it stood in a file, as a value of ``dimension``.

    Texts are read as numbers, ``true`` and ``null`` where the dimension has such. Raises
    ``Missing`` for nothing (JSON's null too, where it is no value), ``CaseError`` (naming
    ``field``) for what is not on the scale and for an unknown dimension.

    >>> label_value("3", "score", {"score": Scale.ordinal(0, 4)}, "value")
    3
    >>> label_value("yes", "success", {}, "value")
    True
    """
    text = given.strip() if isinstance(given, str) else given
    if text == "":
        raise Missing
    if dimension == SUCCESS and SUCCESS not in scales:
        return _success(text, field)
    if dimension not in scales:
        known = ", ".join([*list(scales)[:20], SUCCESS])
        raise CaseError(f"one of {known}", field="dimension", found=repr(dimension)[:60])
    scale = scales[dimension]
    value: Any = _on(text, scale)
    if not scale.holds(value):
        if given is None:
            raise Missing
        raise CaseError(described(scale), field=field, found=repr(given)[:60])
    found: LabelValue = value
    return found


def described(scale: Scale) -> str:
    """A scale in words.

    >>> described(Scale.ordinal(1, 5, nullable=True))
    'an integer from 1 to 5, or null'
    """
    if scale.kind == "choice":
        said = f"one of {', '.join(scale.choices)}"
    else:
        kind = "an integer" if scale.kind == "ordinal" else "a number"
        said = f"{kind} from {scale.low:g} to {scale.high:g}"
    return said + (", or null" if scale.nullable else "")


def _success(text: Any, field: str) -> bool:
    if isinstance(text, bool):
        return text
    plain = str(text).lower() if isinstance(text, str | int) else ""
    if plain in _TRUE:
        return True
    if plain in _FALSE:
        return False
    if text is None:
        raise Missing
    raise CaseError("true or false", field=field, found=repr(text)[:60])


def _on(text: Any, scale: Scale) -> Any:
    """A text as what it says; a whole number that was written with a point as an integer."""
    value = text
    if isinstance(text, str) and not (scale.kind == "choice" and text in scale.choices):
        if text.lower() in _NULL:
            return None
        if scale.kind != "choice":
            try:
                value = float(text) if not text.lstrip("+-").isdigit() else int(text)
            except ValueError:
                return text
    whole = isinstance(value, float) and value.is_integer() and scale.kind == "ordinal"
    return int(value) if whole else value
