"""What a model fills in: the reasons of each dimension, and then the scores."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from adjudge.contract import Scale
from adjudge.judges.rubric.made import Made, made

Dimensions = tuple[tuple[str, Scale], ...]


class RubricForm(BaseModel, metaclass=Made):
    """An answer, or a part of one."""

    model_config = ConfigDict(frozen=True, protected_namespaces=())


@lru_cache(maxsize=64)
def answer_form(dimensions: Dimensions) -> type[RubricForm]:
    """``reasons`` and ``scores``, each with a field a dimension."""
    whole: dict[str, Any] = {
        "reasons": (reasons_form(dimensions), Field()),
        "scores": (scores_form(dimensions), Field()),
    }
    form = create_model("RubricAnswer", __base__=RubricForm, __module__=__name__, **whole)
    made(form, answer_form, dimensions)
    return form


@lru_cache(maxsize=64)
def reasons_form(dimensions: Dimensions) -> type[RubricForm]:
    """A text a dimension."""
    told = "in brief, what in the case decides this score, citing findings by F-number"
    fields: dict[str, Any] = {
        name: (str, Field(min_length=1, description=told)) for name, _ in dimensions
    }
    form = create_model("RubricReasons", __base__=RubricForm, __module__=__name__, **fields)
    made(form, reasons_form, dimensions)
    return form


@lru_cache(maxsize=64)
def scores_form(dimensions: Dimensions) -> type[RubricForm]:
    """A value on its scale a dimension."""
    fields: dict[str, Any] = {}
    for name, scale in dimensions:
        kind = _type_of(scale)
        fields[name] = (
            kind | None if scale.nullable else kind,
            Field(description=told_scale(scale)),
        )
    form = create_model("RubricScores", __base__=RubricForm, __module__=__name__, **fields)
    made(form, scores_form, dimensions)
    return form


def _type_of(scale: Scale) -> Any:
    if scale.kind == "choice":
        return Literal[scale.choices]
    if scale.kind == "ordinal":
        return Annotated[int, Field(ge=int(scale.low), le=int(scale.high), strict=True)]
    return Annotated[float, Field(ge=scale.low, le=scale.high, strict=True, allow_inf_nan=False)]


def told_scale(scale: Scale) -> str:
    """The scale in words.

    >>> told_scale(Scale.ordinal(1, 5, nullable=True))
    'a whole number from 1 to 5, or null'
    """
    if scale.kind == "choice":
        told = f"one of {', '.join(scale.choices)}"
    else:
        number = "a whole number" if scale.kind == "ordinal" else "a number"
        told = f"{number} from {scale.low:g} to {scale.high:g}"
    return told + (", or null" if scale.nullable else "")
