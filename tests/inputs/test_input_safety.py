"""Safe text and safe values, over made-up ones."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from adjudge.contract import Record
from adjudge.inputs import Broken, Line, make_safe, parse, record_of
from adjudge.inputs.safetext import may_be_unsafe

TEXT = st.text(st.characters(codec=None), max_size=12)  # surrogates and controls included
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def unsafe(text: str) -> bool:
    return any(
        (ord(c) < 32 and c not in "\n\t\r") or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000
        for c in text
    )


def texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [t for key, inner in value.items() for t in (key, *texts(inner))]
    if isinstance(value, list):
        return [t for inner in value for t in texts(inner)]
    return []


@given(VALUES)
def test_made_safe_no_text_is_unsafe_and_the_rest_is_untouched(value: Any) -> None:
    safe, findings = make_safe(value)
    assert not any(unsafe(t) for t in texts(safe))
    assert bool(findings) == any(unsafe(t) for t in texts(value))
    assert len(texts(safe)) == len(texts(value))  # no key was lost
    if not findings:
        assert safe == value
    assert make_safe(safe) == (safe, ())
    json.dumps(safe, ensure_ascii=False).encode()


@given(VALUES, st.booleans())
def test_the_quick_look_never_misses(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    if make_safe(json.loads(text))[1]:
        assert may_be_unsafe(text)


@given(VALUES)
def test_a_line_and_a_value_in_memory_are_the_same_record(value: Any) -> None:
    raw = json.dumps(value).encode()
    line = parse(Line("f", 1, raw))
    held = record_of(json.loads(raw), 1)
    assert isinstance(line, Record)
    assert isinstance(held, Record)
    assert (line.value, line.findings) == (held.value, held.findings)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_record_or_a_named_error(raw: bytes) -> None:
    found = parse(Line("f", 7, raw))
    if isinstance(found, Broken):
        assert found.line == 7
        assert found.expected
        assert found.found
        assert not unsafe(found.found)
    else:
        assert not any(unsafe(t) for t in texts(found.value))


def test_a_flood_of_replaced_text_is_cut_short() -> None:
    _, findings = make_safe(["\0"] * 1000)
    assert len(findings) == 21
    assert "980 more" in findings[-1].text


class Model(BaseModel):
    id: str
    words: list[str] = []


@pytest.mark.parametrize(
    ("value", "field", "expected"),
    [
        ({"a": {"b": float("nan")}}, "a.b", "a finite number"),
        ({"a": [1, float("inf")]}, "a[1]", "a finite number"),
        ({"a": {1: 2}}, "a", "keys that are strings"),
        ({"a": {2, 3}}, "a", "a JSON value"),
        ({"a": object()}, "a", "a JSON value"),
    ],
)
def test_values_that_are_no_json_are_named(value: Any, field: str, expected: str) -> None:
    found = record_of(value, 4)
    assert isinstance(found, Broken)
    assert (found.line, found.field, found.expected) == (4, field, expected)


def test_a_value_that_holds_itself_is_named() -> None:
    value: dict[str, Any] = {}
    value["self"] = value
    found = record_of(value, 1)
    assert isinstance(found, Broken)
    assert "levels of nesting" in found.expected


def test_a_model_is_made_safe_too() -> None:
    clean = Model(id="a", words=["fine"])
    same = record_of(clean, 1)
    assert isinstance(same, Record)
    assert same.value is clean
    dirty = record_of(Model(id="a", words=["x\0"]), 2)
    assert isinstance(dirty, Record)
    assert dirty.value == Model(id="a", words=["x\ufffd"])
    assert dirty.findings[0].at == {"field": "words[0]"}
