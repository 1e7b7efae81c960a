"""A case in the making: messages in order, what was dropped, where the response stands."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from adjudge.contract import CaseError, JsonObject
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.invalid import case_error, shown

_TEXT_TYPES = frozenset({"text", "input_text", "output_text", "summary_text"})
_EMPTY: tuple[Any, ...] = (None, "", [], {})


class CaseBuilder:
    """Collects one conversation; ``case()`` makes the case of it or raises ``CaseError``.

    Messages are plain objects in the form of ``ConversationMessage``; nothing given is changed.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.messages: list[JsonObject] = []
        self._drops: dict[tuple[str, bool], int] = {}

    def say(self, role: str, text: str | None = None, **fields: Any) -> None:
        """Append one message; fields that are empty may be given all the same."""
        message: JsonObject = {"role": role, "text": text}
        for name, value in fields.items():
            if value:
                message[name] = value
        self.messages.append(message)

    def drop(self, what: str, count: int = 1, *, text: bool = False) -> None:
        """Something of the source is left out; ``text``: the assistant could have read it."""
        if count:
            self._drops[what, text] = self._drops.get((what, text), 0) + count

    def rest(self, value: Mapping[str, Any], known: Collection[str], at: str = "") -> None:
        """Every field of ``value`` that is not ``known`` and holds something is left out."""
        for name, inner in value.items():
            if name not in known and not (inner is None or inner in _EMPTY):
                self.drop(f"{at}.{name}" if at else name)

    def case(self, case_id: str | None = None, **fields: Any) -> BrowserCase:
        """The case. Raises ``CaseError``."""
        start, end = response_of(self.messages, case_id)
        return self.case_with(start, end, case_id, **fields)

    def case_with(
        self, start: int, end: int, case_id: str | None = None, **fields: Any
    ) -> BrowserCase:
        """The case whose response is ``messages[start:end]``."""
        made: JsonObject = {
            "id": case_id,
            "messages": self.messages,
            "response_from": start,
            "response_to": end,
            "source": self.source,
            **{name: value for name, value in fields.items() if value is not None},
        }
        if self._drops:
            made["drops"] = [
                {"what": what[:200], "count": count, "text": text}
                for (what, text), count in self._drops.items()
            ]
        try:
            return BrowserCase.model_validate(made)
        except ValidationError as error:
            raise case_error(error, BrowserCase, case_id) from None


def response_of(messages: Sequence[JsonObject], case_id: str | None = None) -> tuple[int, int]:
    """Start and end of the response: the last run of assistant messages and their results.

    It begins after the last user message before it; what follows it (a user's last word) is no
    part of it. Raises ``CaseError`` where there is none.
    """
    if not messages:
        raise CaseError(
            "at least one message", field="messages", found="an empty conversation", case_id=case_id
        )
    last = next((i for i in reversed(range(len(messages))) if _speaks(messages[i])), None)
    if last is None:
        raise CaseError(
            "a response: an assistant message after the last user message",
            field="messages",
            found=f"{len(messages)} messages, none of them the assistant's",
            case_id=case_id,
        )
    end = last + 1
    while end < len(messages) and messages[end]["role"] == "tool":
        end += 1
    start = last
    while start > 0 and messages[start - 1]["role"] != "user":
        start -= 1
    while messages[start]["role"] == "system":
        start += 1
    return start, end


def _speaks(message: JsonObject) -> bool:
    return bool(message["role"] == "assistant")


def text_of(content: Any) -> tuple[str | None, int]:
    """The text in message content (a string, parts or null), and how many parts are not text."""
    if content is None or isinstance(content, str):
        return content, 0
    if not isinstance(content, list):
        return as_text(content), 0
    texts: list[str] = []
    other = 0
    for part in content:
        found = part if isinstance(part, str) else _part_text(part)
        if found is None:
            other += 1
        else:
            texts.append(found)
    return ("\n".join(texts) if texts else None), other


def _part_text(part: Any) -> str | None:
    if not isinstance(part, dict):
        return None
    kind = part.get("type")
    if kind == "refusal" and isinstance(part.get("refusal"), str):
        return str(part["refusal"])
    if kind is None or among(kind, _TEXT_TYPES):
        text = part.get("text", part.get("content"))
        return text if isinstance(text, str) else None
    return None


def listed(value: Any) -> list[Any]:
    """``value`` where it is a list; anything else is none."""
    return value if isinstance(value, list) else []


def among(value: Any, names: Collection[str]) -> bool:
    """Whether ``value``, which may be anything, is one of ``names``."""
    return isinstance(value, str) and value in names


def as_text(value: Any) -> str:
    """A tool's output as text: strings as they are, null as nothing, the rest as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False)


def parsed(value: Any) -> Any:
    """``value``, or what it says where it is the text of a JSON array or object."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
    return value


def text_or_none(value: Any) -> str | None:
    """``value`` where it is a text that says something; numbers as their digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def objects(value: Any, at: str, case_id: str | None = None) -> list[JsonObject]:
    """``value`` as a list of objects. Raises ``CaseError``."""
    if not isinstance(value, list):
        raise CaseError("a list of messages", field=at, found=shown(value), case_id=case_id)
    for index, one in enumerate(value):
        if not isinstance(one, dict):
            raise CaseError("an object", field=f"{at}[{index}]", found=shown(one), case_id=case_id)
    return value


def offered(tools: Any) -> list[JsonObject] | None:
    """Tool definitions of any common form as ``OfferedTool`` objects; ``None`` without any.

    >>> offered([{"type": "function", "function": {"name": "get_tabs"}}])
    [{'name': 'get_tabs', 'description': None, 'parameters': None}]
    """
    tools = parsed(tools)
    if not isinstance(tools, list):
        return None
    made = [one for tool in tools if (one := _tool(parsed(tool))) is not None]
    return made or None


def _tool(tool: Any) -> JsonObject | None:
    if not isinstance(tool, dict):
        return None
    for wrapper in ("function", "toolSpec"):
        if isinstance(tool.get(wrapper), dict):
            tool = tool[wrapper]
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        return None
    for field in ("parameters", "input_schema", "inputSchema", "params_json_schema"):
        if isinstance(tool.get(field), dict):
            schema = tool[field]
            break
    else:
        schema = None
    if isinstance(schema, dict) and set(schema) == {"json"}:
        schema = schema["json"]
    description = tool.get("description")
    return {
        "name": name,
        "description": description if isinstance(description, str) else None,
        "parameters": schema,
    }
