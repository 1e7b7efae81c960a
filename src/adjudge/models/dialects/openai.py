"""Chat completions, as OpenAI wrote them and as most servers speak them."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from adjudge.contract import JsonObject, Usage
from adjudge.models.dialects.base import with_schema_in_prompt
from adjudge.models.failures import failure, usage_of
from adjudge.models.transport import Finish, ModelFailure, ModelRequest, ModelResponse

_LENGTH = {"length", "max_tokens", "model_length"}
_STOP = {"stop", "eos", "eos_token", "end_turn", "stop_sequence", "tool_calls", "function_call"}
_FILTERED = ("content_filter", "safety", "prohibited_content", "blocklist", "recitation", "refusal")


class OpenAIChat:
    """``POST /chat/completions``.

    OpenAI itself counts the answer in ``max_completion_tokens``; servers that copy it know
    ``max_tokens``. Where the one is refused the other is used.
    """

    path = "/chat/completions"

    def __init__(self, limit_name: str = "max_tokens") -> None:
        other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
        self._limit_names = (limit_name, other[limit_name])

    def headers(self, key: str | None) -> dict[str, str]:
        """The key, where there is one, as a bearer token."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, model: str, request: ModelRequest, without: Collection[str]) -> JsonObject:
        """The request with native structured output (``response_format``, strict)."""
        native = "schema" not in without
        messages = request.messages if native else with_schema_in_prompt(request)
        body: JsonObject = {
            "model": model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
        }
        if "temperature" not in without:
            body["temperature"] = request.sampling.temperature
        if request.sampling.max_tokens is not None:
            body[self._limit_names["max_tokens" in without]] = request.sampling.max_tokens
        if request.seed is not None and "seed" not in without:
            body["seed"] = request.seed
        if native:
            form = request.form
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": form.name, "strict": True, "schema": form.schema},
            }
        return body

    def read(self, body: JsonObject, raw: str) -> ModelResponse:
        """The first choice. Reasoning parts are not part of the answer."""
        usage = usage_of(body.get("usage"))
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            raise _nothing(raw, usage)
        if choice.get("error"):
            raise failure(200, choice, raw, {})
        finish = _finish(choice.get("finish_reason"))
        message = choice.get("message")
        if not isinstance(message, dict):
            if finish in ("stop", "other"):
                raise _nothing(raw, usage)
            message = {}
        text, declined = _content(message)
        return ModelResponse(
            text=text,
            finish=finish,
            refusal=declined,
            usage=usage,
            raw=raw,
        )


def _nothing(raw: str, usage: Usage) -> ModelFailure:
    told = "empty_choices: the reply holds no message"
    return ModelFailure(told, http_status=200, raw=raw, usage=usage)


def _finish(reason: Any) -> Finish:
    told = str(reason or "").lower()
    if told in _STOP:
        return "stop"
    if told in _LENGTH:
        return "length"
    if told.startswith(_FILTERED):
        return "refusal"
    return "other"


def _content(message: JsonObject) -> tuple[str, str | None]:
    """The answer and the refusal, whether content is a string, parts, or a tool's arguments."""
    content = message.get("content")
    refusal = message.get("refusal")
    declined = [refusal] if isinstance(refusal, str) and refusal else []
    texts = [content] if isinstance(content, str) else []
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, dict):
            continue
        if part.get("type") == "refusal":
            declined.append(str(part.get("refusal") or "no words given"))
        elif part.get("type") in ("text", "output_text") and isinstance(part.get("text"), str):
            texts.append(part["text"])
    text = "".join(texts)
    if not text and not declined:
        text = _arguments(message)
    return text, " ".join(declined) or None


def _arguments(message: JsonObject) -> str:
    """Some servers answer a schema with a call to a tool that nobody gave them."""
    calls = message.get("tool_calls")
    call = calls[0] if isinstance(calls, list) and calls else message
    function = call.get("function", call.get("function_call")) if isinstance(call, dict) else None
    given = function.get("arguments") if isinstance(function, dict) else None
    if isinstance(given, dict):
        return json.dumps(given, ensure_ascii=False)
    return given if isinstance(given, str) else ""
