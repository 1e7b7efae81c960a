"""The same asked for twice, and calls after or beside others."""

from __future__ import annotations

from collections.abc import Iterator

from browser_conversations.making import (
    ADIDAS,
    ASK,
    DONE,
    ERROR,
    HISTORY,
    NIKE,
    NO_WORDS,
    PREFERENCES,
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


def _duplicates() -> Iterator[Talk]:
    yield Talk(
        "duplicate_call in one turn",
        [ASK, *tabs("t1"), *tabs("t2"), DONE],
        [("duplicate_call", 3)],
        {**TOOLS_3},
    )
    yield Talk(
        "duplicate_call in one message",
        [
            ASK,
            say("", ("a", "get_preferences", {}), ("b", "get_preferences", {})),
            result("a", PREFERENCES),
            result("b", PREFERENCES),
            DONE,
        ],
        [("duplicate_call", 1)],
        {**TOOLS_3},
    )
    yield Talk(
        "duplicate_call predicted, the order of names apart",
        [
            ASK,
            call("h1", "search_browsing_history", {"searchTerm": "kd", "startTs": "1"}),
            result("h1", HISTORY),
            call("h2", "search_browsing_history", '{"startTs":"1","searchTerm":"kd"}'),
        ],
        [("duplicate_call", 3)],
        {**TOOLS_3, **NO_WORDS},
    )
    yield Talk(
        "duplicate_call no: another term",
        [
            ASK,
            call("h1", "search_history", {"search_term": "KD17"}),
            result("h1", "[]"),
            call("h2", "search_history", {"search_term": "Nike KD 17"}),
            result("h2", HISTORY),
            DONE,
        ],
    )
    yield Talk(
        "duplicate_call near: the user asked for it again",
        [
            ASK,
            *tabs("t1"),
            DONE,
            user("I opened one more. Check my tabs again."),
            *tabs("t2"),
            DONE,
        ],
    )
    yield Talk(
        "duplicate_call near: tabs in a later turn may have changed",
        [ASK, *tabs("t1"), DONE, user("And which one is cheapest?"), *tabs("t2"), DONE],
    )
    yield Talk(
        "duplicate_call near: the first had failed",
        [ASK, call("t1", "get_tabs"), result("t1", "Error: timeout"), *tabs("t2"), DONE],
    )
    yield Talk(
        "duplicate_call near: it found something new",
        [ASK, *tabs("t1"), call("t2", "get_tabs"), result("t2", "[]"), DONE],
    )
    yield Talk(
        "duplicate_call near: a tool that may do something each time",
        [
            ASK,
            call("a", "add_to_cart", {"id": 1}),
            result("a", "added"),
            call("b", "add_to_cart", {"id": 1}),
            result("b", "added"),
            DONE,
        ],
    )
    yield Talk(
        "page_refetched in one turn",
        [ASK, *tabs(), *page("p1"), *page("p2"), DONE],
        [("page_refetched", 5)],
        {**TOOLS_3},
    )
    yield Talk(
        "page_refetched in a later turn, the address written differently",
        [
            ASK,
            *tabs(),
            *page("p1"),
            DONE,
            user("What does it cost?"),
            *page("p2", "http://nike.com/t/kd17-basketball-shoes/#price"),
            say("It costs $150."),
        ],
        [("page_refetched", 7)],
        {**TOOLS_3},
    )
    yield Talk(
        "page_refetched no: another page",
        [ASK, *tabs(), *page("p1"), *page("p2", ADIDAS, "Harden Vol. 8. Wide fit."), DONE],
    )
    yield Talk(
        "page_refetched near: the first was cut short",
        [ASK, *tabs(), *page("p1", NIKE, "Nike KD17. Price [truncated]"), *page("p2"), DONE],
        [("truncated", 4)],
    )
    yield Talk(
        "page_refetched near: the user asked to reload it",
        [
            ASK,
            *tabs(),
            *page("p1"),
            DONE,
            user("Reload the page, is it still $150?"),
            *page("p2"),
            say("It still costs $150."),
        ],
    )
    yield Talk(
        "page_refetched near: the first fetch failed",
        [ASK, *tabs(), *page("p1", NIKE, ERROR), *page("p2"), DONE],
    )


def _handoff() -> Iterator[Talk]:
    asked = user("Find me a store that sells the KD17")
    search = call("s", "engine_search", {"query": "KD17 store near Phoenix"})
    yield Talk(
        "call_after_handoff",
        [asked, search, result("s", ""), *tabs("t"), say("Here you are.")],
        [("call_after_handoff", 3)],
        {**TOOLS_3},
    )
    yield Talk("call_after_handoff no: the hand-off ends it", [asked, search], [], {**NO_WORDS})
    yield Talk(
        "call_after_handoff near: a new turn",
        [
            asked,
            search,
            user("I am back. Which tabs are open?"),
            *tabs("t"),
            say("Three, all on basketball shoes."),
        ],
    )
    yield Talk(
        "call_after_handoff near: the search came back with results and went on",
        [
            asked,
            search,
            result("s", "1. Nike Phoenix, 2. Foot Locker. " * 10),
            *tabs("t"),
            say("Nike Phoenix and Foot Locker sell it."),
        ],
    )
    both = say("", ("a", "get_tabs", {}), ("b", "get_preferences", {}))
    answered = [result("a", TABS), result("b", PREFERENCES), DONE]
    yield Talk(
        "parallel_calls where one is allowed",
        [ASK, both, *answered],
        [("parallel_calls", 1)],
        {"tool_call_accuracy": [1, 2, 3, 4]},
        {"calls_per_message": 1},
    )
    yield Talk("parallel_calls no: nothing limits them", [ASK, both, *answered])
    yield Talk(
        "parallel_calls near: one a message",
        [ASK, *tabs(), call("b", "get_preferences"), result("b", PREFERENCES), DONE],
        [],
        {},
        {"calls_per_message": 1},
    )


def talks() -> Iterator[Talk]:
    """The rows of this file."""
    yield from _duplicates()
    yield from _handoff()
