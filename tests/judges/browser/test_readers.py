"""Formats of our own making: the same conversation in each, oddities, what is broken, no loss."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.contract import CaseError
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers import to_openai
from browser_reading import counts, one_case, read
from browser_samples import ANSWER, BROWSER_USE, EXPECTED, PAGE, QUESTION, SMART_WINDOW


@pytest.mark.parametrize("name", EXPECTED)
def test_each_format_is_detected_and_whole(name: str) -> None:
    value, reader, messages, calls, results, start = EXPECTED[name]
    before = copy.deepcopy(value)
    found, [case] = read(value)
    assert found == reader
    assert value == before
    assert counts(case) == (messages, calls, results)
    assert (case.response_from, case.response_to) == (start, messages)
    asked = [m.text for m in case.messages[:start] if m.role == "user"]
    assert asked[-1] == QUESTION
    worded = [m.text for m in case.response if m.text]
    assert worded[-1] == ANSWER


@pytest.mark.parametrize("name", [n for n in EXPECTED if not n.startswith("browser-use")])
def test_calls_keep_their_ids_and_find_their_results(name: str) -> None:
    case = one_case(EXPECTED[name][0])
    answered = {r.call_id: r.text for m in case.messages for r in m.results}
    called = [call.id for m in case.messages for call in m.calls]
    assert set(answered) == set(called)
    assert PAGE in answered.values()


@pytest.mark.parametrize(
    ("name", "thought"),
    [("responses items", "Look."), ("anthropic request", "Look."), ("otel spans", "Look.")],
)
def test_reasoning_is_kept_apart_from_words(name: str, thought: str) -> None:
    case = one_case(EXPECTED[name][0])
    assert [m.reasoning for m in case.messages if m.reasoning] == [thought]
    assert all(thought not in (m.text or "") for m in case.messages)


def test_smart_window_context_and_truth() -> None:
    case = one_case(SMART_WINDOW)
    assert case.id == "u-1"
    assert case.context_given
    assert [(tab.url, tab.active) for tab in case.tabs or ()] == [
        ("https://shop.example/returns", True),
        ("https://news.example/", False),
    ]
    assert case.preferences == [{"id": "m1", "memory_summary": "Likes tea"}]
    assert case.label == {"tools": [{"name": "get_page_content", "args": {}}]}
    assert {drop.what for drop in case.drops} == {"extensionInformation", "browserContext"} | {
        "conversation.rendered"
    }


def test_browser_use_without_its_task_has_no_user() -> None:
    case = one_case({"history": BROWSER_USE["history"]})
    assert [m.role for m in case.messages if m.role == "user"] == []
    assert case.response[-1].role == "tool"


def test_a_recorded_response_that_is_cut_off_is_named() -> None:
    body = {"messages": [{"role": "user", "content": [{"text": "hi"}]}], "toolConfig": {}}
    _, [error] = read({"body": body, "response": "0000008400000052a421f9e3"})
    assert isinstance(error, CaseError)
    assert error.field == "response"


# -- OpenAI chat: nothing is lost


ODD: list[Any] = [
    [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}],
    [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "refusal": "No."},
    ],
    [
        {"role": "user", "content": "x", "name": "ann"},
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "get_tabs", "arguments": "{"},
        },
        {"role": "function", "name": "get_tabs", "content": "[]"},
        {"role": "assistant"},
    ],
    [
        {"role": "user", "content": "x"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "t", "arguments": '{"a": 1'}},
                {"id": "b", "type": "function", "function": {"name": "t", "arguments": '{ "a":1}'}},
                {"id": "c", "type": "custom", "custom": {"name": "sql", "input": "select"}},
                {"id": 4, "function": {"name": "t", "arguments": {"b": 2}}, "index": 0},
            ],
            "reasoning_content": "because",
            "audio": None,
            "annotations": [],
        },
        {"role": "tool", "tool_call_id": "a", "content": None},
        {"role": "tool", "tool_call_id": "b", "name": "t", "content": "done"},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "rows"}]},
        {"role": "tool", "content": "no id at all", "error": True},
        {"role": "assistant", "content": "ok", "tool_calls": None},
    ],
]


@pytest.mark.parametrize("messages", ODD)
def test_openai_round_trip(messages: Any) -> None:
    case = one_case(messages)
    assert to_openai(case.messages) == messages
    # and through the canonical form on disk
    again = BrowserCase.model_validate_json(case.model_dump_json())
    assert to_openai(again.messages) == messages


def test_odd_openai_messages_mean_what_they_say() -> None:
    refusal, legacy, odd = (one_case(messages) for messages in ODD[1:])
    assert refusal.messages[1].attached == 1
    assert refusal.messages[2].text == "No."
    assert legacy.messages[1].calls[0].arguments == "{"
    assert legacy.messages[2].results[0].name == "get_tabs"
    assert [call.name for call in odd.messages[1].calls] == ["t", "t", "sql", "t"]
    assert odd.messages[1].reasoning == "because"
    assert odd.messages[4].results[0].text == "rows"
    assert odd.messages[5].results[0].error == "error"


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=4,
)
_part = st.fixed_dictionaries({"type": st.just("text"), "text": st.text(max_size=8)}) | st.just(
    {"type": "image_url", "image_url": {"url": "data:"}}
)
_content = st.none() | st.text(max_size=12) | st.lists(_part, max_size=3)
_call = st.fixed_dictionaries(
    {
        "id": st.text(max_size=3),
        "type": st.just("function"),
        "function": st.fixed_dictionaries(
            {"name": st.text(min_size=1, max_size=6), "arguments": st.text(max_size=8) | _json}
        ),
    },
    optional={"index": st.integers(0, 3)},
)
_message = st.one_of(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "developer", "user"]), "content": _content},
        optional={"name": st.text(max_size=4), "extra": _json},
    ),
    st.fixed_dictionaries(
        {"role": st.just("assistant")},
        optional={
            "content": _content,
            "refusal": st.none() | st.text(max_size=4),
            "tool_calls": st.none() | st.lists(_call, max_size=2),
            "reasoning_content": st.none() | st.text(max_size=4),
            "function_call": st.none()
            | st.fixed_dictionaries({"name": st.just("f"), "arguments": st.text(max_size=4)}),
        },
    ),
    st.fixed_dictionaries(
        {"role": st.sampled_from(["tool", "function"])},
        optional={
            "content": _content,
            "tool_call_id": st.text(max_size=3),
            "name": st.text(max_size=3),
            "error": _json,
        },
    ),
)


@given(messages=st.lists(_message, min_size=1, max_size=5))
@settings(max_examples=80, deadline=None)
def test_any_openai_conversation_comes_back_as_it_was(messages: list[dict[str, Any]]) -> None:
    closed = [*messages, {"role": "assistant", "content": "done"}]
    before = copy.deepcopy(closed)
    _, [case] = read({"conversation": closed, "id": "x"})
    assert closed == before
    assert to_openai(case.messages) == closed


# -- where the response is


def test_the_last_turn_is_the_response() -> None:
    talk = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
        {"role": "assistant", "content": "d"},
    ]
    case = one_case({"conversation": talk})
    assert [m.text for m in case.response] == ["d"]
    case = one_case({"conversation": talk[:3], "response": "e"})
    assert [m.text for m in case.response] == ["e"]
    case = one_case(
        {
            "conversation": talk[:3],
            "response": {
                "content": None,
                "tool_calls": [
                    {
                        "id": "p",
                        "type": "function",
                        "function": {"name": "get_tabs", "arguments": "{}"},
                    }
                ],
            },
        }
    )
    assert [call.name for m in case.response for call in m.calls] == ["get_tabs"]
    case = one_case({"messages": talk[:3], "choices": [{"message": talk[3]}]})
    assert [m.text for m in case.response] == ["d"]


@pytest.mark.parametrize(
    ("value", "field", "found"),
    [
        ({"conversation": []}, "messages", "an empty conversation"),
        ({"conversation": [{"role": "user", "content": "a"}]}, "messages", "none of them"),
        ({"conversation": "hello"}, "conversation", "'hello'"),
        ({"conversation": [3]}, "conversation[0]", "3"),
        ({"conversation": [{"role": "robot"}]}, "conversation[0].role", "'robot'"),
        ({"conversation": [{"role": "user", "content": 3}]}, "conversation[0].content", "3"),
        (
            {"conversation": [{"role": "assistant", "tool_calls": [{"function": {}}]}]},
            "conversation[0].tool_calls[0].name",
            "null",
        ),
        ({"conversation": [{"role": "user"}], "response": 7}, "response", "7"),
        ({"conversation": [{"role": "user"}], "response": []}, "response", "a list of 0"),
        ({}, "conversation", "an empty object"),
        (["hello"], "", "a list of 1"),
        ("hello", "", "'hello'"),
        ({"schema_version": "ATIF-v1.4", "steps": {}}, "steps", "an object"),
        ({"schema_version": "ATIF-v1.4", "steps": [{"source": "x"}]}, "steps[0].source", "'x'"),
        ({"traj": [], "task_id": 1}, "messages", "an empty conversation"),
        ({"response_from": 0, "response_to": 1, "messages": []}, "messages", "a list of 0"),
        (
            {"conversation": [{"role": "assistant"}], "tabs": [{"title": "x"}]},
            "tabs[0].url",
            "nothing",
        ),
    ],
)
def test_broken_conversations_are_named(value: Any, field: str, found: str) -> None:
    _, [error] = read(value)
    assert isinstance(error, CaseError)
    assert error.field == field
    assert found in error.found
    assert error.expected


def test_one_broken_sample_of_a_log_leaves_the_others() -> None:
    good = {"id": 1, "epoch": 1, "messages": [{"role": "assistant", "content": "a"}]}
    bad = {"id": 2, "epoch": 1, "messages": [{"role": "oracle", "content": "a"}]}
    _, found = read({"eval": {"task": "t"}, "samples": [good, bad, {**good, "id": 3}]})
    assert [getattr(one, "id", None) or one.case_id for one in found] == ["t-1-1", "t-2-1", "t-3-1"]
    assert isinstance(found[1], CaseError)
