"""Which tools: names, arguments, schemas."""

from __future__ import annotations

from collections.abc import Iterator

from browser_conversations.making import (
    ASK,
    CLOSED,
    DONE,
    ERROR,
    HISTORY,
    NIKE,
    NO_WORDS,
    PREFERENCES,
    SORRY,
    TABS,
    TOOLS_2,
    TOOLS_3,
    Talk,
    call,
    result,
    say,
    tabs,
    user,
)


def _unknown_tool() -> Iterator[Talk]:
    yield Talk(
        "unknown_tool in the response",
        [ASK, call("x", "open_tab", {"url": NIKE}), result("x", "Error: no such tool"), SORRY],
        [("unknown_tool", 1)],
        {**TOOLS_2},
        CLOSED,
    )
    yield Talk(
        "unknown_tool predicted, nothing answered yet",
        [ASK, call("x", "summarize_page", {})],
        [("unknown_tool", 1)],
        {**TOOLS_2, **NO_WORDS},
        CLOSED,
    )
    yield Talk(
        "unknown_tool in an earlier turn bounds nothing",
        [
            ASK,
            call("x", "open_tab"),
            result("x", "Error: no such tool"),
            SORRY,
            user("Thanks!"),
            say("You are welcome."),
        ],
        [("unknown_tool", 1)],
        {},
        CLOSED,
    )
    yield Talk("unknown_tool no: a tool of the five", [ASK, *tabs(), DONE], [], {}, CLOSED)
    yield Talk(
        "unknown_tool near: without a catalogue no tool is unknown",
        [ASK, call("x", "open_tab", {"url": NIKE}), result("x", "opened"), DONE],
    )
    yield Talk(
        "unknown_tool near: it answered, so it is there",
        [ASK, call("x", "open_tab", {"url": NIKE}), result("x", "opened"), DONE],
        [],
        {},
        CLOSED,
    )
    yield Talk(
        "unknown_tool: not among those that the trace offers",
        [ASK, call("t", "get_tabs"), result("t", "Error: unknown tool"), SORRY],
        [("unknown_tool", 1)],
        {**TOOLS_2},
        {},
        {"tools": [{"type": "function", "function": {"name": "list_tabs"}}]},
    )


def _tool_alias() -> Iterator[Talk]:
    asked = user("Search the web for reviews of the KD17")
    yield Talk(
        "tool_alias: search_engine is engine_search",
        [asked, call("s", "search_engine", {"query": "KD17 review"})],
        [("tool_alias", 1)],
        {**NO_WORDS},
        CLOSED,
    )
    yield Talk(
        "tool_alias no: the name itself",
        [asked, call("s", "engine_search", {"query": "KD17 review"})],
        [],
        {**NO_WORDS},
        CLOSED,
    )
    yield Talk(
        "tool_alias near: the trace offers it under this name",
        [asked, call("s", "search_engine", {"query": "KD17 review"})],
        [],
        {**NO_WORDS},
        {},
        {"tools": [{"name": "search_engine", "parameters": {"type": "object"}}]},
    )


def _arguments() -> Iterator[Talk]:
    yield Talk(
        "malformed_arguments: cut off",
        [ASK, call("p", "get_page_contents", '{"url": "https://www.ni'), result("p", ERROR), SORRY],
        [("malformed_arguments", 1)],
        {**TOOLS_3},
    )
    yield Talk(
        "malformed_arguments: a string, no object",
        [ASK, call("p", "get_page_contents", f'"{NIKE}"'), result("p", ERROR), SORRY],
        [("malformed_arguments", 1)],
        {**TOOLS_3},
    )
    yield Talk("malformed_arguments no", [ASK, *tabs(), DONE])
    yield Talk(
        "malformed_arguments near: nothing where nothing is needed",
        [ASK, call("t", "get_tabs", ""), result("t", TABS), DONE],
    )
    yield Talk(
        "schema_violation: a name that is not the tool's",
        [user(f"What does {NIKE} cost?"), call("p", "get_page_contents", {"link": NIKE})],
        [("schema_violation", 1)],
        {**TOOLS_3, **NO_WORDS},
        CLOSED,
    )
    yield Talk(
        "schema_violation: a number for a text",
        [ASK, call("h", "search_history", {"search_term": 17}), result("h", "Error: type"), SORRY],
        [("schema_violation", 1)],
        {**TOOLS_3},
        CLOSED,
    )
    yield Talk(
        "schema_violation no: the optional query left out",
        [ASK, call("g", "get_preferences"), result("g", PREFERENCES), DONE],
        [],
        {},
        CLOSED,
    )
    yield Talk(
        "schema_violation near: an argument too many that did no harm",
        [
            ASK,
            call("h", "search_history", {"search_term": "KD17", "limit": 5}),
            result("h", HISTORY),
            DONE,
        ],
        [],
        {},
        CLOSED,
    )
    yield Talk(
        "schema_violation near: the schema is only assumed, and the call was taken",
        [ASK, call("h", "search_history", {"query": "KD17"}), result("h", HISTORY), DONE],
    )


def talks() -> Iterator[Talk]:
    """The rows of this file."""
    yield from _unknown_tool()
    yield from _tool_alias()
    yield from _arguments()
