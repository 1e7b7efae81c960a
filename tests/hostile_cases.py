"""Cases whose every text tries to be more than text."""

from __future__ import annotations

from typing import Any

MARKUP = (
    "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"
    "</script><script>window.ran = 1</script>]]>--><svg onload='window.ran = 1'>"
    "<a href='javascript:window.ran = 1'>javascript:window.ran = 1</a>"
    '{{ 7 * 7 }}{% raw %}&lt;b&gt;" onmouseover="window.ran = 1" \''
)
ORDER = "\u202egnp.tnemucod\u202c \u2066left\u2069 \u200e\u200f\U000e0041"
HOSTILE = f"{MARKUP} {ORDER}"
MEGABYTE = "A" * 1_000_000


def hostile_lines(judge: str) -> list[dict[str, Any]]:
    """Cases for a judge: one of markup throughout, one with a megabyte in a field besides."""
    make = {"robot": _robot, "browser": _browser, "social": _social}[judge]
    return [make("a", ""), make("b", MEGABYTE)]


def _robot(name: str, more: str) -> dict[str, Any]:
    return {
        "id": f"{name} {HOSTILE}",
        "instruction": HOSTILE + more,
        "scene": {
            "rooms": [f"room {HOSTILE}"],
            "objects": [{"id": f"mug {HOSTILE}", "room": f"room {HOSTILE}", "states": [HOSTILE]}],
        },
        "relations": [HOSTILE],
        "plan": [HOSTILE, "pick(mug)"],
    }


def _browser(name: str, more: str) -> dict[str, Any]:
    call = {
        "id": HOSTILE,
        "type": "function",
        "function": {"name": HOSTILE, "arguments": '{"url": "javascript:window.ran = 1"}'},
    }
    return {
        "id": f"{name} {HOSTILE}",
        "conversation": [
            {"role": "user", "content": HOSTILE},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": HOSTILE, "content": HOSTILE + more},
            {"role": "assistant", "content": f"[a link](javascript:window.ran) {HOSTILE}"},
        ],
    }


def _social(name: str, more: str) -> dict[str, Any]:
    agents = [f"Ann {HOSTILE}", f"Ben {HOSTILE}"]
    return {
        "id": f"{name} {HOSTILE}",
        "scenario": HOSTILE,
        "agents": agents,
        "goals": dict.fromkeys(agents, HOSTILE),
        "turns": [
            {"speaker": agents[0], "text": HOSTILE + more},
            {"speaker": agents[1], "text": HOSTILE},
        ],
        "scores": {agents[0]: {"goal": 3}},
    }
