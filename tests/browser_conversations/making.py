"""How rows are written: messages in brief, and the pages, tabs and results they share."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]

NIKE = "https://www.nike.com/t/kd17-basketball-shoes"
ADIDAS = "https://www.adidas.com/us/harden-vol-8-shoes"
REVIEW = "https://weartesters.com/nike-kd-17-performance-review/"
TABS = json.dumps(
    [
        {"url": NIKE, "title": "Nike KD17 Basketball Shoes", "active": True},
        {"url": ADIDAS, "title": "Adidas Harden Vol. 8 Shoes", "active": False},
        {"url": REVIEW, "title": "Nike KD 17 Performance Review", "active": False},
    ]
)
PAGE = "Nike KD17. Price $150. Narrow fit, full-length cushioning, herringbone traction."
PREFERENCES = json.dumps({"location": "Phoenix, AZ", "interests": ["basketball", "sneakers"]})
HISTORY = json.dumps(
    [{"url": REVIEW, "title": "Nike KD 17 Performance Review", "visited": "2025-09-01"}]
)
ERROR = "Error: the page could not be fetched (status 503)"


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def say(text: str, *made: tuple[str, str, Any]) -> Message:
    """The assistant's words, and calls as (id, tool, arguments)."""
    message: Message = {"role": "assistant", "content": text or None}
    if made:
        message["tool_calls"] = [
            {
                "id": call_id,
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for call_id, name, given in made
        ]
    return message


def call(call_id: str, name: str, given: Any = None) -> Message:
    return say("", (call_id, name, given if given is not None else {}))


def result(call_id: str, text: str) -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def tabs(call_id: str = "t1") -> list[Message]:
    return [call(call_id, "get_tabs"), result(call_id, TABS)]


def page(call_id: str = "p1", url: str = NIKE, text: str = PAGE) -> list[Message]:
    return [call(call_id, "get_page_contents", {"url": url}), result(call_id, text)]


@dataclass(frozen=True)
class Talk:
    """One row: ``left`` are the values that the bounds leave of a dimension."""

    name: str
    messages: list[Message]
    found: list[tuple[str, int]] = field(default_factory=list)
    left: dict[str, list[int | None]] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def record(self) -> dict[str, Any]:
        """The case in the plain form."""
        return {"id": self.name, "conversation": self.messages, **self.fields}


CLOSED = {"tools": "assistant"}
Left = dict[str, list[int | None]]

TOOLS_3: Left = {"tool_call_accuracy": [1, 2, 3]}
TOOLS_2: Left = {"tool_call_accuracy": [1, 2]}
NO_WORDS: Left = {"response_conciseness": [None]}
ASK = user("Which of these shoes suits narrow feet?")
DONE = say("The KD17: it has a narrow fit and full-length cushioning.")
SORRY = say("Sorry, I could not look that up.")
LONG = (
    "The KD17 has a narrow fit, full-length cushioning and a herringbone outsole that grips well."
)
