"""Amazon Bedrock Converse: request bodies, responses, and recorded exchanges of both."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import (
    CaseBuilder,
    as_text,
    listed,
    objects,
    offered,
    text_or_none,
)
from adjudge.judges.invalid import shown

_OWN = frozenset({"toolUse", "toolResult", "reasoningContent"})
_BODY = frozenset({"id", "messages", "system", "toolConfig", "output", "modelId"})


class BedrockReader:
    """A Converse request (``messages``, ``toolConfig``), with the response in ``output``.

    A recorded HTTP exchange (``body``, ``response``) is read too; a streamed response is put
    together from its events.
    """

    name = "bedrock"

    def detect(self, record: Record) -> bool:
        """Converse's own names."""
        value = record.value
        if isinstance(value, dict) and isinstance(value.get("body"), dict):
            value = value["body"] if "response" in value else None
        if isinstance(value, dict) and isinstance(value.get("toolConfig"), dict):
            return True
        messages = value.get("messages") if isinstance(value, dict) else value
        if not isinstance(messages, list):
            return False
        contents = (m.get("content") for m in messages if isinstance(m, dict))
        blocks = (b for content in contents if isinstance(content, list) for b in content)
        return any(isinstance(block, dict) and _OWN & block.keys() for block in blocks)

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation."""
        value = record.value
        builder = CaseBuilder(self.name)
        answer: Any = None
        if isinstance(value, dict) and isinstance(value.get("body"), dict):
            builder.rest(value, {"body", "response"})
            answer = _recorded(value.get("response"))
            value = value["body"]
        body = value if isinstance(value, dict) else {"messages": value}
        case_id = text_or_none(body.get("id"))
        for block in listed(body.get("system")):
            if isinstance(block, dict) and isinstance(block.get("text"), str):
                builder.say("system", block["text"])
        for index, message in enumerate(objects(body.get("messages"), "messages", case_id)):
            _message(builder, message, f"messages[{index}]", case_id)
        output = answer if answer is not None else body.get("output")
        if isinstance(output, dict) and isinstance(output.get("message"), dict):
            output = output["message"]
        if isinstance(output, dict) and "content" in output:
            _message(builder, output, "output", case_id)
        config = body.get("toolConfig")
        builder.rest(body, _BODY)
        tools = offered(config.get("tools")) if isinstance(config, dict) else None
        yield builder.case(case_id, tools=tools)


def _message(builder: CaseBuilder, message: JsonObject, at: str, case_id: str | None) -> None:
    role = message.get("role")
    if role not in ("user", "assistant"):
        raise CaseError("user or assistant", field=f"{at}.role", found=shown(role), case_id=case_id)
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[JsonObject] = []
    results: list[JsonObject] = []
    attached = 0
    for block in objects(message.get("content"), f"{at}.content", case_id):
        if isinstance(block.get("text"), str):
            texts.append(block["text"])
        elif isinstance(block.get("toolUse"), dict):
            use = block["toolUse"]
            calls.append(
                {
                    "id": text_or_none(use.get("toolUseId")),
                    "name": as_text(use.get("name")),
                    "arguments": use.get("input"),
                }
            )
        elif isinstance(block.get("toolResult"), dict):
            results.append(_result(builder, block["toolResult"]))
        elif isinstance(block.get("reasoningContent"), dict):
            inner = block["reasoningContent"].get("reasoningText")
            thoughts.append(as_text(inner.get("text")) if isinstance(inner, dict) else "")
        else:
            attached += 1
    if results:
        builder.say("tool", results=results)
    if texts or calls or thoughts or attached or not results:
        builder.say(
            role,
            "\n".join(texts) if texts else None,
            reasoning="\n".join(thoughts),
            calls=calls,
            attached=attached,
        )


def _result(builder: CaseBuilder, result: JsonObject) -> JsonObject:
    texts: list[str] = []
    for part in listed(result.get("content")):
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif isinstance(part, dict) and "json" in part:
            texts.append(as_text(part["json"]))
        else:
            builder.drop("images in tool results", text=True)
    return {
        "call_id": text_or_none(result.get("toolUseId")),
        "text": "\n".join(texts),
        "error": "error" if result.get("status") == "error" else None,
    }


def _recorded(response: Any) -> JsonObject | None:
    """The answer in a recorded response: JSON, or the hexadecimal text of an event stream."""
    if isinstance(response, dict):
        return response.get("output") if isinstance(response.get("output"), dict) else response
    if not isinstance(response, str):
        return None
    try:
        return _streamed(bytes.fromhex(response))
    except (ValueError, struct.error) as error:
        raise CaseError(
            "a response as JSON or a whole event stream in hexadecimal",
            field="response",
            found=f"{len(response)} characters ({error})"[:200],
        ) from None


def _streamed(raw: bytes) -> JsonObject:
    """The message that the events of a Converse stream add up to.

    A frame is its length, the length of its headers, a checksum, both parts, and a checksum; all
    numbers are 32 bits, big-endian.
    """
    blocks: dict[int, JsonObject] = {}
    role = "assistant"
    at = 0
    while at < len(raw):
        length, headers = struct.unpack_from(">II", raw, at)
        if length < headers + 16 or at + length > len(raw):
            raise ValueError(f"a frame of {length} bytes at byte {at} of {len(raw)}")
        event = json.loads(raw[at + 12 + headers : at + length - 4] or b"{}")
        at += length
        role = event.get("role", role)
        block = blocks.setdefault(event.get("contentBlockIndex", -1), {"text": "", "input": ""})
        use = (event.get("start") or {}).get("toolUse")
        if use:
            block["use"] = use
        delta = event.get("delta") or {}
        block["text"] += delta.get("text", "")
        block["input"] += (delta.get("toolUse") or {}).get("input", "")
    return {"role": role, "content": [_whole(b) for i, b in sorted(blocks.items()) if i >= 0]}


def _whole(block: JsonObject) -> JsonObject:
    if "use" in block:
        return {"toolUse": {**block["use"], "input": block["input"]}}
    return {"text": block["text"]}
