"""Inspect logs: the samples of an evaluation."""

from __future__ import annotations

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
    text_of,
    text_or_none,
)
from adjudge.judges.browser.readers.openai_chat import ROLES
from adjudge.judges.invalid import shown

_MESSAGE = frozenset(
    {"id", "role", "content", "tool_calls", "tool_call_id", "function", "error", "source", "model"}
)
_SAMPLE = frozenset({"id", "epoch", "input", "target", "messages", "output", "scores", "uuid"})


class InspectReader:
    """A log (``eval``, ``samples``): one case a sample. Scores and target are the label."""

    name = "inspect"

    def detect(self, record: Record) -> bool:
        """``eval`` beside ``samples``."""
        value = record.value
        return (
            isinstance(value, dict)
            and isinstance(value.get("eval"), dict)
            and isinstance(value.get("samples"), list)
        )

    def read(self, record: Record) -> Iterator[BrowserCase | CaseError]:
        """One case a sample."""
        task = text_or_none(record.value["eval"].get("task"))
        for index, sample in enumerate(objects(record.value["samples"], "samples")):
            parts = (task, sample.get("id"), sample.get("epoch"))
            case_id = "-".join(str(part) for part in parts if part is not None) or None
            try:
                yield self._case(sample, f"samples[{index}]", case_id)
            except CaseError as error:
                error.case_id = case_id
                yield error

    def _case(self, sample: JsonObject, at: str, case_id: str | None) -> BrowserCase:
        builder = CaseBuilder(self.name)
        messages = objects(sample.get("messages"), f"{at}.messages", case_id)
        for index, message in enumerate(messages):
            _add(builder, message, f"{at}.messages[{index}]", case_id)
        builder.rest(sample, _SAMPLE, "samples[]")
        return builder.case(
            case_id,
            tools=_tools(sample),
            label={"scores": sample.get("scores"), "target": sample.get("target")},
            meta={"uuid": sample.get("uuid")},
        )


def _add(builder: CaseBuilder, message: JsonObject, at: str, case_id: str | None) -> None:
    given = message.get("role")
    role = ROLES.get(given) if isinstance(given, str) else None
    if role is None:
        raise CaseError(
            f"one of {', '.join(ROLES)}", field=f"{at}.role", found=shown(given), case_id=case_id
        )
    text, attached = text_of(message.get("content"))
    builder.rest(message, _MESSAGE, "messages[]")
    if role == "tool":
        error = message.get("error")
        cause = (
            as_text(error.get("message") or error.get("type")) if isinstance(error, dict) else None
        )
        builder.drop("images in tool results", attached, text=True)
        result = {
            "call_id": text_or_none(message.get("tool_call_id")),
            "name": text_or_none(message.get("function")),
            "text": text or cause or "",
            "error": cause,
        }
        builder.say("tool", id=text_or_none(message.get("id")), results=[result])
        return
    thoughts = [
        as_text(part.get("reasoning"))
        for part in listed(message.get("content"))
        if isinstance(part, dict) and part.get("type") == "reasoning"
    ]
    calls = [
        _call(call)
        for call in objects(message.get("tool_calls") or [], f"{at}.tool_calls", case_id)
    ]
    builder.say(
        role,
        text,
        id=text_or_none(message.get("id")),
        reasoning="\n".join(thoughts),
        calls=calls,
        attached=max(0, attached - len(thoughts)),
    )


def _call(call: JsonObject) -> JsonObject:
    return {
        "id": text_or_none(call.get("id")),
        "name": as_text(call.get("function")),
        "arguments": call.get("arguments"),
        "cause": text_or_none(call.get("parse_error")),
    }


def _tools(sample: JsonObject) -> list[JsonObject] | None:
    """The tools that the last model call was given."""
    events: list[Any] = listed(sample.get("events"))
    for event in reversed(events):
        if isinstance(event, dict) and event.get("event") == "model":
            return offered(event.get("tools"))
    return None
