"""The same asked for twice: calls with equal arguments, pages read again."""

from __future__ import annotations

import re

from adjudge.contract import FindingLog
from adjudge.judges.browser.urls import read_url
from adjudge.judges.browser.view import CallView, View, strings

_ASKED = re.compile(
    r"\b(?:again|once more|re-?(?:fetch|load|read|check|run|try|do|open|visit|scan)\w*"
    r"|refresh\w*|repeat\w*|updated|updates|another (?:look|time|try|go)|double.?check\w*|twice"
    r"|still|latest|newest|by now|right now|changed|verify|confirm)\b",
    re.IGNORECASE,
)
_READS = re.compile(
    r"\A(?:get|list|search|find|read|fetch|look_?up|query|view|show|describe|count|calculate|compute)"
    r"(?:[_\-.A-Z]|\Z)"
)
_NEAREST = 8
"""How many equal calls are looked at, the nearest first; a loop may hold thousands."""

_MOVES = re.compile(
    r"status|poll|wait|progress|time|date|screenshot|scroll|state|snapshot|random|next"
    r"|click|page",
    re.IGNORECASE,
)
"""A tool that reads, but may well find something new a moment later."""


def find(view: View, log: FindingLog) -> None:
    """``duplicate_call`` and ``page_refetched``."""
    seen: dict[tuple[str, str], list[CallView]] = {}
    pages: dict[str, CallView] = {}
    for call in view.calls:
        if call.role == "read_page":
            _page(view, call, pages, log)
            continue
        before = seen.setdefault((call.tool_name, call.arguments.key), [])
        for earlier in reversed(before[-_NEAREST:]):
            if _is_duplicate(view, earlier, call):
                text = f"the same call as {earlier.shown}, which had its answer"
                if earlier.message == call.message:
                    text = f"the same call as {earlier.shown} in the same message"
                log.add("duplicate_call", "warning", call.at, text)
                break
        before.append(call)


def asked_again(view: View, call: CallView) -> bool:
    """Whether the user's message before a call asks for something to be done anew."""
    start = view.turn_start(call)
    text = view.case.messages[start - 1].text if start else None
    return bool(text) and _ASKED.search(str(text)) is not None


def _is_duplicate(view: View, earlier: CallView, call: CallView) -> bool:
    if call.arguments.value is None or not _only_reads(call):
        return False
    if earlier.message < view.turn_start(call):
        return False  # what a tool finds may have changed since the user last spoke
    if earlier.message < call.message:
        between = view.calls[earlier.number : call.number - 1]
        if not earlier.answered or any(not _only_reads(other) for other in between):
            return False
    if call.answered and earlier.answered and _found(call) != _found(earlier):
        return False  # it did find something new
    return not asked_again(view, call)


def _only_reads(call: CallView) -> bool:
    if call.role is not None:
        return True
    return bool(_READS.match(call.name)) and not _MOVES.search(call.name)


def _page(view: View, call: CallView, pages: dict[str, CallView], log: FindingLog) -> None:
    for _, url in call.urls:
        earlier = pages.get(url.whole)
        if earlier is not None and not _repeats_page(view, earlier, call):
            earlier = None
        if earlier is not None:
            text = f"{earlier.shown} had read the same page"
            log.add("page_refetched", "warning", call.at, text)
            break
    for _, url in call.urls:
        pages.setdefault(url.whole, call)
        if pages[url.whole].failed:
            pages[url.whole] = call


def _repeats_page(view: View, earlier: CallView, call: CallView) -> bool:
    if asked_again(view, call):
        return False
    if earlier.message == call.message:
        return True
    if not earlier.answered or any(r.cut or not r.text.strip() for r in earlier.results):
        return False
    same_request = earlier.arguments.key == call.arguments.key
    # other arguments (another part of the page, say) may be the reason to read it again
    if not same_request and _rest(earlier) != _rest(call):
        return False
    return not (same_request and call.answered and _found(call) != _found(earlier))


def _rest(call: CallView) -> dict[str, object]:
    """The arguments that are no addresses."""
    value = call.arguments.value or {}
    return {n: v for n, v in value.items() if not (strings(v) and all(map(read_url, strings(v))))}


def _found(call: CallView) -> list[str]:
    return [result.text for result in call.results]
