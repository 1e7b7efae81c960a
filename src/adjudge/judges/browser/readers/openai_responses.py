"""OpenAI Responses items: messages, function calls and their outputs, reasoning, built-in tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import (
    CaseBuilder,
    among,
    as_text,
    listed,
    objects,
    offered,
    text_of,
    text_or_none,
)
from adjudge.judges.browser.readers.openai_chat import ROLES
from adjudge.judges.invalid import shown

# a message has these types as well in other formats: alone they say nothing
_OWN_TYPES = frozenset(
    {
        "function_call",
        "function_call_output",
        "reasoning",
        "custom_tool_call",
        "custom_tool_call_output",
        "mcp_call",
        "web_search_call",
        "file_search_call",
        "computer_call",
        "computer_call_output",
        "code_interpreter_call",
        "item_reference",
        "compaction",
    }
)
_OWN_PARTS = frozenset({"input_text", "output_text", "input_image"})
_BODY = frozenset(
    {"id", "instructions", "input", "output", "tools", "parallel_tool_calls", "metadata", "object"}
    | {"model", "label", "expect"}
)
_BUILT_IN_ARGUMENTS = ("action", "queries", "code", "arguments", "input")


class OpenAIResponsesReader:
    """A list of items, or a request or response body with ``input`` and ``output``."""

    name = "openai-responses"

    def detect(self, record: Record) -> bool:
        """Items of a kind that only this format has."""
        value = record.value
        if isinstance(value, dict):
            items = [*listed(value.get("input")), *listed(value.get("output"))]
            typed = isinstance(value.get("input"), str) and isinstance(value.get("output"), list)
            return typed or (("input" in value or "output" in value) and any(map(_own, items)))
        return isinstance(value, list) and any(map(_own, value))

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation, one message an item."""
        value = record.value if isinstance(record.value, dict) else {"input": record.value}
        case_id = text_or_none(value.get("id"))
        builder = CaseBuilder(self.name)
        instructions = value.get("instructions")
        if isinstance(instructions, str) and instructions:
            builder.say("system", instructions)
        given = value.get("input")
        if isinstance(given, str):
            builder.say("user", given)
        elif given is not None:
            add_items(builder, given, "input", case_id)
        if value.get("output") is not None:
            add_items(builder, value["output"], "output", case_id)
        builder.rest(value, _BODY)
        yield builder.case(
            case_id,
            tools=offered(value.get("tools")),
            calls_allowed=1 if value.get("parallel_tool_calls") is False else None,
            meta=value.get("metadata"),
            label=value.get("label"),
            expect=value.get("expect"),
        )


def _own(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    if among(item.get("type"), _OWN_TYPES):
        return True
    return any(
        isinstance(p, dict) and among(p.get("type"), _OWN_PARTS)
        for p in listed(item.get("content"))
    )


def add_items(builder: CaseBuilder, items: Any, at: str, case_id: str | None) -> None:
    """Append items; calls and words of one turn that follow each other are one message."""
    pending: JsonObject | None = None
    for index, item in enumerate(objects(items, at, case_id)):
        place = f"{at}[{index}]"
        if _is_assistants(item):
            if pending is None or (pending.get("text") is not None and _is_message(item)):
                builder.say("assistant")
                pending = builder.messages[-1]
            _extend(builder, pending, item, place, case_id)
            continue
        pending = None
        if {"output", "call_id"} <= item.keys() or str(item.get("type")).endswith("_output"):
            builder.say("tool", results=[_result(builder, item)])
        else:
            _said(builder, item, place, case_id)


def _is_message(item: Mapping[str, Any]) -> bool:
    return item.get("type") in (None, "message") and "role" in item


def _is_assistants(item: Mapping[str, Any]) -> bool:
    if _is_message(item):
        return item.get("role") == "assistant"
    kind = item.get("type")
    return (
        kind == "reasoning"
        or ("name" in item and "arguments" in item)
        or (isinstance(kind, str) and kind.endswith("_call"))
    )


def _said(builder: CaseBuilder, item: JsonObject, at: str, case_id: str | None) -> None:
    given = item.get("role")
    role = ROLES.get(given) if isinstance(given, str) else None
    if role is None:
        if isinstance(item.get("type"), str) and item["type"] != "message":
            builder.drop(f"items of type {item['type']}"[:80], text=True)
            return
        raise CaseError(
            f"one of {', '.join(ROLES)}", field=f"{at}.role", found=shown(given), case_id=case_id
        )
    text, attached = text_of(item.get("content"))
    builder.say(role, text, id=text_or_none(item.get("id")), attached=attached)
    builder.rest(item, {"type", "role", "content", "id", "status"}, "items[]")


def _extend(
    builder: CaseBuilder, message: JsonObject, item: JsonObject, at: str, case_id: str | None
) -> None:
    if _is_message(item):
        text, attached = text_of(item.get("content"))
        message["text"] = text
        if attached:
            message["attached"] = attached
        if text_or_none(item.get("id")):
            message["id"] = item["id"]
        builder.rest(item, {"type", "role", "content", "id", "status", "phase"}, "items[]")
    elif item.get("type") == "reasoning":
        texts = [text_of(item.get(part))[0] for part in ("summary", "content")]
        said = "\n".join(t for t in (message.get("reasoning"), *texts) if t)
        if said:
            message["reasoning"] = said
        builder.drop("encrypted reasoning", 1 if item.get("encrypted_content") else 0)
    else:
        message.setdefault("calls", []).append(_call(builder, item, at, case_id))


def _call(builder: CaseBuilder, item: JsonObject, at: str, case_id: str | None) -> JsonObject:
    kind = item.get("type")
    call_id = text_or_none(item.get("call_id")) or text_or_none(item.get("id"))
    if kind in (None, "function_call", "mcp_call"):
        name = item.get("name")
        if not isinstance(name, str):
            raise CaseError("a tool's name", field=f"{at}.name", found=shown(name), case_id=case_id)
        # the output of a hosted tool stands in the call itself
        builder.drop("outputs of mcp calls", 1 if item.get("output") else 0, text=True)
        return {"id": call_id, "name": name, "arguments": item.get("arguments")}
    builder.drop("results of built-in tools", text=True)
    name = text_or_none(item.get("name")) or str(kind).removesuffix("_call")
    arguments = {n: item[n] for n in _BUILT_IN_ARGUMENTS if item.get(n) is not None}
    return {"id": call_id, "name": name, "arguments": arguments}


def _result(builder: CaseBuilder, item: JsonObject) -> JsonObject:
    output = item.get("output")
    text, attached = text_of(output) if isinstance(output, list) else (as_text(output), 0)
    builder.drop("images in tool outputs", attached, text=True)
    return {"call_id": text_or_none(item.get("call_id")), "text": text or ""}
