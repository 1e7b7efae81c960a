"""Chat messages with roles, as a dialogue between agents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adjudge.contract import CaseError, Record
from adjudge.judges.invalid import shown
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.readers.by_agent import cases_of

_SETTING = ("system", "developer")


@dataclass(frozen=True, slots=True)
class ChatReader:
    """``{"messages": [{"role", "content", "name"}]}``; system messages become the scenario.

    ``agents`` maps roles to agents' names; a role that it leaves out is itself the name, and a
    message's own ``name`` goes before both. A message without text is a turn in which nothing was
    done. The other fields are those of ``SocialCase``.
    """

    agent: str | None = None
    name: str = "chat"

    def detect(self, record: Record) -> bool:
        """Known by messages with roles."""
        value = record.value
        messages = value.get("messages") if isinstance(value, dict) else None
        return isinstance(messages, list) and all(
            isinstance(message, dict) and "role" in message for message in messages
        )

    def read(self, record: Record) -> Iterator[SocialCase]:
        """A case for each agent, or for the one named. Raises ``CaseError``."""
        yield from cases_of(_episode(record.value), self.agent)


def _episode(value: dict[str, Any]) -> dict[str, Any]:
    messages = value.get("messages")
    if not isinstance(messages, list):
        raise CaseError("a list of messages", field="messages", found=shown(messages))
    names = value.get("agents")
    if names is not None and not (
        isinstance(names, dict) and all(isinstance(name, str) for name in names.values())
    ):
        raise CaseError("an object from role to agent's name", field="agents", found=shown(names))
    setting: list[str] = []
    turns: list[dict[str, str]] = []
    for i, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str) or not role:
            raise CaseError("a message with a role", field=f"messages[{i}].role", found=shown(role))
        text = _text(message.get("content"), f"messages[{i}].content")
        if role in _SETTING:
            setting.append(text)
            continue
        speaker = message.get("name") or (names or {}).get(role, role)
        turns.append({"speaker": speaker, "text": text})
    kept = {key: given for key, given in value.items() if key not in ("messages", "agents")}
    if setting and kept.get("scenario") is None:
        kept["scenario"] = "\n\n".join(setting)
    agents = list(dict.fromkeys([*(names or {}).values(), *(t["speaker"] for t in turns)]))
    return {**kept, "agents": agents, "turns": turns}


def _text(content: Any, field: str) -> str:
    """Plain text, or the text parts of a list of parts."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [p.get("text") if isinstance(p, dict) else p for p in content]
        texts = [part for part in parts if isinstance(part, str)]
        if len(texts) == len(parts):
            return "\n".join(texts)
    raise CaseError("a text, or a list of text parts", field=field, found=shown(content))
