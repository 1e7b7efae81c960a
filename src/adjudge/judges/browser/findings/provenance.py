"""Where the addresses came from that the assistant asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from adjudge.contract import FindingLog
from adjudge.judges.browser.urls import Url, is_derived, is_home, is_in, is_search, searchable
from adjudge.judges.browser.view import CallView, View
from adjudge.judges.quoting import neutral

Origin = Literal[
    "given",
    "user",
    "tab",
    "history",
    "page",
    "search",
    "preferences",
    "tool",
    "earlier_answer",
    "site",
    "derived",
    "unknown",
    "invented",
]
_ROLES: dict[str, Origin] = {
    "given": "given",
    "user": "user",
    "earlier_answer": "earlier_answer",
    "tabs": "tab",
    "search_history": "history",
    "read_page": "page",
    "web_search": "search",
    "preferences": "preferences",
    "tool": "tool",
}


_MOST_CALLS = 300
"""So many calls are looked at, the last ones: each is sought in all that was seen."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """An address that a call asked for, where it came from, and in which message that stood.

    ``site``: a front page or a site's search, which need no source. ``derived``: made of words or
    a link that were seen. ``unknown``: not seen, but something that was seen is not in the trace.
    """

    call: int
    url: str
    origin: Origin
    message: int | None


def provenances(view: View) -> tuple[Provenance, ...]:
    """For each address in a call that reads a page, where it came from."""
    calls = [call for call in view.calls if call.role == "read_page"]
    if not calls:
        return ()
    return tuple(_Search(view).all(calls[-_MOST_CALLS:]))


def find(view: View, log: FindingLog, found: tuple[Provenance, ...]) -> None:
    """``invented_url``."""
    for one in found:
        if one.origin == "invented":
            shown = one.url if len(one.url) <= 120 else one.url[:120] + "…"
            text = f"nothing that was seen before has this address: {neutral(repr(shown))}"
            log.add("invented_url", "warning", view.calls[one.call - 1].at, text)


class _Search:
    """Looks for addresses in what was seen; a text is made searchable when it first has to be."""

    def __init__(self, view: View) -> None:
        self._view = view
        last = max((call.message for call in view.calls), default=0)
        self._texts = [
            (index, _ROLES.get(origin, "tool"), text)
            for index, origin, text in view.texts_before(last)
        ]
        self._searchable: dict[int, str] = {}
        tabs = view.case.tabs
        self._tabs = searchable("\n".join(tab.url for tab in tabs)) if tabs else ""

    def all(self, calls: list[CallView]) -> Iterator[Provenance]:
        for call in calls:
            for written, url in call.urls:
                origin, message = self._origin(written, url, call)
                yield Provenance(call.number, url.whole, origin, message)

    def _origin(self, written: str, url: Url, call: CallView) -> tuple[Origin, int | None]:
        seen = [i for i, one in enumerate(self._texts) if one[0] < call.message]
        # as it was written first: that is where most addresses stand, and it costs least
        for i in seen:
            message, origin, text = self._texts[i]
            if written in text:
                return origin, message
        for i in seen:
            message, origin, _ = self._texts[i]
            if is_in(url, self._text(i)):
                return origin, message
        if is_in(url, self._tabs):
            return "tab", None
        if is_home(url) or is_search(url):
            return "site", None
        for i in seen:
            if is_derived(url, self._text(i)):
                return "derived", self._texts[i][0]
        if not self._view.whole_before(call.message):
            return "unknown", None
        return "invented", None

    def _text(self, index: int) -> str:
        kept = self._searchable.get(index)
        if kept is None:
            kept = self._searchable[index] = searchable(self._texts[index][2])
        return kept
