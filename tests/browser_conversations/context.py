"""Addresses and tabs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from browser_conversations.making import (
    ADIDAS,
    ASK,
    DONE,
    HISTORY,
    NIKE,
    NO_WORDS,
    PAGE,
    REVIEW,
    TABS,
    TOOLS_3,
    Talk,
    call,
    page,
    result,
    say,
    tabs,
    user,
)


def _urls() -> Iterator[Talk]:
    made_up = "https://www.footlocker.com/product/zoomx-9917/55088041.html"
    yield Talk(
        "invented_url out of nowhere",
        [ASK, *tabs(), *page("p", made_up), DONE],
        [("invented_url", 3)],
        {**TOOLS_3},
    )
    yield Talk(
        "invented_url predicted",
        [ASK, call("p", "get_page_contents", {"url": made_up})],
        [("invented_url", 1)],
        {**TOOLS_3, **NO_WORDS},
    )
    yield Talk("invented_url no: an open tab", [ASK, *tabs(), *page("p", REVIEW), DONE])
    yield Talk(
        "invented_url no: the user gave it",
        [user(f"Read {made_up} and tell me the price"), *page("p", made_up), DONE],
    )
    yield Talk(
        "invented_url no: it stands in the history",
        [
            ASK,
            call("h", "search_history", {"search_term": "KD17"}),
            result("h", HISTORY),
            *page("p", REVIEW),
            DONE,
        ],
    )
    yield Talk(
        "invented_url near: a link on a page that was read",
        [
            ASK,
            *tabs(),
            *page("p", NIKE, PAGE + " [Size guide](/size-fit/mens-footwear)"),
            *page("q", "https://www.nike.com/size-fit/mens-footwear", "Sizes 6 to 15"),
            DONE,
        ],
    )
    yield Talk(
        "invented_url near: something that was seen is not in the trace",
        [
            ASK,
            call("t", "get_tabs"),
            result("t", TABS[:90] + "… [truncated]"),
            *page("p", made_up),
            DONE,
        ],
        [("truncated", 2)],
    )
    yield Talk(
        "invented_url near: a site's front page",
        [
            user("Open the New York Times for me"),
            *page("p", "https://www.nytimes.com/", "News"),
            say("Here are today's headlines."),
        ],
    )
    yield Talk(
        "invented_url near: made of the user's own words",
        [
            user("What does Wikipedia say about Alan Turing?"),
            *page("p", "https://en.wikipedia.org/wiki/Alan_Turing", "Alan Turing was …"),
            say("He was a mathematician."),
        ],
        [("truncated", 2)],
    )
    yield Talk(
        "invented_url near: seen without its query",
        [ASK, *tabs(), *page("p", NIKE + "?utm_source=chat"), DONE],
    )


def _wrong_tab() -> Iterator[Talk]:
    asked = user("Summarise this page for me")
    yield Talk(
        "wrong_tab: another open tab was read",
        [asked, *tabs(), *page("p", ADIDAS, "Harden Vol. 8"), say("It is the Harden Vol. 8.")],
        [("wrong_tab", 3)],
        {"browser_context_awareness": [1, 2, 3]},
    )
    yield Talk("wrong_tab no: the active one", [asked, *tabs(), *page("p"), DONE])
    yield Talk(
        "wrong_tab near: the user asked for another",
        [
            user("Summarise this page and the other one"),
            *tabs(),
            *page("p", ADIDAS, "Harden"),
            say("It is the Harden Vol. 8."),
        ],
    )
    yield Talk(
        "wrong_tab near: which tab is active is not known",
        [
            asked,
            call("t", "get_tabs"),
            result("t", json.dumps([{"url": NIKE, "title": "a"}, {"url": ADIDAS, "title": "b"}])),
            *page("p", ADIDAS, "Harden Vol. 8"),
            say("It is the Harden Vol. 8."),
        ],
    )
    yield Talk(
        "wrong_tab near: the active one was read as well",
        [asked, *tabs(), *page("p"), *page("q", ADIDAS, "Harden Vol. 8"), DONE],
    )
    yield Talk(
        "wrong_tab: the tabs came with the request",
        [asked, *page("p", ADIDAS, "Harden Vol. 8"), say("It is the Harden Vol. 8.")],
        [("wrong_tab", 1)],
        {"browser_context_awareness": [1, 2, 3]},
        {},
        {
            "tabs": [{"url": NIKE, "active": True}, {"url": ADIDAS, "active": False}],
            "context_given": True,
        },
    )


def talks() -> Iterator[Talk]:
    """The rows of this file."""
    yield from _urls()
    yield from _wrong_tab()
