"""LangSmith runs: single ones, lists, trees, and dumps of what was ingested."""

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
    text_of,
    text_or_none,
)
from adjudge.judges.browser.readers.openai_chat import read_call

_ROLES = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_MESSAGE = frozenset(
    {"type", "role", "content", "tool_calls", "tool_call_id", "name", "id", "status", "kwargs"}
    | {"lc", "additional_kwargs", "invalid_tool_calls", "function_call", "reasoning_content"}
)


class LangSmithReader:
    """One case a trace: that of its last model run, else of the root's messages.

    ``{"post": [...], "patch": [...]}`` are merged by id; ``child_runs`` are looked into.
    """

    name = "langsmith"

    def detect(self, record: Record) -> bool:
        """A run (``run_type`` with ``inputs``), or a dump of them."""
        return bool(_runs(record.value))

    def read(self, record: Record) -> Iterator[BrowserCase | CaseError]:
        """One case a trace."""
        traces: dict[str, list[JsonObject]] = {}
        for run in _runs(record.value):
            traces.setdefault(str(run.get("trace_id") or run.get("id") or ""), []).append(run)
        for trace, runs in traces.items():
            runs.sort(key=lambda run: str(run.get("dotted_order") or run.get("start_time") or ""))
            try:
                yield self._case(runs, trace or None)
            except CaseError as error:
                error.case_id = error.case_id or trace or None
                yield error

    def _case(self, runs: list[JsonObject], trace: str | None) -> BrowserCase:
        talks = [run for run in runs if _inputs(run)]
        models = [run for run in talks if run.get("run_type") in ("llm", "chat_model")]
        if not talks:
            raise CaseError(
                "a run with inputs.messages",
                field="inputs",
                found=f"{len(runs)} runs without messages",
                case_id=trace,
            )
        chosen = (models or talks)[-1]
        builder = CaseBuilder(self.name)
        given, answered = _inputs(chosen), _outputs(chosen.get("outputs"))
        # a graph's output is its whole state: the input once more, and what came of it
        if answered[: len(given)] == given:
            given = []
        for message in [*given, *answered]:
            _add(builder, message)
        builder.drop("other runs of the trace", len(runs) - 1)
        if chosen.get("error"):
            builder.drop("error of the run")
        return builder.case(trace, tools=_tools(chosen))


def _runs(value: Any) -> list[JsonObject]:
    """Every run in ``value``; of a dump, each run with what was patched in later."""
    if isinstance(value, list):
        return [run for one in value for run in _runs(one)]
    if not isinstance(value, dict):
        return []
    if "run_type" in value and ("inputs" in value or "outputs" in value):
        return [value, *_runs(value.get("child_runs"))]
    if not (isinstance(value.get("post"), list) and "patch" in value):
        return []
    merged: dict[Any, JsonObject] = {}
    for run in [*value["post"], *listed(value["patch"])]:
        if isinstance(run, dict):
            known = merged.setdefault(str(run.get("id")), {})
            known.update({name: inner for name, inner in run.items() if inner not in (None, {})})
    return [run for run in merged.values() if "run_type" in run]


def _inputs(run: JsonObject) -> list[JsonObject]:
    inputs = run.get("inputs")
    if not isinstance(inputs, dict):
        return []
    for name in ("messages", "input"):
        found = _messages(inputs.get(name))
        if found:
            return found
    return []


def _messages(value: Any) -> list[JsonObject]:
    """Messages; LangChain nests them once more, a list for each prompt."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]
    found = [_plain(one) for one in value] if isinstance(value, list) else []
    return [one for one in found if one is not None]


def _outputs(outputs: Any) -> list[JsonObject]:
    if not isinstance(outputs, dict):
        return []
    choices = outputs.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return _messages([choices[0].get("message")])
    generations = outputs.get("generations")
    while isinstance(generations, list) and generations:
        generations = generations[0]
    if isinstance(generations, dict):
        return _messages(
            [generations.get("message") or {"role": "ai", "content": generations.get("text")}]
        )
    if isinstance(outputs.get("messages"), list):
        return _messages(outputs["messages"])
    for name in ("output", "message"):
        if isinstance(outputs.get(name), dict):
            return _messages([outputs[name]])
        if isinstance(outputs.get(name), str):
            return [{"role": "ai", "content": outputs[name]}]
    return _messages([outputs]) if _role(outputs) else []


def _plain(message: Any) -> JsonObject | None:
    """A message without the wrappers that LangChain serialises it in."""
    if isinstance(message, list) and len(message) == 2 and isinstance(message[0], str):
        return {"role": message[0], "content": message[1]}
    if not isinstance(message, dict):
        return None
    for wrapper in ("kwargs", "data"):
        inner = message.get(wrapper)
        if isinstance(inner, dict) and "content" in inner:
            kind = message.get("type")
            if _role(inner) is None:
                named = message.get("id")
                if isinstance(named, list) and named:
                    kind = str(named[-1]).removesuffix("Chunk").removesuffix("Message").lower()
                return {**inner, "type": kind}
            return inner
    return message if _role(message) else None


def _role(message: Mapping[str, Any]) -> str | None:
    for name in ("role", "type"):
        role = _ROLES.get(str(message.get(name)).lower())
        if role is not None:
            return role
    return None


def _add(builder: CaseBuilder, message: JsonObject) -> None:
    role = _role(message)
    if role is None:
        builder.drop("messages of unknown kind", text=True)
        return
    text, attached = text_of(message.get("content"))
    builder.rest(message, _MESSAGE, "messages[]")
    if role == "tool":
        result = {
            "call_id": text_or_none(message.get("tool_call_id")),
            "name": text_or_none(message.get("name")),
            "text": text or "",
            "error": "error" if message.get("status") == "error" else None,
        }
        builder.say("tool", results=[result])
        return
    calls = []
    extra = message.get("additional_kwargs")
    given = message.get("tool_calls") or (
        extra.get("tool_calls") if isinstance(extra, dict) else None
    )
    for index, call in enumerate(listed(given)):
        if isinstance(call, dict):
            calls.append(read_call(call, f"tool_calls[{index}]"))
    for call in listed(message.get("invalid_tool_calls")):
        if isinstance(call, dict):
            calls.append(
                {
                    "id": text_or_none(call.get("id")),
                    "name": as_text(call.get("name")),
                    "arguments": call.get("args"),
                    "cause": text_or_none(call.get("error")),
                }
            )
    # an Anthropic model's calls stand in its content as well
    uses = sum(
        1
        for part in listed(message.get("content"))
        if isinstance(part, dict) and part.get("type") == "tool_use"
    )
    builder.say(
        role,
        text,
        name=text_or_none(message.get("name")),
        reasoning=text_or_none(message.get("reasoning_content")),
        calls=calls,
        attached=max(0, attached - uses),
    )


def _tools(run: JsonObject) -> list[JsonObject] | None:
    inputs, extra = run.get("inputs"), run.get("extra")
    places = [inputs, extra.get("invocation_params") if isinstance(extra, dict) else None]
    for place in places:
        if isinstance(place, dict) and place.get("tools"):
            return offered(place["tools"])
    return None
