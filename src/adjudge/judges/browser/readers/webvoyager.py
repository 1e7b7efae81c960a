"""WebVoyager text runs: thoughts, one action a turn, screenshots that are not in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.contract import JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import CaseBuilder, objects, text_of

_ANSWER = re.compile(r"\AANSWER\s*;?\s*(.*)\Z", re.DOTALL)
_ACTION = re.compile(r"\A(\w+)\s*(?:\[?([^\]\n;]*)\]?)?\s*(?:;\s*(.*))?\Z", re.DOTALL)
_THOUGHT = "Thought:"
_SPLIT = re.compile(r"\n\s*Action:\s*")
_OBSERVATION = "Observation:"


class WebVoyagerReader:
    """A list of messages in which the assistant writes ``Thought: … Action: Click [10]``.

    Actions become calls, observations their results, ``ANSWER`` the assistant's words. Screenshots
    are not in the files: what the assistant saw is not known.
    """

    name = "webvoyager"

    def detect(self, record: Record) -> bool:
        """A thought with an action in the first assistant message."""
        value = record.value
        if not isinstance(value, list):
            return False
        for message in value[:6]:
            if isinstance(message, dict) and message.get("role") == "assistant":
                text = message.get("content")
                return isinstance(text, str) and text.startswith(_THOUGHT) and "Action:" in text
        return False

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The run as one conversation."""
        builder = CaseBuilder(self.name)
        for message in objects(record.value, "messages"):
            text, attached = text_of(message.get("content"))
            _message(builder, message.get("role"), text or "", attached)
            builder.rest(message, {"role", "content"}, "messages[]")
        yield builder.case(linked=False)


def _message(builder: CaseBuilder, role: object, text: str, attached: int) -> None:
    acted = bool(builder.messages) and bool(builder.messages[-1].get("calls"))
    if role == "assistant":
        thought, action = _parts(text)
        answer = _ANSWER.match(action) if action else None
        said = text if not action else answer.group(1).strip() if answer else None
        calls = [] if answer or not action else [_call(action)]
        builder.say("assistant", said, reasoning=thought, calls=calls, attached=attached)
    elif role == "user" and acted:
        builder.drop("screenshots", text=True)
        builder.say("tool", results=[{"text": text.removeprefix(_OBSERVATION).strip()}])
    else:
        builder.drop("screenshots", 1 if role == "user" else 0, text=True)
        builder.say("system" if role == "system" else "user", text, attached=attached)


def _parts(text: str) -> tuple[str | None, str]:
    """Thought and action of an assistant's message."""
    thought, *rest = _SPLIT.split(text, maxsplit=1)
    if not rest:
        return None, ""
    return thought.removeprefix(_THOUGHT).strip() or None, rest[0].strip()


def _call(action: str) -> JsonObject:
    """``Type [17]; text`` as a call of ``Type``."""
    found = _ACTION.match(action)
    if found is None:
        return {"name": action.split()[0][:80], "arguments": {"action": action}}
    name, target, content = found.groups()
    arguments: JsonObject = {}
    if target and target.strip():
        arguments["target"] = target.strip()
    if content is not None:
        arguments["content"] = content.strip()
    return {"name": name, "arguments": arguments}
