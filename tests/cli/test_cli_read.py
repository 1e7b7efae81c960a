"""``adjudge read``: conversations as a reader sees them."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from adjudge.cli.app import app
from browser_conversations import ASK, DONE, tabs
from browser_reading import records, shared


def _read(*arguments: str) -> tuple[int, str]:
    ended = CliRunner().invoke(app, ["read", *arguments])
    return ended.exit_code, ended.output


def test_counts_and_drops(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([ASK, *tabs(), DONE]))  # an array of messages is one conversation
    code, said = _read(str(path))
    assert code == 0
    assert "talk · openai-chat" in said
    assert "messages: 4 (0 system, 1 user, 2 assistant, 1 tool)" in said
    assert "calls: 1  results: 1" in said
    assert "response: messages 1 to 3" in said
    path.write_text(json.dumps({"conversation": [ASK, DONE], "cost": 3}))
    assert "dropped: cost" in _read(str(path))[1]


def test_json_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"id": "t", "conversation": [ASK, *tabs(), DONE]}))
    code, said = _read(str(path), "--json")
    assert code == 0
    again = tmp_path / "again.jsonl"
    again.write_text(said)
    assert _read(str(again), "--json") == (0, said)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    path.write_text(json.dumps({"conversation": []}) + "\n" + json.dumps([ASK, DONE]) + "\n")
    code, said = _read(str(path))
    assert code == 3
    assert "talks.jsonl:1: messages: expected at least one message" in said
    path.write_text(json.dumps({"conversation": []}) + "\n")
    assert _read(str(path))[0] == 2


def test_a_real_log() -> None:
    path = shared("traces", "inspect_evallog_browser.json")
    code, said = _read(str(path))
    assert code == 0
    count = len(records(path)[0].value["samples"][0]["messages"])
    assert f"browser-1-1 · inspect\n  messages: {count} " in said
