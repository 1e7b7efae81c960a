from __future__ import annotations

import json
import math
import random
import re
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, BeforeValidator, Field

from adjudge.models import Parsed, form_of, parse
from adjudge.models.transport import Finish

FINISHES: tuple[Finish, ...] = ("stop", "stop", "stop", "other", "length", "refusal")


class Mark(BaseModel, frozen=True):
    summary: str = Field(description="One sentence on what was done")
    score: int = Field(ge=0, le=4)
    success: bool


class Wide(BaseModel, frozen=True):
    """A form with everything in it, all of it optional so that fragments get through."""

    score: int | None = Field(default=None, ge=1, le=5)
    share: float = Field(default=0.0, ge=-1, le=1)
    weight: float = 0.0
    grade: Literal[0, 1, 2] = 0
    side: Literal["left", "right"] | None = None
    flag: bool = False
    notes: list[str] = []
    turns: tuple[int, ...] = ()
    inner: Mark | None = None


GOOD: dict[str, Any] = {"summary": "It washed the mug.", "score": 3, "success": True}


def read(value: Any) -> Parsed:
    return parse(value if isinstance(value, str) else json.dumps(value), form_of(Mark))


def test_a_good_answer() -> None:
    parsed = read(GOOD)
    assert parsed.status == "ok"
    assert parsed.value == Mark(**GOOD)
    assert parsed.reason is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": 5}, "bad_value: score: .*less than or equal to 4, found 5"),
        ({"score": -1}, "bad_value: score"),
        ({"score": 2.5}, "bad_value: score"),
        ({"score": "3"}, "bad_value: score: .*found '3'"),
        ({"score": True}, "bad_value: score"),
        ({"score": None}, "bad_value: score"),
        ({"score": [3]}, "bad_value: score"),
        ({"success": 1}, "bad_value: success"),
        ({"success": "true"}, "bad_value: success"),
        ({"summary": 3}, "bad_value: summary"),
        ({"summary": "One sentence on what was done"}, "echo: summary"),
        ({"summary": "<summary>"}, "echo: summary"),
        ({"score": "<int 0-4>"}, "echo: score"),
    ],
)
def test_what_the_form_does_not_allow_is_invalid(change: dict[str, Any], reason: str) -> None:
    parsed = read({**GOOD, **change})
    assert parsed.status == "invalid"
    assert parsed.value is None
    assert parsed.reason is not None
    assert re.match(reason, parsed.reason)


def test_a_missing_field_is_named() -> None:
    parsed = read({"summary": "x", "success": True})
    assert parsed.reason == "bad_value: score: Field required"


def test_a_bool_is_no_choice_of_numbers() -> None:
    form = form_of(Wide)
    assert parse('{"grade": true}', form).status == "invalid"
    assert parse('{"grade": 1, "flag": true}', form).status == "ok"


def test_a_form_may_allow_strings_for_numbers() -> None:
    class Lenient(BaseModel):
        score: Annotated[int, BeforeValidator(int)]

    parsed = parse('{"score": "4"}', form_of(Lenient))
    assert parsed.value == Lenient(score=4)


def test_strict_json_knows_tuples_and_enums() -> None:
    parsed = parse('{"turns": [1, 2], "side": "left"}', form_of(Wide))
    assert parsed.value == Wide(turns=(1, 2), side="left")


def test_truncated_even_if_it_parses() -> None:
    parsed = parse(json.dumps(GOOD), form_of(Mark), finish="length")
    assert (parsed.status, parsed.value) == ("truncated", None)
    assert parsed.reason is not None
    assert "began" in str(parse("", form_of(Mark), finish="length").reason)


@pytest.mark.parametrize(
    ("text", "finish", "refusal"),
    [
        ("", "stop", "I won't."),
        (json.dumps(GOOD), "stop", "I won't."),
        ("", "refusal", None),
        ("I'm sorry, but I can't help with that.", "stop", None),
        ("As an AI, I would rather not.", "stop", None),
    ],
)
def test_refused(text: str, finish: Any, refusal: str | None) -> None:
    parsed = parse(text, form_of(Mark), finish=finish, refusal=refusal)
    assert parsed.status == "refused"
    assert parsed.value is None


def test_declining_words_before_an_answer_are_no_refusal() -> None:
    assert read(f"I'm sorry for the wait: {json.dumps(GOOD)}").status == "ok"


def test_a_validator_that_raises_anything_is_an_invalid_answer() -> None:
    def fail(value: object) -> object:
        raise KeyError("planted")

    class Broken(BaseModel):
        score: Annotated[int, BeforeValidator(fail)]

    parsed = parse('{"score": 4}', form_of(Broken))
    assert parsed == Parsed("invalid", reason="bad_value: the form raised KeyError")


# Made-up replies: well-formed and broken JSON of the form's own fields, in every wrapping.

NUMBERS = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "-1",
    "5",
    "3.0",
    "2.5",
    "1e999",
    "NaN",
    "-Infinity",
    "1" + "0" * 400,
    "true",
)
OTHERS = (
    "null",
    '"4"',
    '"left"',
    '"<int 0-4>"',
    '"..."',
    "[]",
    "[1, 2]",
    '["a"]',
    "{}",
    '"\\ud800"',
)
FIELDS = (*Mark.model_fields, *Wide.model_fields, "other")
WRAPPINGS = (
    *("```json\n", "\n```\n", "~~~\n", "<think>", "</think>", "Sure: ", "I'm sorry, ", "\x00"),
    *("{", "}", ",", ",}", "[", "]", '"', "\\", "// x\n", "/*", "*/", "{'score': 3}", "\u2028"),
)
PAIRS = tuple(f'"{name}": {value}' for name in FIELDS for value in NUMBERS + OTHERS)
GOOD_MARKS = tuple(
    f'{{"summary": "Done{end}", "score": {score}, "success": {success}}}'
    for end in ("", " } ", " </think>")
    for score in NUMBERS
    for success in ("true", "false", "1")
)
REPLIES = 10


def made_up(chance: random.Random) -> str:
    """A reply of good answers, broken ones, fragments and wrappings, perhaps cut off."""
    parts = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.random()
        if kind < 0.3:
            parts.append(chance.choice(GOOD_MARKS))
        elif kind < 0.6:
            parts.append(f"{{{', '.join(chance.choices(PAIRS, k=chance.randint(0, 4)))}}}")
        else:
            parts.append(chance.choice(WRAPPINGS))
    text = "".join(parts)
    return text[: len(text) - chance.choice((0, 0, 0, 1, 5, 30))] or text


@pytest.mark.parametrize("form", [Mark, Wide])
@settings(max_examples=600, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_none_of_12_000_made_up_replies_raises_or_leaves_the_form(
    form: type[BaseModel], seed: int
) -> None:
    chance = random.Random(seed)
    for _ in range(REPLIES):
        text, finish = made_up(chance), chance.choice(FINISHES)
        check(text, finish, form)


@settings(max_examples=300, deadline=None)
@given(text=st.text(alphabet=st.sampled_from('{}[]":,0159e.-NaIscore \n/*`<>') | st.characters()))
def test_no_text_at_all_raises(text: str) -> None:
    check(text, "stop", Wide)


def check(text: str, finish: Finish, form: type[BaseModel]) -> None:
    parsed = parse(text, form_of(form), finish=finish)
    if parsed.status != "ok":
        assert parsed.value is None, text
        assert parsed.reason, text
        return
    assert finish in ("stop", "other"), text
    assert parsed.value is not None, text
    dumped = parsed.value.model_dump(mode="python")
    # what was accepted is accepted again: in range, of the right types, nothing lost
    assert form.model_validate(dumped, strict=True) == parsed.value, text
    for leaf in _leaves(dumped):
        assert not isinstance(leaf, float) or math.isfinite(leaf), text
        assert not isinstance(leaf, str) or leaf.encode("utf-8") is not None, text
    if isinstance(parsed.value, Mark):
        assert type(parsed.value.score) is int, text
        assert 0 <= parsed.value.score <= 4, text
    if isinstance(parsed.value, Wide):
        assert parsed.value.score is None or 1 <= parsed.value.score <= 5, text
        assert type(parsed.value.grade) is int, text


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in _leaves(part)]
    return [value]
