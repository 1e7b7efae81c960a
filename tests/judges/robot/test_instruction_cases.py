"""The cases with known answers: each instruction in its own world is read as the table says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from adjudge.judges.robot.case import RobotCase, default_category, normal
from adjudge.judges.robot.domains.model import load_domain
from adjudge.judges.robot.instruction import read_instruction
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.verbs import default_verbs
from adjudge.judges.robot.world import build_world
from instruction_notation import lines_of, table
from robot_cases import SHARED, json_lines

RULES = SHARED / "cases" / "robot_rules.jsonl"
READINGS = Path(__file__).parent / "test_instruction_tables" / "readings.txt"


def lexicon_of(raw: dict[str, Any]) -> Lexicon:
    case = RobotCase.model_validate(raw)
    if case.scene is not None:
        return build_world(case, load_domain("household"), ()).lexicon
    trace = case.trace
    steps = case.plan if case.plan is not None else [*trace.executed, *trace.remaining]  # type: ignore[union-attr]
    text = " ".join(steps).replace("open_", "").replace("pick_", "").replace("place_on_", "")
    words = re.findall(r"[\w]+(?=[,)])|\b[a-z]+\b(?!\()", text)
    return Lexicon(False, {normal(word): default_category(word) for word in words})


@pytest.mark.skipif(not RULES.exists(), reason="the folder of shared cases is not here")
def test_every_instruction_with_a_known_answer() -> None:
    readings: dict[str, list[list[str]]] = {}
    for _, instruction, lines in table(READINGS):
        readings.setdefault(instruction, []).append(lines)
    wrong = []
    for raw in json_lines(RULES):
        found = lines_of(read_instruction(raw["instruction"], lexicon_of(raw), default_verbs()))
        if found not in readings.get(raw["instruction"], []):
            wrong.append((raw["id"], raw["instruction"], found))
    assert wrong == []
