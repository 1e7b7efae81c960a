"""What stood where: each call, what answered it, and what had been seen before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from adjudge.contract import JsonObject
from adjudge.judges.browser.arguments import Arguments, read_arguments
from adjudge.judges.browser.case import BrowserCase, ConversationMessage, ToolResult
from adjudge.judges.browser.catalogue import Catalogue, Tool
from adjudge.judges.browser.urls import Url, read_url

_THINKING = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL | re.IGNORECASE)
_CUT = re.compile(
    r"[\[(<{…]\W{0,3}(?:\w{1,24} ){0,4}truncated\b|\btruncated\W{0,3}[\])>}]|\[(?:…|\.\.\.)\]"
    r"|\b(?:output|content|text|result|page) (?:was |is |has been )?truncated\b"
    r"|\[\d+ (?:more )?(?:chars|characters|lines) (?:omitted|left out|removed)\]",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\A\W{0,2}(?:error|exception|failed|failure)\s*(?:[:\-(]|\Z)"
    r"|\ATraceback \(most recent call last\)"
    r"|\A\s*\{\s*\"error\"\s*:\s*(?!null\b|false\b|\"\"|\{\}|\[\])",
    re.IGNORECASE,
)
_MARKS = ("runcated", "RUNCATED", "[…]", "[...]", " omitted]", " left out]", " removed]")
_BEGINNING = 400


@dataclass(slots=True)
class ResultView:
    """A result: ``number`` counts results from 1; ``call`` is what it answers, where that is known.

    ``failed``: the source or the text says so. ``cut``: some of what there was is not there.
    """

    number: int
    message: int
    given: ToolResult
    failed: bool
    cut: bool
    call: CallView | None = None
    twice: bool = False

    @property
    def text(self) -> str:
        """What came back."""
        return self.given.text


@dataclass(slots=True)
class CallView:
    """A call: its number from 1, its message, what it means in the catalogue, what answered it."""

    number: int
    message: int
    id: str | None
    name: str
    tool: Tool | None
    alias: bool
    arguments: Arguments
    judged: bool
    cause: str | None = None
    results: list[ResultView] = field(default_factory=list)
    _urls: tuple[tuple[str, Url], ...] | None = None

    @property
    def role(self) -> str | None:
        """The tool's role, where it is known."""
        return self.tool.role if self.tool else None

    @property
    def tool_name(self) -> str:
        """The tool's own name, or the one that was called."""
        return self.tool.name if self.tool else self.name

    @property
    def urls(self) -> tuple[tuple[str, Url], ...]:
        """The web addresses among the arguments, in order, each as it was written too."""
        if self._urls is None:
            given = self.arguments.value or {}
            texts = (text for value in given.values() for text in strings(value))
            read = ((text, read_url(text)) for text in texts)
            self._urls = tuple((text, url) for text, url in read if url is not None)
        return self._urls

    @property
    def answered(self) -> bool:
        """Whether something came back that is no error."""
        return any(not result.failed for result in self.results)

    @property
    def failed(self) -> bool:
        """Whether what came back are errors alone."""
        return bool(self.results) and not self.answered

    @property
    def at(self) -> JsonObject:
        """Where it stands, for findings."""
        return {"message": self.message, "call": self.id or f"#{self.number}"}

    @property
    def shown(self) -> str:
        """How a finding names it."""
        return f"{self.id or f'#{self.number}'} ({self.name})"[:120]


class View:
    """A case with its calls and results resolved; everything in it follows from the case alone."""

    def __init__(self, case: BrowserCase, catalogue: Catalogue) -> None:
        self.case = case
        self.catalogue = catalogue
        self.calls: list[CallView] = []
        self.results: list[ResultView] = []
        self._open: dict[str, CallView] = {}
        for index, message in enumerate(case.messages):
            if message.calls:
                self._add_calls(index, message)
            for result in message.results:
                self._add_result(index, result)

    def _add_calls(self, index: int, message: ConversationMessage) -> None:
        judged = self.case.response_from <= index < self.case.response_to
        for call in message.calls:
            found = self.catalogue.find(call.name)
            view = CallView(
                number=len(self.calls) + 1,
                message=index,
                id=call.id,
                name=call.name,
                tool=found.tool if found else None,
                alias=found.alias if found else False,
                arguments=read_arguments(call.arguments),
                judged=judged,
                cause=call.cause,
            )
            self.calls.append(view)
            if call.id is not None:
                self._open[call.id] = view

    def _add_result(self, index: int, result: ToolResult) -> None:
        text = result.text
        view = ResultView(
            number=len(self.results) + 1,
            message=index,
            given=result,
            failed=result.error is not None or is_failure(text),
            cut=is_cut(result),
        )
        self.results.append(view)
        view.call = self._answered_by(index, result)
        if view.call is not None:
            view.twice = bool(view.call.results)
            view.call.results.append(view)

    def _answered_by(self, index: int, result: ToolResult) -> CallView | None:
        if result.call_id is not None:
            return self._open.get(result.call_id)
        waiting = [call for call in reversed(self.calls[-32:]) if not call.results]
        if result.name is not None:
            return next((call for call in waiting if call.name == result.name), None)
        # without a name it can only be told where one call waits, in the message just before
        near = [call for call in waiting if call.message >= index - 2]
        return near[0] if len(near) == 1 else None

    def calls_of(self, message: int) -> list[CallView]:
        """The calls of a message, in order."""
        return self._calls_of.get(message, [])

    def results_of(self, message: int) -> list[ResultView]:
        """The results in a message, in order."""
        return self._results_of.get(message, [])

    @cached_property
    def _calls_of(self) -> dict[int, list[CallView]]:
        found: dict[int, list[CallView]] = {}
        for call in self.calls:
            found.setdefault(call.message, []).append(call)
        return found

    @cached_property
    def _results_of(self) -> dict[int, list[ResultView]]:
        found: dict[int, list[ResultView]] = {}
        for result in self.results:
            found.setdefault(result.message, []).append(result)
        return found

    @property
    def judged_calls(self) -> list[CallView]:
        """The calls in the response."""
        return [call for call in self.calls if call.judged]

    @cached_property
    def last_user(self) -> ConversationMessage | None:
        """The user message that the response answers."""
        for message in reversed(self.case.before):
            if message.role == "user":
                return message
        return None

    @cached_property
    def answer_messages(self) -> list[tuple[int, str]]:
        """The response's own words: message index and text, without thoughts in it."""
        start = self.case.response_from
        return [
            (start + offset, spoken(message.text))
            for offset, message in enumerate(self.case.response)
            if message.role == "assistant" and message.text
        ]

    @cached_property
    def answer(self) -> str:
        """The response's own words, together."""
        return "\n".join(text for _, text in self.answer_messages if text.strip())

    def turn_start(self, call: CallView) -> int:
        """The index after the last user message before a call."""
        return self._turn_starts[call.message]

    @cached_property
    def _turn_starts(self) -> list[int]:
        starts: list[int] = []
        start = 0
        for index, message in enumerate(self.case.messages):
            starts.append(start)
            if message.role == "user":
                start = index + 1
        return starts

    def texts_before(self, message: int) -> Iterator[tuple[int, str, str]]:
        """What the assistant had seen before it wrote a message: index, origin, text.

        Origins: ``given`` (the system's words), ``user``, ``earlier_answer``, and for results the
        role of their tool, ``tool`` where it is not known.
        """
        for index, one in enumerate(self.case.messages[:message]):
            if one.text:
                origin = {"system": "given", "user": "user"}.get(one.role, "earlier_answer")
                yield index, origin, one.text
        for result in self.results:
            if result.message < message and result.text:
                role = result.call.role if result.call else None
                yield result.message, role or "tool", result.text

    def whole_before(self, message: int) -> bool:
        """Whether all that the assistant had seen before a message is there to read."""
        if any(drop.text for drop in self.case.drops):
            return False
        if any(one.attached for one in self.case.messages[:message]):
            return False
        if any(r.cut for r in self.results if r.message < message):
            return False
        return all(c.results for c in self.calls if c.message < message)


def strings(value: object) -> list[str]:
    """A string by itself, or the strings in a list."""
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def spoken(text: str | None) -> str:
    """A message's words without a block of thoughts at its beginning."""
    if not text:
        return ""
    return _THINKING.sub("", text, count=1) if "<think>" in text[:200].lower() else text


def is_failure(text: str) -> bool:
    """Whether a result's text is an error message.

    >>> is_failure("Error: user not found"), is_failure("Error handling in Rust, a guide")
    (True, False)
    """
    return _FAILED.match(text[:_BEGINNING]) is not None


def is_cut(result: ToolResult) -> bool:
    """Whether something of the result is missing: by its length, or by a mark in its text."""
    text = result.text
    if result.length is not None and result.length > len(text):
        return True
    if text.rstrip()[-3:].endswith(("...", "…")):
        return True
    if "]" not in text and "runcated" not in text and "RUNCATED" not in text:
        return False
    return any(mark in text for mark in _MARKS) and _CUT.search(text) is not None
