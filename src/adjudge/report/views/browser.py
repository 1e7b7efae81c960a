"""A browser assistant's conversation: calls, what came back, what had been seen by then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.browser.case import BrowserCase, ConversationMessage, ToolCall, ToolResult
from adjudge.report.parts import Placed, as_json, fields, talk, turn
from adjudge.report.views.view import View

CASE = BrowserCase


def view(case: BrowserCase, verdict: JsonObject) -> View:
    """What the browser held; the transcript, the response in it marked."""
    details = verdict["details"]
    turns = list(_Transcript(case, details, Placed(verdict["findings"])).turns())
    first, last = case.response_from, case.response_to - 1
    judged = f"message {first}" if first == last else f"messages {first} to {last}"
    asked = [m.text for m in case.before if m.role == "user" and m.text]
    blocks = [
        fields("Browser", _held(case)),
        talk("Transcript", turns, note=f"Judged is the response: {judged}."),
    ]
    if details.get("drops"):
        told = [(one["what"], f"{one['count']} times") for one in details["drops"]]
        blocks.append(fields("Not in the case", told, note="The source has these, the case not."))
    return View(asked[-1] if asked else "", [one for one in blocks if one.get("rows") != []])


def _held(case: BrowserCase) -> Iterator[tuple[str, Any]]:
    told = "" if case.context_given else " (the assistant was not told)"
    for number, tab in enumerate(case.tabs or (), start=1):
        active = ", active" if tab.active else ""
        yield f"tab {number}{active}{told}", f"{tab.title or ''}\n{tab.url}".strip()
    if case.preferences:
        yield f"preferences{told}", _json(case.preferences)
    if case.tools:
        yield "tools offered", ", ".join(tool.name for tool in case.tools)


class _Transcript:
    def __init__(self, case: BrowserCase, details: JsonObject, placed: Placed) -> None:
        self._case = case
        self._placed = placed
        self._calls = {(c["message"], c["call"]): c for c in details.get("calls") or ()}
        self._urls: list[JsonObject] = list(details.get("urls") or ())
        self._ledger: list[JsonObject] = list(details.get("ledger") or ())
        self._results = 0

    def turns(self) -> Iterator[JsonObject]:
        """Each message as its reasoning, words, calls and results, findings at their place."""
        for index, message in enumerate(self._case.messages):
            entries = list(self._entries(index, message))
            rest = [finding["id"] for finding in self._placed.take(message=index)]
            if entries and rest:
                entries[-1]["findings"] += rest
            yield from entries

    def _entries(self, index: int, message: ConversationMessage) -> Iterator[JsonObject]:
        if message.reasoning:
            yield self._turn(index, message, message.reasoning, "reasoning")
        if message.text or not (message.reasoning or message.calls or message.results):
            yield self._words(index, message)
        for call in message.calls:
            yield self._call(index, message, call)
        for result in message.results:
            yield self._result(index, message, result)

    def _words(self, index: int, message: ConversationMessage) -> JsonObject:
        attached = f"{message.attached} images or other parts that are no text"
        return self._turn(
            index,
            message,
            message.text or "",
            "",
            found=self._placed.take(message=index, call=None, result=None),
            notes=[attached] * bool(message.attached)
            + self._cut(message=index, call=None, result=None),
        )

    def _call(self, index: int, message: ConversationMessage, call: ToolCall) -> JsonObject:
        known = self._calls.get((index, call.id), {})
        notes = []
        if "visible" in known:
            seen = known["visible"]
            notes.append(
                f"Seen by then: {_counted(seen['messages'], 'message')}, "
                f"{_counted(seen['results'], 'result')}"
            )
        notes += [_address(u) for u in self._urls if (u["message"], u["call"]) == (index, call.id)]
        if call.cause:
            notes.append(f"The source says: {call.cause}")
        about = " · ".join(filter(None, (known.get("tool") or call.name, call.id)))
        here = {"message": index, "call": call.id, "result": None}
        found = self._placed.take(**here) if call.id is not None else []
        return self._turn(
            index,
            message,
            _json(call.arguments) or "{}",
            "call",
            about=about,
            found=found,
            notes=notes + self._cut(**here),
        )

    def _result(self, index: int, message: ConversationMessage, result: ToolResult) -> JsonObject:
        self._results += 1
        number = self._results
        found = self._placed.take(result=number)
        if result.call_id is not None:
            found += self._placed.take(message=index, call=result.call_id)
        about = " · ".join(filter(None, (result.name, result.call_id)))
        return self._turn(
            index,
            message,
            result.text,
            "result" if result.error is None else "failed result",
            about=about,
            found=found,
            notes=self._cut(result=number)
            + (
                [f"Error: {result.error}"]
                if result.error is not None and result.error not in result.text
                else []
            ),
        )

    def _turn(
        self,
        index: int,
        message: ConversationMessage,
        text: str,
        kind: str,
        *,
        about: str = "",
        found: Sequence[Mapping[str, Any]] = (),
        notes: Sequence[str] = (),
    ) -> JsonObject:
        marks = [
            (at["start"], at["end"], finding["id"])
            for finding in found
            if kind != "call" and {"start", "end"} <= (at := finding["at"]).keys()
        ]
        return turn(
            index,
            message.name or message.role,
            text,
            kind=kind,
            about=about,
            aside=message.role != "assistant",
            judged=self._case.response_from <= index < self._case.response_to,
            code=kind in ("call", "result", "failed result"),
            notes=notes,
            findings=[finding["id"] for finding in found],
            marks=marks,
        )

    def _cut(self, **at: Any) -> list[str]:
        """What the ledger says of this place."""
        return [
            f"The judge saw {one['shown']:,} of {one['characters']:,} characters"
            for one in self._ledger
            if one.get("characters") is not None
            and one.get("shown") is not None
            and all(one.get(name) == value for name, value in at.items())
        ]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _address(url: JsonObject) -> str:
    seen = f", seen in message {url['seen_in']}" if url.get("seen_in") is not None else ""
    return f"{url['url']}: from {url['from']}{seen}"


def _json(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return as_json(value)
