"""OpenTelemetry GenAI spans, in the current form (messages with parts) and the older ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import (
    CaseBuilder,
    as_text,
    listed,
    offered,
    parsed,
    text_of,
    text_or_none,
)
from adjudge.judges.browser.readers.openai_chat import ROLES
from adjudge.judges.browser.readers.spans import Span, groups, nested, spans_in

_INPUT, _OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
_DETAILS = "gen_ai.client.inference.operation.details"
_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "assistant",
}
_CALL_PARTS = ("tool_call", "server_tool_call")
_RESULT_PARTS = ("tool_call_response", "server_tool_call_response")


class OTelReader:
    """An OTLP document, a list of spans, or one span, with ``gen_ai.*`` attributes.

    One case a conversation (``gen_ai.conversation.id``, else the trace): that of its last model
    call, whose input holds what came before. Attributes may be JSON or the text of JSON.
    """

    name = "otel-genai"

    def detect(self, record: Record) -> bool:
        """A span with a ``gen_ai.`` attribute or event."""
        value = record.value
        if not isinstance(value, dict | list):
            return False
        if isinstance(value, dict) and not {"resourceSpans", "spans", "attributes"} & value.keys():
            return False
        return any(
            any(name.startswith("gen_ai.") for name in span.attributes)
            or any(name.startswith("gen_ai.") for name, _ in span.events)
            for span in spans_in(value)
        )

    def read(self, record: Record) -> Iterator[BrowserCase | CaseError]:
        """One case a conversation."""
        grouped = groups(spans_in(record.value), "gen_ai.conversation.id")
        for name, spans in grouped.items():
            chats = [span for span in spans if _messages(span)[0] or _messages(span)[1]]
            if not chats:
                if any("gen_ai.request.model" in span.attributes for span in spans):
                    yield CaseError(
                        "a span with gen_ai.input.messages, gen_ai.prompt or message events",
                        field="attributes",
                        found="spans of model calls whose content was not recorded",
                        case_id=name or None,
                    )
                continue
            try:
                yield self._case(chats, spans, name)
            except CaseError as error:
                yield error

    def _case(self, chats: list[Span], spans: list[Span], name: str) -> BrowserCase:
        builder = CaseBuilder(self.name)
        last = chats[-1]
        given, answered = _messages(last)
        system = text_of(parsed(last.attributes.get("gen_ai.system_instructions")))[0]
        if system:
            builder.say("system", system)
        for message in [*given, *answered]:
            _add(builder, message)
        _add_late_results(builder, spans)
        builder.drop("earlier model calls, whose messages the last one holds", len(chats) - 1)
        builder.drop("other spans", len(spans) - len(chats))
        definitions = last.attributes.get("gen_ai.tool.definitions")
        return builder.case(name or None, tools=offered(definitions))


def _messages(span: Span) -> tuple[list[JsonObject], list[JsonObject]]:
    """What the span's model call was given and what it answered."""
    sources = [span.attributes, *(a for name, a in span.events if name == _DETAILS)]
    for attributes in sources:
        given, answered = _objects(attributes.get(_INPUT)), _objects(attributes.get(_OUTPUT))
        if given or answered:
            return given, answered
    old = _objects(span.attributes.get("gen_ai.prompt"))
    if old:
        return old, _objects(span.attributes.get("gen_ai.completion"))
    if any(name.startswith("gen_ai.prompt.") for name in span.attributes):
        tree = nested(span.attributes).get("gen_ai", {})
        return _objects(tree.get("prompt")), _objects(tree.get("completion"))
    events = [(name, attributes) for name, attributes in span.events if name in _EVENTS]
    return (
        [_of_event(name, attributes) for name, attributes in events if name != "gen_ai.choice"],
        [_of_event(name, attributes) for name, attributes in events if name == "gen_ai.choice"],
    )


def _objects(value: Any) -> list[JsonObject]:
    value = parsed(value)
    many = value if isinstance(value, list) else [value]
    return [one for one in many if isinstance(one, dict)]


def _of_event(name: str, attributes: Mapping[str, Any]) -> JsonObject:
    """A message of an event; its body may stand in attributes of these names."""
    body = parsed(attributes.get("gen_ai.event.content", attributes.get("event.body")))
    message = dict(body) if isinstance(body, dict) else dict(attributes)
    inner = parsed(message.get("message"))
    if isinstance(inner, dict):
        message = {**message, **inner}
    return {**message, "role": message.get("role") or _EVENTS[name]}


def _add(builder: CaseBuilder, message: JsonObject) -> None:
    role = ROLES.get(str(message.get("role")), "user")
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[JsonObject] = []
    results: list[JsonObject] = []
    attached = 0
    parts = message.get("parts")
    if not isinstance(parts, list):
        parts = _old_parts(message, role)
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text":
            texts.append(as_text(part.get("content", part.get("text"))))
        elif kind == "reasoning":
            thoughts.append(as_text(part.get("content")))
        elif kind in _CALL_PARTS:
            calls.append(_call(part))
        elif kind in _RESULT_PARTS:
            results.append(_result(part))
        else:
            attached += 1
    if results:
        builder.say("tool", results=results)
    if role != "tool" and (texts or thoughts or calls or attached or not results):
        builder.say(
            role,
            "\n".join(texts) if texts else None,
            name=text_or_none(message.get("name")),
            reasoning="\n".join(thoughts),
            calls=calls,
            attached=attached,
        )
    elif role == "tool" and not results:
        builder.say("tool", results=[{"text": "\n".join(texts)}])


def _old_parts(message: JsonObject, role: str) -> list[JsonObject]:
    """A message of the older forms (``content``, ``tool_calls``) as parts."""
    text, attached = text_of(parsed(message.get("content")))
    if role == "tool":
        call_id = message.get("tool_call_id") or message.get("id")
        return [{"type": "tool_call_response", "id": call_id, "response": text or ""}]
    parts: list[JsonObject] = [{"type": "text", "content": text}] if text else []
    parts += [{"type": "attached"}] * attached
    for call in listed(parsed(message.get("tool_calls"))):
        if isinstance(call, dict):
            function = call.get("function")
            holder = function if isinstance(function, dict) else call
            parts.append(
                {
                    "type": "tool_call",
                    "id": call.get("id"),
                    "name": holder.get("name"),
                    "arguments": holder.get("arguments"),
                }
            )
    return parts


def _call(part: JsonObject) -> JsonObject:
    arguments = part.get("arguments")
    if arguments is None and isinstance(part.get("server_tool_call"), dict):
        arguments = part["server_tool_call"]
    return {
        "id": text_or_none(part.get("id")),
        "name": as_text(part.get("name")),
        "arguments": arguments,
    }


def _result(part: JsonObject) -> JsonObject:
    response = part.get("response", part.get("result", part.get("server_tool_call_response")))
    return {"call_id": text_or_none(part.get("id")), "text": as_text(response)}


def _add_late_results(builder: CaseBuilder, spans: list[Span]) -> None:
    """Results that only tool spans hold: those of the last model call's own calls."""
    open_calls = {
        call["id"]
        for message in builder.messages
        for call in message.get("calls", ())
        if call["id"]
    }
    for message in builder.messages:
        open_calls -= {result.get("call_id") for result in message.get("results", ())}
    results = []
    for span in spans:
        call_id = span.attributes.get("gen_ai.tool.call.id")
        if call_id in open_calls and "gen_ai.tool.call.result" in span.attributes:
            text = as_text(span.attributes["gen_ai.tool.call.result"])
            results.append({"call_id": call_id, "text": text, "error": span.error})
    if results:
        builder.say("tool", results=results)
