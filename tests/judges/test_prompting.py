"""Text from a case on its way into a prompt."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.judges.prompting import TemplateError, as_json, fence, fill, neutral, used
from adjudge.judges.quoting import CONTROL_TOKEN

TOKENS = [
    "<|im_start|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<｜User｜>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "<s>",
    "</s>",
    "<start_of_turn>",
    "[TOOL_CALLS]",
    "</think>",
]
hostile_text = st.lists(
    st.one_of(
        st.sampled_from([*TOKENS, "`", "```", "````text", "\n", "{", "}", "<", ">", "|"]),
        st.text(max_size=8),
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("token", TOKENS)
def test_control_tokens_are_neutralised_and_stay_readable(token: str) -> None:
    safe = neutral(f"before {token} after")
    assert token not in safe
    assert token.strip("<>[]") in safe


@given(hostile_text)
def test_no_control_token_is_left_by_any_way_in(text: str) -> None:
    assert not CONTROL_TOKEN.search(neutral(text))
    assert not CONTROL_TOKEN.search(fence(text))
    assert neutral(neutral(text)) == neutral(text)


@pytest.mark.parametrize(
    "text", ["a < b > c", "x[0]", "<b>bold</b>", "Human: hello", "[x] done", "2 <| 3", "{a|b}"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert neutral(text) == text


@given(hostile_text)
def test_a_fence_cannot_be_closed_from_inside(text: str) -> None:
    block = fence(text, "text")
    first, _, rest = block.partition("\n")
    mark = first.removesuffix("text")
    inside, _, last = rest.rpartition("\n")
    assert set(mark) == {"`"}
    assert len(mark) >= 3
    assert last == mark
    assert mark not in inside
    assert inside == neutral(text)
    assert fence(text, "text") == block


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | hostile_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(hostile_text, inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_json_stays_json_and_holds_no_token_and_no_line_of_its_own(value: object) -> None:
    text = as_json(value)
    json.loads(text)
    assert not any(CONTROL_TOKEN.search(s) for s in _strings(json.loads(text)))
    assert len(text.splitlines()) == 1


@given(st.text(max_size=30).filter(lambda text: neutral(text) == text))
def test_harmless_text_survives_json(text: str) -> None:
    assert json.loads(as_json({"text": text})) == {"text": text}


def test_json_has_no_nan() -> None:
    with pytest.raises(ValueError, match="JSON"):
        as_json({"x": float("nan")})


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [s for pair in value.items() for part in pair for s in _strings(part)]
    if isinstance(value, list):
        return [s for part in value for s in _strings(part)]
    return []


# a user's own template

braces = st.lists(
    st.one_of(
        st.sampled_from(
            ["{", "}", "{{", "}}", "{a}", "{b}", "{{a}}", "{c}", "{a:", ":.1%}", "{ratio:.1%}", "a"]
        ),
        st.text(max_size=5),
    ),
    max_size=12,
).map("".join)


@given(braces, braces, st.floats(0, 1))
def test_what_is_put_in_is_never_scanned_again(a: str, b: str, ratio: float) -> None:
    filled = fill("<{a}|{b}|{ratio:.1%}>", {"a": a, "b": b, "ratio": ratio})
    assert filled == "<" + a + "|" + b + "|" + f"{ratio:.1%}" + ">"


@given(braces)
def test_a_template_without_known_names_is_its_own_text(template: str) -> None:
    assert fill(template, {"unheard_of": "x"}) == template
    assert fill(template, {}) == template


@given(braces.filter(lambda template: "{a:" not in template))
def test_filling_in_a_name_with_itself_changes_nothing(template: str) -> None:
    assert fill(template, {"a": "{a}", "b": "{b}"}) == template


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ('{"score": <int 0-4>, "text": "{a}"}', '{"score": <int 0-4>, "text": "A"}'),
        ('{"outer": {a}}', '{"outer": A}'),
        ("{{a}}", "{{a}}"),
        ('{{\n"summary": "x"\n}}', '{{\n"summary": "x"\n}}'),
        ("{a}{a}", "AA"),
        ("{A} { a } {a!r} {a.b} {a[0]}", "{A} { a } {a!r} {a.b} {a[0]}"),
        ('{a: "x"} {a::} {n:1, "b": 2}', '{a: "x"} {a::} {n:1, "b": 2}'),
        ("{n}/{total} ({ratio:.1%})", "1/4 (25.0%)"),
    ],
)
def test_braces_that_are_no_placeholder_are_text(template: str, filled: str) -> None:
    assert fill(template, {"a": "A", "n": 1, "total": 4, "ratio": 0.25}) == filled


def test_a_format_that_does_not_suit_is_named() -> None:
    with pytest.raises(TemplateError, match=r"\{a:\.1%\}.*str"):
        fill("{a:.1%}", {"a": "text"})


def test_used_names() -> None:
    known = frozenset({"a", "ratio", "gone"})
    assert used("{a} {ratio:.1%} {{gone}} {nope}", known) == {"a", "ratio"}
