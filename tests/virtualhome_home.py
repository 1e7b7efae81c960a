"""A small home as a scene graph, and scripts in few words, for tests."""

from __future__ import annotations

from typing import Any

import adjudge
from adjudge.contract import Verdict
from adjudge.judges.robot.judge import RobotJudge

THINGS: dict[str, tuple[int, str, str]] = {
    "character": (1, "", ""),
    "kitchen": (2, "", ""),
    "bedroom": (3, "", ""),
    "sofa": (10, "SITTABLE LIEABLE SURFACES", ""),
    "chair": (11, "SITTABLE MOVABLE", ""),
    "television": (12, "HAS_SWITCH HAS_PLUG LOOKABLE", "OFF PLUGGED_IN CLEAN"),
    "fridge": (13, "CAN_OPEN CONTAINERS", "CLOSED CLEAN"),
    "milk": (14, "GRABBABLE DRINKABLE POURABLE", "CLEAN"),
    "cup": (15, "GRABBABLE RECIPIENT", "DIRTY"),
    "table": (16, "SURFACES", "CLEAN"),
    "hat": (17, "GRABBABLE CLOTHES", "CLEAN"),
    "knife": (18, "GRABBABLE", "CLEAN"),
    "bread": (19, "GRABBABLE EATABLE CUTTABLE", "CLEAN"),
    "window": (20, "", "CLOSED"),
    "face": (21, "BODY_PART", "DIRTY"),
    "novel": (22, "GRABBABLE READABLE", "CLEAN"),
    "wall": (23, "", "CLEAN"),
    "water": (24, "POURABLE", ""),
}
EDGES = [
    "character INSIDE kitchen",
    "sofa INSIDE bedroom",
    "chair INSIDE kitchen",
    "television INSIDE bedroom",
    "fridge INSIDE kitchen",
    "milk INSIDE fridge",
    "milk INSIDE kitchen",
    "cup INSIDE kitchen",
    "cup ON table",
    "table INSIDE kitchen",
    "hat INSIDE bedroom",
    "knife INSIDE kitchen",
    "knife ON table",
    "bread INSIDE kitchen",
    "bread ON table",
    "window INSIDE kitchen",
    "face INSIDE bedroom",
    "novel INSIDE bedroom",
    "novel ON sofa",
    "wall INSIDE kitchen",
    "water INSIDE kitchen",
    "sofa FACING television",
    "water CLOSE wall",
    "wall CLOSE water",
]


def home(*more: str, without: tuple[str, ...] = (), **states: str) -> dict[str, Any]:
    """The home as nodes and edges; ``more`` edges, ``without`` some, with other ``states``."""
    nodes = [
        {
            "id": number,
            "class_name": name,
            "category": "Rooms" if name in ("kitchen", "bedroom") else "Things",
            "properties": properties.split(),
            "states": states.get(name, usual).split(),
        }
        for name, (number, properties, usual) in THINGS.items()
    ]
    edges = []
    for edge in (*EDGES, *more):
        if edge not in without:
            a, kind, b = edge.split()
            edges.append({"from_id": THINGS[a][0], "relation_type": kind, "to_id": THINGS[b][0]})
    return {"nodes": nodes, "edges": edges}


def line(step: str) -> str:
    """``putback cup table`` as a script line."""
    action, *names = step.split()
    return f"[{action.upper()}]" + "".join(f" <{n}> ({THINGS[n][0]})" for n in names)


def fact(text: str) -> dict[str, Any]:
    """``cup ON table`` or ``fridge OPEN`` as a goal's fact."""
    words = text.split()
    if len(words) == 2:
        return {"id": THINGS[words[0]][0], "class_name": words[0], "state": words[1]}
    a, kind, b = words
    return {"from_id": THINGS[a][0], "relation_type": kind, "to_id": THINGS[b][0]}


def record(
    steps: list[str], *goal: str, actions: list[str] | None = None, scene: Any = None
) -> dict[str, Any]:
    """A record with one plan, in few words."""
    return {
        "id": "made-up",
        "instruction": "Do as the goal says.",
        "scene": scene or home(),
        "script": [line(step) for step in steps],
        "goal": {"goal": [fact(text) for text in goal], "actions": actions or []},
    }


def judged(steps: list[str], *goal: str, **more: Any) -> Verdict:
    """The symbolic verdict on a plan; ``options`` are the judge's."""
    options = more.pop("options", {})
    (verdict,) = adjudge.judge(
        RobotJudge(**options), [record(steps, *goal, **more)], method="symbolic"
    )
    return verdict
