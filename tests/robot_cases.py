"""Robot cases for tests: a scene, a quick way to a verdict, and where shared data may be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import adjudge
from adjudge.contract import Verdict
from adjudge.judges.robot.judge import RobotJudge

SHARED = Path(__file__).parents[2] / "shared"

HOME: dict[str, Any] = {
    "rooms": ["kitchen", "living_room", "bedroom"],
    "doors": [["kitchen", "living_room"], ["living_room", "bedroom"]],
    "objects": [
        {"id": "counter", "room": "kitchen"},
        {"id": "fridge", "room": "kitchen", "states": ["closed"]},
        {"id": "microwave", "on": "counter", "states": ["closed", "off"]},
        {"id": "sink", "room": "kitchen"},
        {"id": "faucet", "at": "sink", "states": ["off"]},
        {"id": "table", "room": "living_room"},
        {"id": "sofa", "room": "living_room"},
        {"id": "lamp", "room": "bedroom", "states": ["off"]},
        {"id": "bed", "room": "bedroom"},
        {"id": "drawer", "room": "bedroom", "states": ["closed"]},
        {"id": "book", "in": "drawer"},
        {"id": "milk", "on": "counter"},
        {"id": "juice", "in": "fridge"},
        {"id": "apple_1", "on": "table"},
        {"id": "apple_2", "on": "table"},
        {"id": "cup", "on": "table"},
        {"id": "bowl", "on": "counter"},
        {"id": "knife", "on": "counter"},
    ],
    "robot": {"room": "living_room"},
}


def verdict_on(case: dict[str, Any], **options: Any) -> Verdict:
    """The symbolic verdict on one case."""
    judge = RobotJudge(**options)
    (verdict,) = adjudge.judge(judge, [case], method="symbolic")
    return verdict


def plan_verdict(instruction: str, *plan: str, scene: Any = None, **more: Any) -> Verdict:
    """The symbolic verdict on a plan; ``scene=HOME`` closes the world."""
    options = more.pop("options", {})
    case: dict[str, Any] = {"instruction": instruction, "plan": list(plan), **more}
    if scene is not None:
        case["scene"] = scene
    return verdict_on(case, **options)


def trace_verdict(
    instruction: str,
    executed: list[str],
    *,
    error: str | None = None,
    remaining: tuple[str, ...] = (),
    **more: Any,
) -> Verdict:
    """The symbolic verdict on a supplied trace; it failed if there is an error."""
    trace = {
        "executed": executed,
        "status": "success" if error is None else "failed",
        "error": error,
        "remaining": list(remaining),
    }
    return verdict_on({"instruction": instruction, "trace": trace, **more})


def seed_plan(text: str) -> list[str]:
    """A plan as it is written in one line: ``open_fridge -> pick_apple -> …``."""
    return [step.strip() for step in text.split("->")]


def roles(verdict: Verdict) -> list[str]:
    """The role of each step."""
    return [step["role"] for step in verdict.details["steps"]]


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]
