"""The cases and tables that documents show are cases and tables."""

from __future__ import annotations

import json
import tomllib

import pytest

import adjudge
import sessions
from running import ROOT

JUDGES = {"robot": "robot", "robot_formats": "robot", "browser": "browser", "social": "social"}
SHOWN = [
    pytest.param(JUDGES[name], block.content, id=f"{name}-{number}")
    for name in JUDGES
    for number, block in enumerate(sessions.blocks((ROOT / "docs" / f"{name}.md").read_text()))
    if block.kind == "json"
]
TABLES = [
    pytest.param(block.content, id=path.stem)
    for path in sessions.documents()
    for block in sessions.blocks(path.read_text())
    if block.kind == "toml"
]


@pytest.mark.parametrize(("judge", "content"), SHOWN)
def test_a_case_that_is_shown_can_be_judged(judge: str, content: str) -> None:
    verdicts = adjudge.judge(judge, json.loads(content))
    assert verdicts
    assert [v.reason for v in verdicts if v.status == "error"] == []


@pytest.mark.parametrize("content", TABLES)
def test_a_table_that_is_shown_is_toml(content: str) -> None:
    assert tomllib.loads(content)
