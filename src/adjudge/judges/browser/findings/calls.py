"""Calls by themselves: tools that are not there, broken arguments, too many, too late."""

from __future__ import annotations

from collections import Counter

from adjudge.contract import FindingLog
from adjudge.judges.browser.catalogue.schemas import problems
from adjudge.judges.browser.view import CallView, View
from adjudge.judges.quoting import neutral

_SUBSTANCE = 200
"""A result this long says that the conversation went on after a hand-off."""


def find(view: View, log: FindingLog) -> None:
    """``unknown_tool``, ``tool_alias``, ``malformed_arguments``, ``schema_violation``,
    ``parallel_calls``, ``call_after_handoff``."""
    for call in view.calls:
        _name(view, call, log)
        _arguments(view, call, log)
    _parallel(view, log)
    _after_handoff(view, log)


def _name(view: View, call: CallView, log: FindingLog) -> None:
    # a tool that answered is there, whatever the list says
    if call.tool is None and view.catalogue.closed and not call.answered:
        near = view.catalogue.near(call.name)
        hint = f"; the nearest is {near}" if near else ""
        text = f"no tool is called {_quoted(call.name)}{hint}"
        log.add("unknown_tool", "error", call.at, text)
    elif call.alias and call.tool is not None and _named(view):
        text = f"{_quoted(call.name)} is another name of {call.tool.name}"
        log.add("tool_alias", "info", call.at, text)


def _named(view: View) -> bool:
    """Whether somebody said what the tools are called."""
    return view.catalogue.closed and not view.catalogue.assumed


def _arguments(view: View, call: CallView, log: FindingLog) -> None:
    if call.arguments.problem is not None:
        log.add("malformed_arguments", "error", call.at, neutral(call.arguments.problem))
        return
    if call.cause:
        text = f"the arguments could not be read: {_quoted(call.cause)}"
        log.add("malformed_arguments", "error", call.at, text)
        return
    schema = call.tool.parameters if call.tool else None
    if call.alias or schema is None or call.arguments.value is None:
        return
    if call.answered and view.catalogue.assumed:
        return  # it was taken, so the schema we assume is not the tool's
    found = problems(schema, call.arguments.value)
    if call.answered and all("no such argument" in problem for problem in found):
        return  # an argument too many that did no harm
    if found:
        log.add("schema_violation", "error", call.at, neutral("; ".join(found)))


def _parallel(view: View, log: FindingLog) -> None:
    allowed = view.case.calls_allowed
    if allowed is None:
        return
    for message, count in Counter(call.message for call in view.calls).items():
        if count > allowed:
            last = [call for call in view.calls if call.message == message][-1]
            text = f"{count} calls in one message, where {allowed} may be made"
            log.add("parallel_calls", "warning", last.at, text)


def _after_handoff(view: View, log: FindingLog) -> None:
    handed: CallView | None = None
    for call in view.calls:
        if handed is not None and view.turn_start(call) > handed.message:
            handed = None
        if handed is not None and call.message > handed.message:
            text = f"{handed.shown} had handed over to the results page, which ends the turn"
            log.add("call_after_handoff", "warning", call.at, text)
        elif call.tool is not None and call.tool.terminal and not call.failed:
            went_on = any(len(result.text) > _SUBSTANCE for result in call.results)
            handed = handed if went_on else call


def _quoted(text: str) -> str:
    return neutral(repr(text if len(text) <= 80 else text[:80] + "…"))
