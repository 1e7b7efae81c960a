"""``{"conversation": [...], "response": …}``: chat messages, and what is judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import CaseBuilder, offered, text_or_none
from adjudge.judges.browser.readers.openai_chat import add_messages
from adjudge.judges.invalid import shown

_KNOWN = (
    "id",
    "conversation",
    "response",
    "tools",
    "tabs",
    "preferences",
    "context_given",
    "calls_allowed",
    "meta",
    "label",
    "expect",
)


class PlainReader:
    """The form to write cases in: messages as OpenAI has them, under ``conversation``.

    ``response`` is a string, one message or a list of them; without it the conversation's own last
    turn is judged. ``tools``, ``tabs``, ``preferences``, ``meta``, ``label`` and ``expect`` are
    optional.
    """

    name = "plain"

    def detect(self, record: Record) -> bool:
        """Whatever no other reader knows is taken for this form, and told what it lacks."""
        return True

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The case. Raises ``CaseError`` that names the field."""
        value = record.value
        if not isinstance(value, dict):
            raise CaseError("an object with a conversation", found=shown(value))
        case_id = text_or_none(value.get("id"))
        if "conversation" not in value:
            named = ", ".join(repr(name)[:40] for name in list(value)[:6])
            raise CaseError(
                "a conversation (a list of messages), or a format that a reader knows",
                field="conversation",
                found=f"an object with {named}" if named else "an empty object",
                case_id=case_id,
            )
        builder = CaseBuilder(self.name)
        add_messages(builder, value["conversation"], "conversation", case_id)
        start = len(builder.messages)
        add_messages(builder, _response(value.get("response"), case_id), "response", case_id)
        builder.rest(value, _KNOWN)
        fields: JsonObject = {
            "tools": offered(value.get("tools")),
            "tabs": value.get("tabs"),
            "preferences": value.get("preferences"),
            "context_given": value.get("context_given"),
            "calls_allowed": value.get("calls_allowed"),
            "meta": value.get("meta"),
            "label": value.get("label"),
            "expect": value.get("expect"),
        }
        if value.get("response") is None:
            yield builder.case(case_id, **fields)
        else:
            yield builder.case_with(start, len(builder.messages), case_id, **fields)


def _response(response: Any, case_id: str | None) -> list[JsonObject]:
    if response is None:
        return []
    if isinstance(response, str):
        return [{"role": "assistant", "content": response}]
    if isinstance(response, dict):
        return [response if "role" in response else {"role": "assistant", **response}]
    if isinstance(response, list) and response:
        return response
    raise CaseError(
        "a string, a message or a list of messages",
        field="response",
        found=shown(response),
        case_id=case_id,
    )
