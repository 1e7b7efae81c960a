"""Results: orphans, errors, cuts."""

from __future__ import annotations

from collections.abc import Iterator

from browser_conversations.making import (
    ASK,
    DONE,
    ERROR,
    NIKE,
    NO_WORDS,
    PAGE,
    PREFERENCES,
    TABS,
    Talk,
    call,
    page,
    result,
    say,
    tabs,
    user,
)


def _results() -> Iterator[Talk]:
    yield Talk(
        "orphan_result: it names no call",
        [ASK, *tabs(), result("zz", "[]"), DONE],
        [("orphan_result", 3)],
    )
    yield Talk(
        "orphan_result: a call answered twice",
        [ASK, *tabs(), result("t1", TABS), DONE],
        [("orphan_result", 3)],
    )
    yield Talk(
        "orphan_result near: answers in another order",
        [
            ASK,
            say("", ("a", "get_tabs", {}), ("b", "get_preferences", {})),
            result("b", PREFERENCES),
            result("a", TABS),
            DONE,
        ],
    )
    yield Talk(
        "missing_result: the assistant went on without it",
        [ASK, call("t", "get_tabs"), DONE],
        [("missing_result", 1)],
    )
    yield Talk(
        "missing_result near: a predicted call", [ASK, call("t", "get_tabs")], [], {**NO_WORDS}
    )
    yield Talk(
        "missing_result near: a hand-off, then a new turn",
        [
            ASK,
            call("s", "engine_search", {"query": "narrow shoes"}),
            user("Thanks"),
            say("You are welcome."),
        ],
    )
    yield Talk(
        "tool_error_ignored",
        [
            ASK,
            *tabs(),
            *page("p", NIKE, ERROR),
            say("The KD17 is the best of the three for you and has a narrow fit."),
        ],
        [("tool_error_ignored", 4)],
    )
    yield Talk(
        "tool_error_ignored no: the answer owns up to it",
        [
            ASK,
            *tabs(),
            *page("p", NIKE, ERROR),
            say("I was unable to open the page. From its title it is the KD17."),
        ],
    )
    yield Talk(
        "tool_error_ignored near: tried again with success",
        [
            ASK,
            *tabs(),
            *page("p", NIKE, ERROR),
            *page("q"),
            say("The KD17 is the best of the three for you and has a narrow fit."),
        ],
    )
    yield Talk(
        "tool_error_ignored near: a page about errors is none",
        [
            ASK,
            *tabs(),
            *page("p", NIKE, "Error handling in shoes: a guide to returns."),
            say("The KD17 is the best of the three for you and has a narrow fit."),
        ],
    )
    yield Talk(
        "tool_error_ignored near: not in English, so the words say nothing",
        [
            user("Welcher Schuh passt?"),
            *tabs(),
            *page("p", NIKE, ERROR),
            say("Der KD17 passt am besten zu schmalen Füßen, er sitzt eng."),
        ],
    )
    yield Talk(
        "truncated: a mark in the text",
        [ASK, *tabs(), *page("p", NIKE, PAGE + " [truncated, 9000 more characters]"), DONE],
        [("truncated", 4)],
    )
    yield Talk(
        "truncated near: a page that speaks of truncated things",
        [ASK, *tabs(), *page("p", NIKE, "A truncated cone is a frustum. " + PAGE), DONE],
    )


def talks() -> Iterator[Talk]:
    """The rows of this file."""
    yield from _results()
