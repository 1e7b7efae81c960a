"""What the answer says, and how."""

from __future__ import annotations

from collections.abc import Iterator

from browser_conversations.making import (
    ASK,
    DONE,
    LONG,
    NO_WORDS,
    PREFERENCES,
    Talk,
    call,
    result,
    say,
    tabs,
    user,
)


def _claims() -> Iterator[Talk]:
    yield Talk(
        "unretrieved_preference claimed",
        [ASK, *tabs(), say("Based on your saved preferences, the KD17 suits you.")],
        [("unretrieved_preference", 3)],
        {"preference_adherence": [1, 2, 3]},
    )
    yield Talk(
        "unretrieved_preference no: they were retrieved",
        [
            ASK,
            call("g", "get_preferences"),
            result("g", PREFERENCES),
            say("Based on your saved preferences, the KD17 suits you."),
        ],
    )
    yield Talk(
        "unretrieved_preference near: an offer, no claim",
        [ASK, *tabs(), say("If you like, I can choose based on your saved preferences.")],
    )
    yield Talk(
        "unretrieved_preference near: the user had told them",
        [
            user("I prefer Nike and my preferences are narrow shoes. Which one?"),
            *tabs(),
            say("Based on your saved preferences, the KD17 suits you."),
        ],
    )
    yield Talk(
        "unneeded_preferences for a fact",
        [
            user("What is the capital of France?"),
            call("g", "get_preferences"),
            result("g", PREFERENCES),
            say("Paris."),
        ],
        [("unneeded_preferences", 1)],
        {"preference_adherence": [1, 2, 3]},
    )
    yield Talk(
        "unneeded_preferences no: left alone",
        [user("What is the capital of France?"), say("Paris.")],
    )
    yield Talk(
        "unneeded_preferences near: taste may bear on it",
        [
            user("Which restaurant in the capital of France should I try?"),
            call("g", "get_preferences"),
            result("g", PREFERENCES),
            say("Le Comptoir."),
        ],
    )
    yield Talk(
        "false_tool_claim: tabs that were never listed",
        [ASK, say("I checked your open tabs: the KD17 is the narrow one.")],
        [("false_tool_claim", 1)],
        {"browser_context_awareness": [1, 2, 3]},
    )
    yield Talk(
        "false_tool_claim: history that was never searched",
        [ASK, *tabs(), say("I searched your browsing history and found the KD17.")],
        [("false_tool_claim", 3)],
        {"browser_context_awareness": [1, 2, 3]},
    )
    yield Talk(
        "false_tool_claim no: they were listed",
        [ASK, *tabs(), say("I checked your open tabs: the KD17 is the narrow one.")],
    )
    yield Talk(
        "false_tool_claim near: listed in an earlier turn",
        [ASK, *tabs(), DONE, user("Sure?"), say("Yes. I checked your open tabs before.")],
    )
    yield Talk(
        "false_tool_claim near: a denial",
        [ASK, say("I have not checked your open tabs. Shall I?")],
    )
    yield Talk(
        "false_tool_claim near: another tool may have done it",
        [
            ASK,
            call("x", "browser_snapshot"),
            result("x", "three pages"),
            say("I checked your open tabs: the KD17 is the narrow one."),
        ],
    )


def _wording() -> Iterator[Talk]:
    yield Talk(
        "repetition of the whole answer",
        [ASK, say(f"{LONG}\n{LONG}\n{LONG}")],
        [("repetition", 1)],
        {"response_conciseness": [1, 2, 3]},
    )
    yield Talk(
        "repetition of a little is told, and bounds nothing",
        [
            ASK,
            say(
                f"{LONG} {'It comes in many sizes, and returns are free of charge. ' * 1}"
                + "Compare it with the Harden, whose last is wider and whose sole is firmer. "
                + "Reviewers liked its grip on dusty courts and its weight. The price is $150. "
                + "Most shops have it in stock in sizes from six to fifteen, in eight colours. "
                + "If your knees are sore, more cushioning helps, as the maker says itself. "
                + LONG
            ),
        ],
        [("repetition", 1)],
    )
    yield Talk("repetition no", [ASK, say(LONG)])
    yield Talk(
        "repetition near: the user asked for it",
        [user("Write me a chorus about shoes and repeat it"), say(f"{LONG}\n{LONG}\n{LONG}")],
    )
    yield Talk(
        "repetition near: code may repeat itself",
        [ASK, say(f"```\n{LONG}\n{LONG}\n```")],
    )
    yield Talk(
        "empty_response",
        [ASK, *tabs(), {"role": "assistant", "content": ""}],
        [],
        {**NO_WORDS},
    )
    yield Talk(
        "empty_response: neither word nor call",
        [ASK, {"role": "assistant", "content": "  "}],
        [("empty_response", 1)],
        {**NO_WORDS, "assistant_usefulness": [1]},
    )
    yield Talk(
        "empty_response near: thoughts are no words, a call is something",
        [ASK, {**call("t", "get_tabs"), "content": "<think>Let me look.</think>"}],
        [],
        {**NO_WORDS},
    )


def talks() -> Iterator[Talk]:
    """The rows of this file."""
    yield from _claims()
    yield from _wording()
