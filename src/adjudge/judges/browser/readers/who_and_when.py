"""Who&When: failed multi-agent runs, with the step at fault as the label."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import CaseBuilder, objects, text_of, text_or_none
from adjudge.judges.invalid import shown

_LABEL = ("mistake_agent", "mistake_step", "mistake_reason", "ground_truth")
_TERMINAL = "Computer_terminal"


class WhoAndWhenReader:
    """One run an object. Every agent's message is the assistant's, under the agent's name.

    The format has no calls: what agents ran stands in their texts, and the terminal's answers are
    results that name no call. Runs that do not begin with a person begin with ``question``.
    """

    name = "who-and-when"

    def detect(self, record: Record) -> bool:
        """``history`` beside the label of who went wrong."""
        value = record.value
        return isinstance(value, dict) and "history" in value and "mistake_agent" in value

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation; message 0 is the question where no person spoke first."""
        value = record.value
        builder = CaseBuilder(self.name)
        history = objects(value["history"], "history")
        question = text_or_none(value.get("question"))
        if question and not any(entry.get("role") == "human" for entry in history):
            builder.say("user", question)
        for index, entry in enumerate(history):
            _entry(builder, entry, f"history[{index}]")
        builder.rest(value, {"history", "question", "question_ID", "level", *_LABEL})
        yield builder.case(
            linked=False,
            label={name: value[name] for name in _LABEL if name in value},
            meta={"question_ID": value.get("question_ID"), "level": value.get("level")},
        )


def _entry(builder: CaseBuilder, entry: JsonObject, at: str) -> None:
    role = entry.get("role")
    if not isinstance(role, str):
        raise CaseError("a role", field=f"{at}.role", found=shown(role))
    name = text_or_none(entry.get("name"))
    text, attached = text_of(entry.get("content"))
    if role == "human":
        builder.say("user", text, attached=attached)
    elif name == _TERMINAL:
        builder.say("tool", results=[{"name": name, "text": text or ""}])
    else:
        speaker = name or (role if role not in ("user", "assistant") else None)
        builder.say("assistant", text, name=speaker, attached=attached)
    builder.rest(entry, {"role", "name", "content"}, "history[]")
