"""Mozilla's Smart Window evaluation export, version 2.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import CaseBuilder, listed, text_or_none
from adjudge.judges.browser.readers.openai_chat import add_messages
from adjudge.judges.invalid import shown

_MESSAGE = ("is_scorable", "context", "groundtruth")


class SmartWindowReader:
    """One export an object. The response is what follows the user message marked as scorable.

    The tabs and memories of that message were given to the assistant with it. Its ground truth is
    the label.
    """

    name = "smart-window"

    def detect(self, record: Record) -> bool:
        """``conversation.eval_format``."""
        value = record.value
        inner = value.get("conversation") if isinstance(value, dict) else None
        return isinstance(inner, dict) and "eval_format" in inner

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation in ``eval_format``."""
        value = record.value
        conversation = value["conversation"]
        form = conversation["eval_format"]
        if not isinstance(form, dict):
            raise CaseError("an object", field="conversation.eval_format", found=shown(form))
        case_id = text_or_none(form.get("uuid"))
        builder = CaseBuilder(self.name)
        listed = form.get("messages")
        at = "conversation.eval_format.messages"
        plain = [_plain(m) for m in listed] if isinstance(listed, list) else listed
        add_messages(builder, plain, at, case_id)
        assert isinstance(listed, list)
        scored = [i for i, message in enumerate(listed) if message.get("is_scorable") is True]
        context = listed[scored[-1]].get("context") if scored else None
        builder.rest(value, {"conversation"})
        builder.rest(conversation, {"eval_format"}, "conversation")
        builder.rest(form, {"uuid", "messages", "tags"}, "eval_format")
        tabs, memories = _tabs(context), _inner(context, "memories")
        fields: JsonObject = {
            "tabs": tabs,
            "preferences": memories,
            "context_given": bool(tabs or memories) or None,
            "label": listed[scored[-1]].get("groundtruth") if scored else None,
            "meta": {"tags": form["tags"]} if form.get("tags") else None,
        }
        if scored and scored[-1] + 1 < len(listed):
            end = _end(builder.messages, scored[-1] + 1)
            yield builder.case_with(scored[-1] + 1, end, case_id, **fields)
        else:
            yield builder.case(case_id, **fields)


def _plain(message: Any) -> Any:
    if not isinstance(message, dict):
        return message
    return {name: inner for name, inner in message.items() if name not in _MESSAGE}


def _end(messages: list[JsonObject], start: int) -> int:
    """Where the response that begins at ``start`` ends: before the next user message."""
    end = start
    while end < len(messages) and messages[end]["role"] != "user":
        end += 1
    return max(end, start + 1)


def _inner(context: Any, name: str) -> Any:
    holder = context.get(name) if isinstance(context, dict) else None
    return holder.get("content") if isinstance(holder, dict) else None


def _tabs(context: Any) -> list[JsonObject] | None:
    content = _inner(context, "tabs")
    if not isinstance(content, dict):
        return None
    active = content.get("active")
    tabs = [_tab(active, True)] if isinstance(active, dict) and active.get("url") else []
    for tab in listed(content.get("other")):
        if isinstance(tab, dict) and tab.get("url"):
            tabs.append(_tab(tab, False))
    return tabs or None


def _tab(tab: JsonObject, active: bool) -> JsonObject:
    return {"url": str(tab["url"]), "title": text_or_none(tab.get("title")), "active": active}
