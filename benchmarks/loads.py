"""What the judges are given where asking is measured: one case each, told apart by a number.

Each case needs a model's answer: its bounds leave several scores.
"""

from __future__ import annotations

import json
from typing import Any

import adjudge
from adjudge.models import ModelRequest, ModelResponse
from answering import ANSWERS

JUDGES = ("robot", "browser", "social")
MARK = "@@@"
_PLAN = ["navigate(shelf)", "pick(book_1)", "place_on(book_1, table)", "navigate(sofa)"]
_URL = "https://shop.example/returns"
_SAID = (
    "I could let you have the table for eighty, since we have known each other for so long.",
    "Eighty is more than I have with me; would you take seventy, and I carry it down myself?",
)


def case(judge: str, number: object) -> dict[str, Any]:
    """One case; the same for the same number."""
    return {"robot": _robot, "browser": _browser, "social": _social}[judge](number)


def _robot(number: object) -> dict[str, Any]:
    instruction = f"Do the usual with shelf number {number}."
    return {"id": f"case-{number}", "instruction": instruction, "plan": _PLAN}


def _browser(number: object) -> dict[str, Any]:
    def called(name: str, call: str, arguments: str) -> dict[str, Any]:
        made = {"id": call, "type": "function"}
        function = {"name": name, "arguments": arguments}
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [{**made, "function": function}],
        }

    page = f"Order {number}. Returns are free for 30 days after delivery. " * 10
    return {
        "id": f"case-{number}",
        "messages": [
            {"role": "user", "content": f"What does my open tab say about order {number}?"},
            called("get_tabs", "c1", "{}"),
            {"role": "tool", "tool_call_id": "c1", "content": f'[{{"url": "{_URL}"}}]'},
            called("get_page_contents", "c2", f'{{"url": "{_URL}"}}'),
            {"role": "tool", "tool_call_id": "c2", "content": page},
            {"role": "assistant", "content": "Returns are free for 30 days after delivery."},
        ],
    }


def _social(number: object) -> dict[str, Any]:
    names = ["Ann", "Bob"]
    return {
        "id": f"case-{number}",
        "agent": "Ann",
        "agents": names,
        "goals": {"Ann": f"Sell table {number} for eighty or more."},
        "scores": {"Ann": {"goal": 8}},
        "turns": [{"speaker": names[turn % 2], "text": _SAID[turn % 2]} for turn in range(14)],
    }


def question(judge: str) -> list[dict[str, str]]:
    """The messages that the judge asks with about a case whose number is ``MARK``."""
    asked: list[list[dict[str, str]]] = []

    class Model:
        async def send(self, request: ModelRequest) -> ModelResponse:
            asked.append([{"role": m.role, "content": m.content} for m in request.messages])
            return ModelResponse(json.dumps(ANSWERS[judge]))

    verdict = adjudge.judge(judge, [case(judge, MARK)], model=Model())[0]
    assert verdict.status == "scored", verdict.reason
    assert len(asked) == 1, f"{judge}: {len(asked)} questions"
    return asked[0]
