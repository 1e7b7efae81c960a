"""How an endpoint of each dialect writes replies and errors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from adjudge.contract import JsonObject
from adjudge.models import dialects

DialectName = Literal["openai", "anthropic"]
PATHS: dict[str, DialectName] = {
    dialects.OpenAIChat.path: "openai",
    dialects.AnthropicMessages.path: "anthropic",
}

_ANTHROPIC_STOP = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}
_OPENAI_STOP = {"refusal": "content_filter"}


@dataclass(frozen=True, slots=True)
class Said:
    """What a model says, before it is written in a dialect: ``finish`` is ``stop``, ``length`` or
    ``refusal``; ``reasoning`` becomes a part of its own; ``tokens`` are those read and written."""

    text: str
    finish: str = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    as_parts: bool = False
    tokens: tuple[int, int] = (100, 20)


def write(dialect: DialectName, model: str, said: Said) -> JsonObject:
    """The body of a reply."""
    return _anthropic(model, said) if dialect == "anthropic" else _openai(model, said)


def write_error(
    dialect: DialectName,
    message: str,
    *,
    kind: str = "invalid_request_error",
    code: str | int | None = None,
    param: str | None = None,
) -> JsonObject:
    """The body of an error."""
    error: JsonObject = {"type": kind, "message": message}
    if dialect == "openai":
        return {"error": {**error, "code": code, "param": param}}
    return {"type": "error", "error": error, "request_id": "req_1"}


def text_of(content: Any) -> str:
    """The text of a message or a system prompt, whether it is a string or blocks.

    >>> text_of([{"type": "text", "text": "Score "}, {"type": "text", "text": "it."}])
    'Score it.'
    """
    if isinstance(content, list):
        return "".join(str(block.get("text") or "") for block in content)
    return str(content or "")


def asks_for_schema(body: JsonObject) -> bool:
    """Whether a request wants native structured output."""
    return "response_format" in body or "output_config" in body


def schema_of(body: JsonObject) -> JsonObject | None:
    """The JSON schema that a request carries."""
    openai = body.get("response_format", {}).get("json_schema", {}).get("schema")
    anthropic = body.get("output_config", {}).get("format", {}).get("schema")
    found: JsonObject | None = openai or anthropic
    return found


def minimal(schema: JsonObject) -> Any:
    """The least value that fits a schema: first choices, zeros, short texts, empty lists.

    >>> minimal({"type": "object", "properties": {"score": {"enum": [0, 1]}}})
    {'score': 0}
    """
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return minimal(schema["anyOf"][0])
    if schema.get("type") == "object":
        return {name: minimal(part) for name, part in schema.get("properties", {}).items()}
    least = {"string": "Nothing to add.", "integer": 0, "number": 0, "boolean": False, "array": []}
    return least.get(str(schema.get("type")))


def _openai(model: str, said: Said) -> JsonObject:
    message: JsonObject = {"role": "assistant", "content": said.text, "refusal": None}
    if said.refusal and said.as_parts:
        message["content"] = [{"type": "refusal", "refusal": said.refusal}]
    elif said.refusal:
        message |= {"content": None, "refusal": said.refusal}
    elif said.as_parts:
        message["content"] = [
            {"type": "thinking", "thinking": said.reasoning or ""},
            {"type": "text", "text": said.text},
        ]
    elif said.reasoning:
        message["reasoning_content"] = said.reasoning
    # a model that declines in words stops as usual; only a filter has a finish of its own
    finish = "stop" if said.refusal else _OPENAI_STOP.get(said.finish, said.finish)
    read, written = said.tokens
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
        },
    }


def _anthropic(model: str, said: Said) -> JsonObject:
    content: list[JsonObject] = []
    if said.reasoning:
        content.append({"type": "thinking", "thinking": said.reasoning, "signature": "c2ln"})
    if said.text and not said.refusal:
        content.append({"type": "text", "text": said.text})
    refused = said.refusal or said.finish == "refusal"
    read, written = said.tokens
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "refusal" if refused else _ANTHROPIC_STOP.get(said.finish, said.finish),
        "stop_sequence": None,
        "stop_details": {"explanation": said.refusal} if said.refusal else None,
        "usage": {"input_tokens": read, "output_tokens": written},
    }


def dumps(value: Any) -> str:
    """JSON as a careless server writes it: NaN and Infinity included."""
    return json.dumps(value, ensure_ascii=False, allow_nan=True)
