"""Completions in the place where they complete a case."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.rewards import BadRow, completed, completion_text, steps_in


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ('["pick(mug)", "open(fridge)"]', ["pick(mug)", "open(fridge)"]),
        ('Here:\n```json\n["pick(mug)"]\n```', ["pick(mug)"]),
        ("pick(mug)\nopen(fridge)\n", ["pick(mug)", "open(fridge)"]),
        (
            "```\n1. pick(mug)\n2) open(fridge)\n(3) wait\n```",
            ["pick(mug)", "open(fridge)", "wait"],
        ),
        ("- pick(mug)\n* open(fridge)\n• wait", ["pick(mug)", "open(fridge)", "wait"]),
        ("place_in(mug, sink) [sic]", ["place_in(mug, sink) [sic]"]),
        ("[1, 2]", ["[1, 2]"]),
        ("", []),
        ("[" * 5000, ["[" * 5000]),
    ],
)
def test_plans_are_read_as_models_write_them(text: str, steps: list[str]) -> None:
    assert steps_in(text) == steps


@given(st.lists(st.text()))
def test_a_json_list_of_steps_is_taken_as_it_is(steps: list[str]) -> None:
    assert steps_in(json.dumps(steps)) == steps


@given(st.text())
def test_any_text_gives_steps_that_are_not_empty(text: str) -> None:
    assert all(isinstance(step, str) for step in steps_in(text))


def test_chat_completions_are_the_assistants_words() -> None:
    said: list[dict[str, Any]] = [
        {"role": "assistant", "content": "pick(mug)"},
        {"role": "tool", "content": "ok"},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": "wait"},
    ]
    assert completion_text(said) == "pick(mug)\nwait"


def test_each_judge_takes_the_completion_in_its_own_place() -> None:
    robot = completed("robot", {"instruction": "Wash the mug."}, "pick(mug)")
    assert robot == {"instruction": "Wash the mug.", "plan": ["pick(mug)"]}
    case = {"agent": "Ann", "turns": [{"speaker": "Bob", "text": "Well?"}]}
    social = completed("social", json.dumps(case), "Deal.")
    assert social["turns"][1] == {"speaker": "Ann", "text": "Deal.", "kind": "speak"}
    call = [{"role": "assistant", "tool_calls": []}]
    browser = completed("browser", {"messages": [{"role": "user", "content": "Hi"}]}, call)
    assert [message["role"] for message in browser["messages"]] == ["user", "assistant"]


@pytest.mark.parametrize(
    ("judge", "case", "words"),
    [
        ("robot", "no JSON", "expected a JSON object"),
        ("robot", [], "expected an object or its JSON, found list"),
        ("robot", None, "found NoneType"),
        ("social", {"turns": []}, "the agent that speaks"),
        ("browser", {}, "the messages before the response"),
        ("tally", {}, "expected one of robot, social, browser, or a function"),
    ],
)
def test_a_row_without_a_case_to_complete_is_named(judge: str, case: Any, words: str) -> None:
    with pytest.raises(BadRow, match=words):
        completed(judge, case, "x")
