"""Replies of every shape, read."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from adjudge.contract import Message
from adjudge.models import ModelFailure, ModelRequest, ModelResponse, form_of
from adjudge.models.dialects import AnthropicMessages, OpenAIChat
from adjudge.models.repair import repair

TEXT = '{"score": 3}'


class Mark(BaseModel):
    score: int


def openai(message: Any, finish: str | None = "stop", **more: Any) -> ModelResponse:
    choice = {"index": 0, "message": message, "finish_reason": finish, **more}
    return OpenAIChat().read({"choices": [choice], "usage": {"prompt_tokens": 5}}, "raw")


def anthropic(content: Any, stop: str | None = "end_turn", **more: Any) -> ModelResponse:
    usage = {"input_tokens": 5, "output_tokens": 1}
    body = {"content": content, "stop_reason": stop, "usage": usage, **more}
    return AnthropicMessages().read(body, "raw")


@pytest.mark.parametrize(
    "message",
    [
        {"content": TEXT},
        {"content": TEXT, "reasoning_content": "Let me see."},
        {"content": TEXT, "reasoning": "Let me see.", "refusal": None, "tool_calls": []},
        {"content": [{"type": "text", "text": TEXT}]},
        {"content": [{"type": "text", "text": TEXT[:5]}, {"type": "text", "text": TEXT[5:]}]},
        {"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": TEXT}]},
        {"content": [None, "odd", {"type": "text", "text": TEXT}, {"type": "image_url"}]},
        {"content": None, "tool_calls": [{"function": {"name": "x", "arguments": TEXT}}]},
        {"content": "", "tool_calls": [{"function": {"arguments": {"score": 3}}}]},
        {"content": None, "function_call": {"name": "x", "arguments": TEXT}},
    ],
)
def test_the_answer_in_an_openai_message(message: Any) -> None:
    response = openai(message)
    assert (response.text, response.finish, response.refusal) == (TEXT, "stop", None)
    assert (response.usage.calls, response.usage.input_tokens) == (1, 5)


@pytest.mark.parametrize(
    ("finish", "read"),
    [
        ("stop", "stop"),
        ("end_turn", "stop"),
        ("eos", "stop"),
        ("tool_calls", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("content_filter", "refusal"),
        ("content_filter: PROHIBITED_CONTENT", "refusal"),
        ("SAFETY", "refusal"),
        ("something_new", "other"),
        (None, "other"),
    ],
)
def test_why_an_openai_model_stopped(finish: str | None, read: str) -> None:
    assert openai({"content": TEXT}, finish).finish == read


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "refusal": "I won't."},
        {"content": TEXT, "refusal": "I won't."},
        {"content": [{"type": "refusal", "refusal": "I won't."}]},
    ],
)
def test_a_refusal_in_an_openai_message(message: Any) -> None:
    assert openai(message).refusal == "I won't."


def test_a_filtered_openai_reply_may_have_no_message() -> None:
    assert openai(None, "content_filter") == ModelResponse(
        "", "refusal", usage=openai({"content": ""}).usage, raw="raw"
    )


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": None}, {"choices": ["x"]}])
def test_an_openai_reply_without_a_message(body: Any) -> None:
    with pytest.raises(ModelFailure, match="empty_choices") as failed:
        OpenAIChat().read({**body, "usage": {"prompt_tokens": 7}}, "raw")
    assert (failed.value.usage.input_tokens, failed.value.raw) == (7, "raw")


def test_an_error_in_a_choice() -> None:
    with pytest.raises(ModelFailure, match="http_502: upstream") as failed:
        openai({"content": ""}, "error", error={"code": 502, "message": "upstream"})
    assert failed.value.retryable


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": TEXT}],
        [{"type": "thinking", "thinking": "", "signature": "x"}, {"type": "text", "text": TEXT}],
        [{"type": "redacted_thinking", "data": "x"}, None, {"type": "text", "text": TEXT}],
        [{"type": "text", "text": TEXT[:4]}, {"type": "text", "text": TEXT[4:]}],
        [{"type": "tool_use", "name": "x", "input": {"score": 3}}],
    ],
)
def test_the_answer_in_anthropic_content(content: Any) -> None:
    response = anthropic(content)
    assert (response.text, response.finish, response.refusal) == (TEXT, "stop", None)
    assert (response.usage.input_tokens, response.usage.output_tokens) == (5, 1)


@pytest.mark.parametrize(
    ("stop", "read"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("tool_use", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("pause_turn", "other"),
        (None, "other"),
    ],
)
def test_why_an_anthropic_model_stopped(stop: str | None, read: str) -> None:
    assert anthropic([{"type": "text", "text": TEXT}], stop).finish == read


def test_an_anthropic_refusal_and_its_words() -> None:
    told = {"category": "cyber", "explanation": "not this"}
    assert anthropic([], "refusal", stop_details=told).refusal == "cyber: not this"
    assert anthropic([], "refusal", stop_details=None).refusal == "no words given"
    assert anthropic([{"type": "text", "text": "No."}], "refusal").refusal == "No."


@pytest.mark.parametrize("content", [[], None, "text"])
def test_an_anthropic_reply_without_content(content: Any) -> None:
    with pytest.raises(ModelFailure, match="empty_choices"):
        anthropic(content)


def test_an_anthropic_reply_that_was_all_thinking_is_cut_short() -> None:
    assert anthropic([], "max_tokens").finish == "length"


@pytest.mark.parametrize("without", [(), ("schema",), ("temperature", "seed")])
def test_turns_alternate_and_the_system_stands_apart(without: tuple[str, ...]) -> None:
    messages = (
        Message(role="system", content="You are a judge."),
        Message(role="user", content="Score it."),
    )
    asked = repair(ModelRequest(messages, form_of(Mark)), "It did well.", "no_json")
    anthropic = AnthropicMessages().body("any", asked, without)
    openai = OpenAIChat().body("any", asked, without)
    assert anthropic["system"] == "You are a judge."
    assert [m["role"] for m in anthropic["messages"]] == ["user", "assistant", "user"]
    assert [m["role"] for m in openai["messages"]] == ["system", "user", "assistant", "user"]
    schema = form_of(Mark).schema_json
    for body in (anthropic, openai):
        told = body["messages"][-1]["content"]
        assert told.endswith(schema) == ("schema" in without)
        assert ("temperature" in body) == ("temperature" not in without)


LONG = "The robot put the mug into the sink. " * 120


def cached(system: str, user: str, shared: int, without: tuple[str, ...] = ()) -> Any:
    messages = (Message(role="system", content=system), Message(role="user", content=user))
    asked = ModelRequest(messages, form_of(Mark), shared=shared)
    return AnthropicMessages().body("any", asked, without)


def test_a_long_system_prompt_is_marked_to_be_kept() -> None:
    body = cached(LONG, "Score it.", 0)
    kept = {"type": "text", "text": LONG, "cache_control": {"type": "ephemeral"}}
    assert body["system"] == [kept]
    assert body["messages"][0]["content"] == "Score it."


def test_what_other_questions_share_of_the_last_message_is_marked() -> None:
    user = LONG + "Turn 7"
    first, second = cached("You judge.", user, len(LONG))["messages"][0]["content"]
    assert first == {"type": "text", "text": LONG, "cache_control": {"type": "ephemeral"}}
    assert second == {"type": "text", "text": "Turn 7"}
    [whole] = cached("You judge.", user, len(user))["messages"][0]["content"]
    assert whole["text"] == user
    # the schema in the prompt comes behind the mark
    _, schema = cached("You judge.", user, len(user), ("schema",))["messages"][0]["content"]
    assert "JSON Schema" in schema["text"]


@pytest.mark.parametrize(("user", "shared"), [("Score it.", 9), (LONG, 0)])
def test_what_is_short_or_not_shared_is_not_marked(user: str, shared: int) -> None:
    body = cached("You judge.", user, shared)
    assert (body["system"], body["messages"][0]["content"]) == ("You judge.", user)
