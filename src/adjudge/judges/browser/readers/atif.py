"""ATIF, Harbor's trajectory format: steps of user, agent and system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import (
    CaseBuilder,
    as_text,
    objects,
    offered,
    text_of,
    text_or_none,
)
from adjudge.judges.invalid import shown

_ROLES = {"user": "user", "agent": "assistant", "system": "system"}
_STEP = frozenset(
    {"step_id", "source", "message", "reasoning_content", "tool_calls", "observation"}
)


class AtifReader:
    """One trajectory an object (``schema_version`` ATIF-v1.x)."""

    name = "atif"

    def detect(self, record: Record) -> bool:
        """A version that says so."""
        value = record.value
        return isinstance(value, dict) and str(value.get("schema_version")).startswith("ATIF")

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation. A step's observation is the message after it."""
        value = record.value
        case_id = text_or_none(value.get("session_id"))
        builder = CaseBuilder(self.name)
        for index, step in enumerate(objects(value.get("steps"), "steps", case_id)):
            _step(builder, step, f"steps[{index}]", case_id)
        agent = value.get("agent") if isinstance(value.get("agent"), dict) else {}
        builder.rest(value, {"schema_version", "session_id", "agent", "steps"})
        builder.rest(agent, {"tool_definitions"}, "agent")
        yield builder.case(case_id, tools=offered(agent.get("tool_definitions")))


def _step(builder: CaseBuilder, step: JsonObject, at: str, case_id: str | None) -> None:
    source = step.get("source")
    role = _ROLES.get(source) if isinstance(source, str) else None
    if role is None:
        raise CaseError(
            "user, agent or system", field=f"{at}.source", found=shown(source), case_id=case_id
        )
    text, attached = text_of(step.get("message"))
    calls: list[JsonObject] = []
    if step.get("tool_calls"):
        for index, call in enumerate(objects(step["tool_calls"], f"{at}.tool_calls", case_id)):
            calls.append(_call(call, f"{at}.tool_calls[{index}]", case_id))
    builder.say(
        role,
        text,
        id=text_or_none(step.get("step_id")),
        reasoning=text_or_none(step.get("reasoning_content")),
        calls=calls,
        attached=attached,
    )
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    if results:
        found = objects(results, f"{at}.observation.results", case_id)
        builder.say("tool", results=[_result(builder, one) for one in found])
    builder.rest(step, _STEP, "steps[]")


def _call(call: JsonObject, at: str, case_id: str | None) -> JsonObject:
    name = call.get("function_name")
    if not isinstance(name, str):
        raise CaseError(
            "a tool's name", field=f"{at}.function_name", found=shown(name), case_id=case_id
        )
    return {
        "id": text_or_none(call.get("tool_call_id")),
        "name": name,
        "arguments": call.get("arguments"),
    }


def _result(builder: CaseBuilder, result: JsonObject) -> JsonObject:
    content: Any = result.get("content")
    text, attached = text_of(content)
    builder.drop("images in observations", attached, text=True)
    builder.rest(result, {"source_call_id", "content"}, "observation.results[]")
    return {"call_id": text_or_none(result.get("source_call_id")), "text": as_text(text)}
