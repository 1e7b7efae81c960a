from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.models.jsontext import NoObject, find_object

GOOD = {"score": 3, "why": 'it says "}" // here /* and */ there, ]'}
TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"  {TEXT}\n",
        f"Here:\n```json\n{TEXT}\n```\nBye {{now}}",
        f"```\n{TEXT}\n```",
        f"~~~json\n{TEXT}\n~~~",
        f"Well {{as asked}}: {TEXT} Anything else?",
        f'{{"score": 1, "why": "draft"}} no, rather {TEXT}',
        f'```json\n{{"score": 1}}\n```\nor\n```json\n{TEXT}\n```',
        f'<think>{{"score": 1}} or?</think>{TEXT}',
        f'<think>{{"score": 1}} or?</think>\n```json\n{TEXT}\n```',
        f'I ponder {{"score": 1}}.</think>{TEXT}',
        f"[{TEXT}]",
        TEXT[:-1] + ",}",
        TEXT[:-1] + ', // last\n "tail": null, /* end */ }',
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert {**find_object(text), "tail": None} == {**GOOD, "tail": None}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no_json"),
        ("no object here", "no_json"),
        ("{'score': 3}", "no_json"),
        ("[1, 2]", "no_json"),
        ('{"score": 3', "not complete"),
        ('{"score": 1} and then {"score": 4', "not complete"),
        ('{"outer": {"score": 4}', "not complete"),
        ('<think>{"score": 4}', "never closed"),
        ('<think>{"score": 4}</think> as said', "no_json"),
        ('I ponder {"score": 4}.</think> as said', "no_json"),
        ('{"score": NaN}', "NaN"),
        ('{"score": -Infinity}', "Infinity"),
        ('{"score": 1e999}', "out of range"),
        ('{"score": 1, "score": 4}', "twice"),
        ('{"score": 1, "score": true}', "twice"),
        ('{"a": 1} {"score": NaN}', "NaN"),
    ],
)
def test_what_is_no_usable_object_is_said(text: str, why: str) -> None:
    with pytest.raises(NoObject, match=why):
        find_object(text)


def test_a_reasoning_tag_in_the_answer_is_part_of_the_answer() -> None:
    quoted = {"why": "the page said </think> and <think>", "score": 2}
    assert find_object(f"Sure: {json.dumps(quoted)}") == quoted
    assert find_object(json.dumps(quoted)) == quoted


def test_one_key_twice_with_one_value_is_one_key() -> None:
    assert find_object('{"score": 1, "score": 1}') == {"score": 1}


def test_an_integer_may_be_written_as_a_float() -> None:
    found = find_object('{"score": 3.0, "half": 2.5}')
    assert found == {"score": 3, "half": 2.5}
    assert type(found["score"]) is int


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(st.text(), json_values, min_size=1, max_size=4)
prose = st.text(st.characters(exclude_characters='{}"'), max_size=40).filter(
    lambda text: "```" not in text and "~~~" not in text and "think" not in text
)


@given(objects, prose, prose, st.sampled_from([None, 1]))
def test_any_object_amid_words_comes_back_whole(
    value: dict[str, object], before: str, after: str, indent: int | None
) -> None:
    assert find_object(before + json.dumps(value, indent=indent) + after) == value


@given(objects, objects, prose)
def test_of_two_objects_the_last_one_counts(
    first: dict[str, object], last: dict[str, object], between: str
) -> None:
    assert find_object(f"{json.dumps(first)} {between} {json.dumps(last)}.") == last


@given(objects)
def test_comments_and_trailing_commas_change_nothing(value: dict[str, object]) -> None:
    lines = [f"{json.dumps(key)}: {json.dumps(part)}" for key, part in value.items()]
    text = "{ // begin\n" + ", /* next, } */\n".join(lines) + ", // last\n}"
    assert find_object(text) == value


HOSTILE = (
    "{",
    '{"',
    '{"a":',
    "```\n",
    "```a\n",
    "/*",
    "{/*",
    ",/*",
    '"\\',
    "</think>{",
    "<think>",
    "{}",
    "{x}",
    "{{{ }} ",
    "[",
    "`",
    "'",
)


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("opening", ["", "{", '{"a": "'])
def test_hostile_text_is_read_in_linear_time(piece: str, opening: str) -> None:
    """Quadratic reading of these would take minutes, and the test run would not end."""
    text = opening + piece * (300_000 // len(piece))
    with suppress(NoObject):
        assert isinstance(find_object(text), dict)
