from __future__ import annotations

import json
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from adjudge.models import form_of
from adjudge.models.forms import strict_schema


class Side(BaseModel):
    name: str = Field(max_length=20)
    weight: float | None = None


class Tree(BaseModel):
    branches: list[Tree]


class Verdictlike(BaseModel):
    """The answer form."""

    summary: str = Field(description="Brief summary of what was done.")
    score: int | None = Field(ge=1, le=5, description="How good")
    kind: Literal["right", "wrong"] = "right"
    sides: list[Side] = Field(default_factory=list, max_length=3)
    tags: list[str] = Field(
        default_factory=list, examples=["redundant_call", "it did as it was told"]
    )
    why: str = Field(default="", json_schema_extra={"placeholder": "Reasons, with turn numbers"})


def objects(schema: Any) -> list[dict[str, Any]]:
    """Every object schema in a schema."""
    found = []
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            found.append(schema)
        for part in schema.values():
            found += objects(part)
    elif isinstance(schema, list):
        for part in schema:
            found += objects(part)
    return found


def test_the_schema_keeps_to_what_every_strict_endpoint_takes() -> None:
    form = form_of(Verdictlike)
    for part in objects(form.schema):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    for word in (
        "$ref",
        "$defs",
        "minimum",
        "maxLength",
        "default",
        "title",
        "oneOf",
        "placeholder",
    ):
        assert f'"{word}"' not in form.schema_json
    assert json.loads(form.schema_json) == form.schema


def test_a_short_range_of_integers_becomes_an_enum() -> None:
    schema = form_of(Verdictlike).schema
    assert schema["properties"]["score"]["anyOf"][0] == {"type": "integer", "enum": [1, 2, 3, 4, 5]}


def test_other_constraints_are_told_in_words() -> None:
    sides = form_of(Verdictlike).schema["properties"]["sides"]
    assert sides["description"] == "maxItems 3"
    assert sides["items"]["properties"]["name"]["description"] == "maxLength 20"


@pytest.mark.parametrize(
    ("limits", "enum"),
    [
        ({"minimum": 0, "maximum": 4}, [0, 1, 2, 3, 4]),
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 3}, [1, 2]),
        ({"minimum": 0}, None),
        ({"minimum": 0, "maximum": 1000}, None),
    ],
)
def test_integer_ranges(limits: dict[str, int], enum: list[int] | None) -> None:
    assert strict_schema({"type": "integer", **limits}).get("enum") == enum


def test_a_form_that_contains_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="contain itself"):
        form_of(Tree)


@pytest.mark.parametrize(
    "text",
    [
        "Brief summary of what was done.",
        "brief  summary of what was done",
        "Reasons, with turn numbers",
        "it did as it was told",
        "<int 0-4>",
        "...",
        "…",
        "string",
    ],
)
def test_the_forms_own_words_are_an_echo(text: str) -> None:
    assert form_of(Verdictlike).echoes(text)


@pytest.mark.parametrize(
    "text",
    ["It washed the mug.", "redundant_call", "right", "", "a < b > c", "Brief summary: it washed"],
)
def test_answers_are_no_echo(text: str) -> None:
    assert not form_of(Verdictlike).echoes(text)


def test_a_choice_of_the_form_is_never_an_echo() -> None:
    class Kind(Enum):
        TEXT = "text"
        NUMBER = "<number>"

    class Typed(BaseModel):
        kind: Kind

    form = form_of(Typed)
    assert not form.echoes("text")
    assert not form.echoes("<number>")
    assert form.echoes("string")


def test_a_form_is_worked_out_once() -> None:
    assert form_of(Verdictlike) is form_of(Verdictlike)
