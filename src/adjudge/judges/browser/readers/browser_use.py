"""browser-use histories: one model output and its results a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.contract import JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import (
    CaseBuilder,
    as_text,
    listed,
    objects,
    text_or_none,
)

_THOUGHTS = ("thinking", "evaluation_previous_goal", "memory", "next_goal")


class BrowserUseReader:
    """One history an object (``history``). The files hold no task: give it as ``task`` beside it.

    A step's actions are calls named after their one key, its results answer them in order, and the
    page it began on is a result that names no call. ``done`` is also the assistant's words.
    """

    name = "browser-use"

    def detect(self, record: Record) -> bool:
        """A history whose steps have a model output and a state."""
        value = record.value
        history = value.get("history") if isinstance(value, dict) else None
        return (
            isinstance(history, list)
            and bool(history)
            and isinstance(history[0], dict)
            and "model_output" in history[0]
        )

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The run as one conversation."""
        value = record.value
        case_id = text_or_none(value.get("id"))
        builder = CaseBuilder(self.name)
        task = text_or_none(value.get("task"))
        if task:
            builder.say("user", task)
        for index, step in enumerate(objects(value["history"], "history", case_id)):
            _step(builder, step, index + 1)
        builder.rest(value, {"id", "task", "history", "label", "meta", "expect"})
        yield builder.case(case_id, linked=False, label=value.get("label"), meta=value.get("meta"))


def _step(builder: CaseBuilder, step: JsonObject, number: int) -> None:
    state = step.get("state")
    if isinstance(state, dict):
        _state(builder, state)
    output = step.get("model_output")
    calls: list[JsonObject] = []
    done: str | None = None
    if isinstance(output, dict):
        for action in listed(output.get("action")):
            if isinstance(action, dict) and action:
                call, said = _call(builder, action, f"{number}.{len(calls) + 1}")
                calls.append(call)
                done = said if said is not None else done
        thoughts = [f"{name}: {output[name]}" for name in _THOUGHTS if output.get(name)]
        builder.say("assistant", done, reasoning="\n".join(thoughts), calls=calls)
        builder.rest(output, {"action", *_THOUGHTS}, "model_output")
    results = [one for one in listed(step.get("result")) if isinstance(one, dict)]
    if results:
        answers = [
            _result(builder, one, calls[i]["id"] if i < len(calls) else None)
            for i, one in enumerate(results)
        ]
        builder.say("tool", results=answers)
    builder.rest(step, {"model_output", "result", "state", "metadata"}, "history[]")


def _state(builder: CaseBuilder, state: JsonObject) -> None:
    seen = {name: state[name] for name in ("url", "title", "tabs") if state.get(name)}
    if seen:
        builder.say("tool", results=[{"name": "browser_state", "text": as_text(seen)}])
    # the agent also saw the page itself, which the history does not hold
    builder.drop("page contents shown to the model", text=True)


def _call(builder: CaseBuilder, action: JsonObject, call_id: str) -> tuple[JsonObject, str | None]:
    given = {name: inner for name, inner in action.items() if inner is not None}
    name = next(iter(given or action))
    builder.drop("further keys of an action", max(0, len(given) - 1))
    arguments: Any = action[name]
    said = None
    if name == "done" and isinstance(arguments, dict):
        said = text_or_none(arguments.get("text"))
    return {
        "id": call_id,
        "name": name,
        "arguments": {} if arguments is None else arguments,
    }, said


def _result(builder: CaseBuilder, result: JsonObject, call_id: str | None) -> JsonObject:
    texts = [result.get("extracted_content"), result.get("long_term_memory")]
    error = text_or_none(result.get("error"))
    builder.rest(
        result,
        {"extracted_content", "long_term_memory", "error", "is_done", "success"},
        "result[]",
    )
    text = "\n".join(dict.fromkeys(as_text(t) for t in texts if t))
    return {"call_id": call_id, "text": text or error or "", "error": error}
