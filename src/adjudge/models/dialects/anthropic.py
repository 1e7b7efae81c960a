"""Messages, as Anthropic wrote them."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from adjudge.contract import JsonObject
from adjudge.models.dialects.base import with_schema_in_prompt
from adjudge.models.failures import usage_of
from adjudge.models.transport import Finish, ModelFailure, ModelRequest, ModelResponse

CACHED_FROM = 4000
"""Characters, some 1,000 tokens: the API keeps no less."""

MAX_TOKENS = 8192
"""The API wants a limit; thinking, where a model does it, counts against it."""

_FINISH: dict[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class AnthropicMessages:
    """``POST /messages``."""

    path = "/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        """The version of the API and, where there is one, the key."""
        version = {"anthropic-version": "2023-06-01"}
        return {**version, "x-api-key": key} if key else version

    def body(self, model: str, request: ModelRequest, without: Collection[str]) -> JsonObject:
        """The request with native structured output (``output_config.format``).

        A forced tool call would be the older way; models that always think refuse it. The API
        knows no seed. Marks for its cache (``cache_control``) stand behind a long system prompt,
        which all cases share, and behind what other questions share of the last message.
        """
        native = "schema" not in without
        messages = request.messages if native else with_schema_in_prompt(request)
        system = "\n\n".join(m.content for m in messages if m.role == "system")
        body: JsonObject = {
            "model": model,
            "max_tokens": request.sampling.max_tokens or MAX_TOKENS,
            "messages": [
                {"role": m.role, "content": m.content} for m in messages if m.role != "system"
            ],
        }
        if system:
            body["system"] = _kept(system, len(system))
        if body["messages"]:
            last = body["messages"][-1]
            last["content"] = _kept(last["content"], request.shared)
        if "temperature" not in without:
            body["temperature"] = request.sampling.temperature
        if native:
            schema = {"type": "json_schema", "schema": request.form.schema}
            body["output_config"] = {"format": schema}
        return body

    def read(self, body: JsonObject, raw: str) -> ModelResponse:
        """All text blocks; thinking blocks are not part of the answer."""
        usage = usage_of(body.get("usage"))
        content = body.get("content")
        finish = _FINISH.get(str(body.get("stop_reason")), "other")
        if not isinstance(content, list) or (not content and finish in ("stop", "other")):
            raise ModelFailure(
                "empty_choices: the reply holds no content", http_status=200, raw=raw, usage=usage
            )
        blocks = [block for block in content if isinstance(block, dict)]
        text = "".join(str(b.get("text") or "") for b in blocks if b.get("type") == "text")
        if not text:
            calls = [b.get("input") for b in blocks if b.get("type") == "tool_use"]
            text = json.dumps(calls[-1], ensure_ascii=False) if calls else ""
        refusal = _words(body.get("stop_details"), text) if finish == "refusal" else None
        return ModelResponse(text=text, finish=finish, refusal=refusal, usage=usage, raw=raw)


def _kept(text: str, shared: int) -> Any:
    """The text with a mark behind its first ``shared`` characters: up to there it is worth keeping
    in the cache. What is too short to be kept stays as it is."""
    if shared < CACHED_FROM:
        return text
    marked = {"type": "text", "text": text[:shared], "cache_control": {"type": "ephemeral"}}
    return [marked, {"type": "text", "text": text[shared:]}] if text[shared:] else [marked]


def _words(details: Any, text: str) -> str:
    if isinstance(details, dict):
        told = [str(details[k]) for k in ("category", "explanation") if details.get(k)]
        if told:
            return ": ".join(told)
    return text or "no words given"
