"""Anthropic messages: text, thinking, tool use and tool results as content blocks."""

from __future__ import annotations

from collections.abc import Iterator
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
from adjudge.judges.invalid import shown

_OWN = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})
_BODY = frozenset(
    {"id", "system", "messages", "tools", "metadata", "model", "response", "label", "expect"}
)


class AnthropicReader:
    """A list of messages, or a request body (``system``, ``messages``, ``tools``).

    Results stand in user messages there; here they are a message of their own before the words.
    """

    name = "anthropic"

    def detect(self, record: Record) -> bool:
        """Blocks of a kind that only this format has, or its request body."""
        value = record.value
        messages = value.get("messages") if isinstance(value, dict) else value
        if not isinstance(messages, list):
            return False
        blocks = (b for m in messages if isinstance(m, dict) for b in listed(m.get("content")))
        if any(isinstance(b, dict) and among(b.get("type"), _OWN) for b in blocks):
            return True
        return isinstance(value, dict) and "system" in value and _has_schemas(value.get("tools"))

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation; a ``response`` message beside it is the response."""
        value = record.value if isinstance(record.value, dict) else {"messages": record.value}
        case_id = text_or_none(value.get("id"))
        builder = CaseBuilder(self.name)
        system = text_of(value.get("system"))[0]
        if system:
            builder.say("system", system)
        for index, message in enumerate(objects(value.get("messages"), "messages", case_id)):
            add_blocks(builder, message, f"messages[{index}]", case_id)
        if isinstance(value.get("response"), dict):
            add_blocks(builder, value["response"], "response", case_id)
        builder.rest(value, _BODY)
        yield builder.case(
            case_id,
            tools=offered(value.get("tools")),
            meta=value.get("metadata"),
            label=value.get("label"),
            expect=value.get("expect"),
        )


def _has_schemas(tools: Any) -> bool:
    return any(isinstance(tool, dict) and "input_schema" in tool for tool in listed(tools))


def add_blocks(builder: CaseBuilder, message: JsonObject, at: str, case_id: str | None) -> None:
    """Append one message: its results first, then its words, thoughts and calls."""
    role = message.get("role")
    if role not in ("user", "assistant", "system"):
        raise CaseError(
            "user, assistant or system", field=f"{at}.role", found=shown(role), case_id=case_id
        )
    content = message.get("content")
    if content is None or isinstance(content, str):
        builder.say(role, content, id=text_or_none(message.get("id")))
        return
    run = _Run(builder, role, text_or_none(message.get("id")))
    for index, block in enumerate(objects(content, f"{at}.content", case_id)):
        run.add(block, f"{at}.content[{index}]", case_id)
    run.end()


class _Run:
    """Blocks of one message: a result ends the words before it."""

    def __init__(self, builder: CaseBuilder, role: str, message_id: str | None) -> None:
        self._builder = builder
        self._role = role
        self._id = message_id
        self._said = 0
        self._clear()

    def _clear(self) -> None:
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[JsonObject] = []
        self._results: list[JsonObject] = []
        self._attached = 0

    def add(self, block: JsonObject, at: str, case_id: str | None) -> None:
        kind = block.get("type")
        if isinstance(kind, str) and kind.endswith("tool_result"):
            self._words()
            self._results.append(_result(self._builder, block))
            return
        if self._results:
            self._answers()
        if kind == "text":
            self._texts.append(as_text(block.get("text")))
            self._builder.drop("citations", 1 if block.get("citations") else 0)
        elif kind == "thinking":
            self._thoughts.append(as_text(block.get("thinking")))
        elif kind == "redacted_thinking":
            self._builder.drop("redacted thinking")
        elif isinstance(kind, str) and kind.endswith("tool_use"):
            self._calls.append(_call(block, at, case_id))
        else:
            self._attached += 1

    def end(self) -> None:
        self._answers()
        self._words(last=True)

    def _answers(self) -> None:
        if self._results:
            self._builder.say("tool", results=self._results)
            self._said += 1
            self._clear()

    def _words(self, *, last: bool = False) -> None:
        there = self._texts or self._thoughts or self._calls or self._attached
        if not there and not (last and self._said == 0):
            return
        self._builder.say(
            self._role,
            "\n".join(self._texts) if self._texts else None,
            id=self._id,
            reasoning="\n".join(self._thoughts),
            calls=self._calls,
            attached=self._attached,
        )
        self._said += 1
        self._clear()


def _call(block: JsonObject, at: str, case_id: str | None) -> JsonObject:
    name = block.get("name")
    if not isinstance(name, str):
        raise CaseError("a tool's name", field=f"{at}.name", found=shown(name), case_id=case_id)
    return {"id": text_or_none(block.get("id")), "name": name, "arguments": block.get("input")}


def _result(builder: CaseBuilder, block: JsonObject) -> JsonObject:
    content = block.get("content")
    if isinstance(content, list) and any(isinstance(p, dict) and "text" in p for p in content):
        text, attached = text_of(content)
        builder.drop("images in tool results", attached, text=True)
    elif isinstance(content, list) and content and _is_image(content[0]):
        builder.drop("images in tool results", len(content), text=True)
        text = ""
    else:
        text = as_text(content)
    return {
        "call_id": text_or_none(block.get("tool_use_id")),
        "text": text or "",
        "error": "error" if block.get("is_error") else None,
    }


def _is_image(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in ("image", "document")
