"""``adjudge run --shard`` and ``adjudge merge``: the whole run of every judge, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudge.testing import MisbehavingEndpoint
from any_answer import CASES, anything
from commands import adjudge
from running import write_lines
from scripted import MODEL, rows


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ADJUDGE_STORE", raising=False)
    return tmp_path


def contents(store: str | Path, run: str) -> list[list[Any]]:
    """Its verdicts and replies, byte for byte."""
    [(key,)] = rows(store, f"SELECT key FROM adjudge_runs WHERE id = '{run}'")
    return [
        rows(store, f"SELECT {columns} FROM {table} WHERE run = {key} ORDER BY {order}")
        for columns, table, order in (
            ("position, record, source, line, case_id, status, failed, body", "adjudge_verdicts",
             "position"),
            ("key, model, status, reason, text, calls, input_tokens, output_tokens, repairs, meta",
             "adjudge_replies", "key"),
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("judge", "cases", "more"),
    [
        ("robot", "robot", ["--samples", "2", "--seed", "5", "--temperature", "1"]),
        ("robot", "scenes", ["--method", "grounded"]),
        ("browser", "browser", []),
        ("social", "social", ["--method", "direct"]),
    ],
)
def test_shards_merged_are_the_whole_run(
    judge: str, cases: str, more: list[str], here: Path, store_url: str
) -> None:
    write_lines(here / "cases.jsonl", CASES[cases]())
    with MisbehavingEndpoint(anything) as endpoint:
        models = ("--model", MODEL, "--base-url", endpoint.url, "--workers", "0")
        run = ("run", judge, "cases.jsonl", *models, *more)
        adjudge(*run, "--store", "whole.db")
        parts = []
        for part in ("1/3", "2/3", "3/3"):
            store = f"{part[0]}.db"
            parts.append(store)
            done = adjudge(*run, "--shard", part, "--store", store)
            assert done.exit_code in (0, 3), done.output
            assert f"shard {part}" in done.stdout.splitlines()[0]
        merged = adjudge("merge", *parts, "--store", store_url)
        assert merged.exit_code == 0, merged.output
        [id_] = {line.split()[0] for line in merged.stdout.splitlines()[1:]}
        assert contents(store_url, id_) == contents(Path("whole.db"), id_)
        asked = len(endpoint.requests)
        again = adjudge(*run, "--store", store_url)
        assert len(endpoint.requests) == asked
        whole = adjudge(*run, "--store", "whole.db")
    assert again.stdout.splitlines()[:-1] == whole.stdout.splitlines()[:-1]
