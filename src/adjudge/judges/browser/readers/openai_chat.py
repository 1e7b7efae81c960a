"""OpenAI chat messages: read, and written back without loss."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase, ConversationMessage, ToolCall
from adjudge.judges.browser.readers.building import (
    CaseBuilder,
    among,
    as_text,
    objects,
    offered,
    text_of,
    text_or_none,
)
from adjudge.judges.invalid import shown

ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_SPEAKERS = ("system", "user", "assistant")
_KNOWN = frozenset(
    {"id", "messages", "tools", "functions", "parallel_tool_calls", "metadata", "response"}
    | {"choices", "meta", "label", "expect", "model"}
)


class OpenAIChatReader:
    """A list of chat messages, or a request body that holds one (``messages``, ``tools``)."""

    name = "openai-chat"

    def detect(self, record: Record) -> bool:
        """Messages whose roles are all OpenAI's."""
        value = record.value
        messages = value.get("messages") if isinstance(value, dict) else value
        return (
            isinstance(messages, list)
            and bool(messages)
            and all(isinstance(m, dict) and among(m.get("role"), ROLES) for m in messages)
        )

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation; ``choices`` or ``response`` beside it are the response."""
        value = record.value if isinstance(record.value, dict) else {"messages": record.value}
        case_id = text_or_none(value.get("id"))
        builder = CaseBuilder(self.name)
        add_messages(builder, value.get("messages"), "messages", case_id)
        answer = response_message(value)
        if answer is not None:
            add_messages(builder, [answer], "response", case_id)
        builder.rest(value, _KNOWN)
        yield builder.case(
            case_id,
            tools=offered(value.get("tools")) or offered(value.get("functions")),
            calls_allowed=1 if value.get("parallel_tool_calls") is False else None,
            meta=value.get("meta", value.get("metadata")),
            label=value.get("label"),
            expect=value.get("expect"),
        )


def response_message(value: Mapping[str, Any]) -> JsonObject | None:
    """The message of a chat completion in ``choices`` or ``response``, where there is one."""
    response = value.get("response")
    holder = response if isinstance(response, dict) else value
    choices = holder.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        message = choices[0].get("message")
        return message if isinstance(message, dict) else None
    return response if isinstance(response, dict) and "role" in response else None


def add_messages(builder: CaseBuilder, messages: Any, at: str, case_id: str | None = None) -> None:
    """Append chat messages. Raises ``CaseError`` that names the field."""
    for index, message in enumerate(objects(messages, at, case_id)):
        builder.messages.append(read_message(message, f"{at}[{index}]", case_id))


def read_message(message: JsonObject, at: str, case_id: str | None = None) -> JsonObject:
    """One chat message as a ``ConversationMessage`` object."""
    given, content = message.get("role"), message.get("content")
    if len(message) == 2 and isinstance(content, str) and among(given, _SPEAKERS):
        return {"role": given, "text": content}  # nearly every message of a dialogue
    role = ROLES.get(given) if isinstance(given, str) else None
    if role is None:
        raise CaseError(
            f"one of {', '.join(ROLES)}", field=f"{at}.role", found=shown(given), case_id=case_id
        )
    if not (content is None or isinstance(content, str | list)):
        raise CaseError(
            "a string, a list of parts or null",
            field=f"{at}.content",
            found=shown(content),
            case_id=case_id,
        )
    text, attached = text_of(content)
    made: JsonObject = {"role": role}
    name = text_or_none(message.get("name"))
    if attached:
        made["attached"] = attached
    if role == "tool":
        result: JsonObject = {
            "call_id": text_or_none(message.get("tool_call_id")),
            "name": name,
            "text": text or "",
        }
        if message.get("error") not in (None, False):
            error = message["error"]
            result["error"] = "error" if error is True else as_text(error)[:2000]
        made["results"] = [result]
    else:
        if text is None:
            text = text_or_none(message.get("refusal"))
        made["text"] = text
        made["name"] = name
        if role == "assistant":
            reasoning = message.get("reasoning_content", message.get("reasoning"))
            if isinstance(reasoning, str) and reasoning:
                made["reasoning"] = reasoning
            calls = list(_calls(message, at, case_id))
            if calls:
                made["calls"] = calls
    if not _is_plain(message, content) and _written(made) != message:
        made["kept"] = message
    return made


def _is_plain(message: JsonObject, content: Any) -> bool:
    """Whether the message is of the commonest shapes, which are written back as they were."""
    role = message["role"]
    if role == "tool":
        held = [n for n in ("tool_call_id", "name") if isinstance(message.get(n), str)]
        return (
            isinstance(content, str)
            and len(message) == 2 + len(held)
            and all(message[name] for name in held)
        )
    calls = message.get("tool_calls")
    if role != "assistant" or len(message) != 3 or "content" not in message or not calls:
        return False
    return not isinstance(content, list) and all(map(_is_plain_call, calls))


def _is_plain_call(call: JsonObject) -> bool:
    function = call.get("function")
    return (
        len(call) == 3
        and call.get("type") == "function"
        and isinstance(call.get("id"), str)
        and bool(call["id"])
        and isinstance(function, dict)
        and len(function) == 2
        and isinstance(function.get("arguments"), str)
    )


def _calls(message: JsonObject, at: str, case_id: str | None) -> Iterator[JsonObject]:
    listed = message.get("tool_calls")
    if listed is not None:
        for index, call in enumerate(objects(listed, f"{at}.tool_calls", case_id)):
            yield read_call(call, f"{at}.tool_calls[{index}]", case_id)
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        yield read_call(legacy, f"{at}.function_call", case_id)


def read_call(call: JsonObject, at: str, case_id: str | None = None) -> JsonObject:
    """One call, in OpenAI's form or flat (``name`` beside ``id``)."""
    function = call.get("function")
    holder = function if isinstance(function, dict) else call
    name = holder.get("name")
    if not isinstance(name, str):
        custom = call.get("custom")
        if isinstance(custom, dict) and isinstance(custom.get("name"), str):
            # a custom tool takes free text: nothing that could be broken as JSON
            taken = {"input": custom.get("input")}
            return {
                "id": text_or_none(call.get("id")),
                "name": custom["name"],
                "arguments": taken,
            }
        raise CaseError("a tool's name", field=f"{at}.name", found=shown(name), case_id=case_id)
    arguments = holder.get("arguments", holder.get("args"))
    return {"id": text_or_none(call.get("id")), "name": name, "arguments": arguments}


def to_openai(messages: Iterable[ConversationMessage]) -> list[JsonObject]:
    """Messages in OpenAI's form; those that were read from it come out equal to what was read.

    >>> from adjudge.contract import Record
    >>> said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    >>> case = next(iter(OpenAIChatReader().read(Record(said))))
    >>> to_openai(case.messages) == said
    True
    """
    made: list[JsonObject] = []
    for message in messages:
        if message.kept is not None:
            made.append(message.kept)
        elif message.results:
            made += [_tool_message(r.call_id, r.name, r.text) for r in message.results]
        else:
            calls = [_tool_call(call) for call in message.calls]
            made.append(_message(message.role, message.text, message.name, calls))
    return made


def _written(made: JsonObject) -> JsonObject:
    """What ``to_openai`` would write for the message: unequal to what was read, that is kept."""
    if "results" in made:
        result = made["results"][0]
        return _tool_message(result["call_id"], result["name"], result["text"])
    calls = [_call(c["id"], c["name"], _text(c["arguments"])) for c in made.get("calls", ())]
    return _message(made["role"], made["text"], made["name"], calls)


def _message(role: str, text: str | None, name: str | None, calls: list[JsonObject]) -> JsonObject:
    message: JsonObject = {"role": role, "content": text}
    if name is not None:
        message["name"] = name
    if calls:
        message["tool_calls"] = calls
    return message


def _tool_message(call_id: str | None, name: str | None, text: str) -> JsonObject:
    message: JsonObject = {"role": "tool", "content": text}
    if call_id is not None:
        message["tool_call_id"] = call_id
    if name is not None:
        message["name"] = name
    return message


def _tool_call(call: ToolCall) -> JsonObject:
    return _call(call.id, call.name, _text(call.arguments))


def _text(arguments: Any) -> str:
    """Arguments as OpenAI has them: text."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _call(call_id: str | None, name: str, arguments: Any) -> JsonObject:
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }
