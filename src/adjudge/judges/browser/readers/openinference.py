"""OpenInference spans: flattened attributes, or the nested form that Phoenix exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import (
    CaseBuilder,
    as_text,
    offered,
    parsed,
    text_or_none,
)
from adjudge.judges.browser.readers.openai_chat import ROLES
from adjudge.judges.browser.readers.spans import Span, groups, nested, spans_in


class OpenInferenceReader:
    """An OTLP document, a list of spans, or one span, with ``openinference.span.kind``.

    One case a session (``session.id``, else the trace): that of its last LLM span, whose input
    holds what came before. Annotations are the label.
    """

    name = "openinference"

    def detect(self, record: Record) -> bool:
        """A span that says its OpenInference kind, or holds LLM messages in that form."""
        value = record.value
        if not isinstance(value, dict | list):
            return False
        if isinstance(value, dict) and not {"resourceSpans", "spans", "attributes"} & value.keys():
            return False
        return any(_is_own(span) for span in spans_in(value))

    def read(self, record: Record) -> Iterator[BrowserCase | CaseError]:
        """One case a session."""
        for name, spans in groups(spans_in(record.value), "session.id").items():
            trees = [nested(span.attributes) for span in spans]
            chats = [tree for tree in trees if _side(tree, "input") or _side(tree, "output")]
            if not chats:
                yield CaseError(
                    "a span with llm.input_messages",
                    field="attributes",
                    found=f"{len(spans)} spans without messages",
                    case_id=name or None,
                )
                continue
            try:
                yield self._case(chats, trees, name)
            except CaseError as error:
                yield error

    def _case(self, chats: list[JsonObject], trees: list[JsonObject], name: str) -> BrowserCase:
        builder = CaseBuilder(self.name)
        last = chats[-1]
        for entry in [*_side(last, "input"), *_side(last, "output")]:
            _add(builder, entry)
        builder.drop("earlier model calls, whose messages the last one holds", len(chats) - 1)
        builder.drop("other spans", len(trees) - len(chats))
        tools = [
            schema
            for tool in _list(last.get("llm", {}).get("tools"))
            if (schema := _schema(tool)) is not None
        ]
        notes = [a for tree in trees for a in _list(tree.get("annotations"))]
        return builder.case(name or None, tools=offered(tools), label=notes or None)


def _is_own(span: Span) -> bool:
    names = span.attributes
    if "openinference.span.kind" in names or isinstance(names.get("openinference"), dict):
        return True
    return any(name.startswith(("llm.input_messages.", "llm.output_messages.")) for name in names)


def _list(value: Any) -> list[Any]:
    value = parsed(value)
    return value if isinstance(value, list) else []


def _side(tree: JsonObject, side: str) -> list[JsonObject]:
    llm = tree.get("llm")
    listed = _list(llm.get(f"{side}_messages")) if isinstance(llm, dict) else []
    found = [one.get("message", one) for one in listed if isinstance(one, dict)]
    return [one for one in found if isinstance(one, dict)]


def _schema(tool: Any) -> Any:
    inner = tool.get("tool") if isinstance(tool, dict) else None
    return parsed(inner.get("json_schema")) if isinstance(inner, dict) else None


def _add(builder: CaseBuilder, message: JsonObject) -> None:
    role = ROLES.get(str(message.get("role")), "user")
    texts: list[str] = []
    attached = 0
    if message.get("content") is not None:
        texts.append(as_text(message["content"]))
    for one in _list(message.get("contents")):
        part = one.get("message_content", one) if isinstance(one, dict) else {}
        if isinstance(part.get("text"), str):
            texts.append(part["text"])
        else:
            attached += 1
    text = "\n".join(texts) if texts else None
    if role == "tool":
        result = {
            "call_id": text_or_none(message.get("tool_call_id")),
            "name": text_or_none(message.get("name")),
            "text": text or "",
        }
        builder.say("tool", results=[result])
        return
    calls = [_call(one) for one in _list(message.get("tool_calls")) if isinstance(one, dict)]
    if message.get("function_call_name"):
        calls.append(
            {
                "id": None,
                "name": as_text(message["function_call_name"]),
                "arguments": message.get("function_call_arguments_json"),
            }
        )
    builder.say(role, text, name=text_or_none(message.get("name")), calls=calls, attached=attached)


def _call(entry: JsonObject) -> JsonObject:
    call = entry.get("tool_call", entry)
    function = call.get("function") if isinstance(call, dict) else None
    holder = function if isinstance(function, dict) else {}
    return {
        "id": text_or_none(call.get("id")) if isinstance(call, dict) else None,
        "name": as_text(holder.get("name")),
        "arguments": holder.get("arguments"),
    }
