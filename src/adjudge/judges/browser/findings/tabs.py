"""The wrong tab: another one read where the user spoke of the one in front of them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from adjudge.contract import FindingLog
from adjudge.judges.browser.urls import read_url, searchable
from adjudge.judges.browser.view import View
from adjudge.judges.quoting import neutral

_THIS = re.compile(
    r"\b(?:this|the current|my current|the active|my active)\s+"
    r"(?:(?:web|news|product|open|browser)\s?)?(?:page|tab|article|site|website|webpage)\b"
    r"|\bthe (?:page|tab) (?:i(?:'m| am) (?:on|looking at|viewing|reading)|in front of me)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:other|others|another|all|both|each|every|compare|versus|vs|tabs|pages|articles|sites"
    r"|previous|last|earlier|before|instead|not this|open|find|link|links|linked)\b|https?:",
    re.IGNORECASE,
)
_FLAGS = ("active", "isActive", "is_active", "current", "isCurrent", "selected", "focused")
_LISTS = ("tabs", "open_tabs", "openTabs", "result", "results")


@dataclass(frozen=True, slots=True)
class TabList:
    """Open tabs as the assistant had seen them: the active one's address, and the others'."""

    active: str
    others: frozenset[str]


def find(view: View, log: FindingLog) -> None:
    """``wrong_tab``."""
    asked = view.last_user.text if view.last_user else None
    if not asked or not _THIS.search(asked) or _OTHERS.search(asked):
        return
    reads = [call for call in view.judged_calls if call.role == "read_page"]
    if not reads:
        return
    tabs = _known_tabs(view, reads[0].message)
    if tabs is None:
        return
    read = [c for c in view.calls if c.role == "read_page"]
    if any(url.whole == tabs.active for call in read for _, url in call.urls):
        return
    active = (tabs.active, tabs.active.partition("?")[0])
    if any(searchable(url.whole) in map(searchable, active) for c in reads for _, url in c.urls):
        return
    for call in reads:
        for _, url in call.urls:
            if url.whole in tabs.others:
                shown = tabs.active if len(tabs.active) <= 120 else tabs.active[:120] + "…"
                text = (
                    "the user asked about the page in front of them, and another open tab was"
                    f" read; the active one is {neutral(repr(shown))}"
                )
                log.add("wrong_tab", "warning", call.at, text)
                return


def _known_tabs(view: View, message: int) -> TabList | None:
    """The latest list of tabs that the assistant had, if it says which one is active."""
    for result in reversed(view.results):
        if result.message < message and result.call and result.call.role == "tabs":
            return None if result.failed or result.cut else _read(result.text)
    case = view.case
    if case.context_given and case.tabs:
        return _made([(tab.url, bool(tab.active)) for tab in case.tabs])
    return None


def _read(text: str) -> TabList | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        value = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if not isinstance(value, list) or not all(isinstance(tab, dict) for tab in value):
        return None
    tabs = []
    for tab in value:
        if not isinstance(tab.get("url"), str):
            return None
        tabs.append((tab["url"], any(tab.get(flag) is True for flag in _FLAGS)))
    return _made(tabs)


def _made(tabs: list[tuple[str, bool]]) -> TabList | None:
    read = [(read_url(url), active) for url, active in tabs]
    active = [url.whole for url, is_active in read if url is not None and is_active]
    if len(active) != 1:
        return None
    others = frozenset(url.whole for url, is_active in read if url is not None and not is_active)
    return TabList(active[0], others - {active[0]})
