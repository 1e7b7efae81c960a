"""Cases of three judges that a model is asked about, and answers to anything it may be asked."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from typing import Any

from adjudge.testing import Received
from adjudge.testing.wire import schema_of
from running import ROOT
from scripted import unsettled


def anything(received: Received) -> Any:
    """An answer that depends on the whole request and on nothing else: mostly one that fits, some
    refusals, some nonsense that a repair turn puts right and some that it does not."""
    messages = received.body["messages"]
    draw = random.Random(hashlib.sha256(json.dumps(messages).encode()).digest())
    again = any(message["role"] == "assistant" for message in messages)
    if draw.random() < (0.2 if again else 0.4):
        return draw.choice(["It did rather well.", "I cannot judge that.", '{"score": "high"}'])
    schema = schema_of(received.body)
    assert schema is not None
    if "facts" in schema["properties"]:
        return _goal("book" if again else draw.choice(["book", "libro"]))
    return _filled(schema, draw, _turns(received.prompt))


def _turns(prompt: str) -> list[int]:
    """The turns that a social question asks about, as its last line but one says."""
    listed = re.findall(r"[:s] (\d+(?:, \d+)*)(?: \(|\.)", prompt)
    return [int(turn) for turn in listed[-1].split(", ")] if listed else []


def _filled(schema: dict[str, Any], draw: random.Random, turns: list[int]) -> Any:
    if "enum" in schema:
        return draw.choice(schema["enum"])
    if "anyOf" in schema:
        return _filled(schema["anyOf"][draw.random() < 0.05], draw, turns)
    if schema.get("type") == "object":
        made = {name: _filled(part, draw, turns) for name, part in schema["properties"].items()}
        if "turn" in made:
            made["turn"] = draw.choice(turns or [0])
        return made
    if schema.get("type") == "array":
        if "turn" not in schema["items"].get("properties", {}):
            return []
        some = [turn for turn in turns if draw.random() < 0.8]  # the others are asked for again
        return [{**_filled(schema["items"], draw, turns), "turn": turn} for turn in some]
    least = {"integer": draw.randint(0, 3), "number": 1.5, "boolean": draw.random() < 0.5}
    if schema.get("type") == "null":
        return None
    return least.get(str(schema.get("type")), f"Words {draw.randint(0, 99)}.")


def _goal(subject: str) -> dict[str, Any]:
    fact = {"relation": "on", "subject": subject, "target": "table", "which": "this"}
    facts = [{**fact, "how_many": 1, "when": "at_end"}]
    return {"reasoning": "So it says.", "facts": facts, "in_order": False, "implied_steps": []}


def _scenes() -> list[dict[str, Any]]:
    scene = {
        "rooms": ["den"],
        "objects": [
            {"id": "shelf", "room": "den"},
            {"id": "table", "room": "den"},
            {"id": "book", "on": "shelf"},
        ],
        "robot": {"room": "den"},
    }
    plans = [
        ["navigate(shelf)", "pick(book)", "navigate(table)", "place_on(book, table)"],
        ["navigate(shelf)", "pick(book)"],
        ["navigate(table)"],
    ]
    return [
        {"id": f"{n}-{p}", "instruction": f"Do the usual {n} times.", "scene": scene, "plan": plan}
        for n in range(4)
        for p, plan in enumerate(plans)
    ]


def _browser() -> list[Any]:
    text = (ROOT / "examples" / "browser" / "shoes.jsonl").read_text()
    return [
        {**json.loads(line.replace("shoes suit", f"{n} shoes suit")), "id": f"{n}-{nth}"}
        for n in range(5)
        for nth, line in enumerate(text.splitlines())
    ]


def _social() -> list[Any]:
    lines = (ROOT / "examples" / "social" / "dialogues.jsonl").read_text().splitlines()
    return [
        {**one, "id": f"{one['id']}-{n}", "scenario": f"{one['scenario']} It is {n} o'clock."}
        for n in range(2)
        for one in map(json.loads, lines)
    ]


CASES: dict[str, Callable[[], list[Any]]] = {
    "robot": lambda: [unsettled(n) for n in range(10)] + ["{broken", unsettled(3)],
    "scenes": _scenes,
    "browser": _browser,
    "social": _social,
}
