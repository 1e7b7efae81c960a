"""``adjudge export``: from a stored run and its inputs to a file."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from adjudge.testing import MisbehavingEndpoint
from running import adjudge, write_lines
from social_cases import dialogue, importances

METHOD = ("--method", "discounting")
TALKS = [
    dialogue(("Ann", "Twenty."), ("Bob", "No."), ("Ann", "Ten."), id="one"),
    {"id": "broken"},
    dialogue(("Bob", "Hi."), id="silent"),
]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    write_lines(folder / "talks.jsonl", TALKS)
    done = adjudge("run", "social", "talks.jsonl", *METHOD, cwd=folder)
    assert done.returncode == 3
    return folder


@pytest.fixture
def judged(once: Path, tmp_path: Path) -> Path:
    """A folder with a run over the dialogues, one of which is no case."""
    return Path(shutil.copytree(once, tmp_path / "judged"))


def test_rows_go_to_a_file_and_what_is_left_out_is_said(judged: Path) -> None:
    done = adjudge("export", "last", "--to", "sotopia-rm", "--output", "rm.json", cwd=judged)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "left out: 1 input that was no case" in done.stderr
    rows = json.loads((judged / "rm.json").read_text())
    assert [row["value"] for row in rows] == [pytest.approx(7.2), 8.0]


def test_jsonl_and_csv_are_the_verdicts_themselves(judged: Path) -> None:
    lines = adjudge("export", "last", "--to", "jsonl", cwd=judged).stdout.splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["scored", "error", "skipped"]
    table = adjudge("export", "last", "--to", "csv", cwd=judged).stdout.splitlines()
    assert [row["case_id"] for row in csv.DictReader(table)] == ["one", "broken", "silent"]


def test_inputs_that_changed_are_not_taken_for_those_that_were_judged(judged: Path) -> None:
    (judged / "talks.jsonl").rename(judged / "moved.jsonl")
    done = adjudge("export", "last", "--to", "sotopia", cwd=judged)
    assert done.returncode == 2
    assert "input talks.jsonl: expected the file that was judged" in done.stderr
    moved = adjudge("export", "last", "--to", "sotopia", "--cases", "moved.jsonl", cwd=judged)
    assert [json.loads(line)["episode_id"] for line in moved.stdout.splitlines()] == [
        "one",
        "silent",
    ]
    write_lines(judged / "talks.jsonl", TALKS[::-1])
    other = adjudge("export", "last", "--to", "sotopia", "--cases", "talks.jsonl", cwd=judged)
    assert other.returncode == 2
    assert "expected 'one' at position 0, found 'silent'" in other.stderr


def test_a_file_is_whole_or_not_there(judged: Path) -> None:
    done = adjudge("export", "last", "--to", "trl-unpaired", "--output", "new.jsonl", cwd=judged)
    assert done.returncode == 2
    assert "--threshold" in done.stderr
    assert sorted(path.name for path in judged.iterdir() if path.suffix) == ["talks.jsonl"]


def test_runs_on_several_dimensions_become_one_set(judged: Path) -> None:
    runs = [
        re.findall(r"run (\w{12})", adjudge(*command, cwd=judged).stdout)[0]
        for command in (
            ("show", "last"),
            ("run", "social", "talks.jsonl", *METHOD, "-o", "dimension=relationship"),
        )
    ]
    assert len(set(runs)) == 2
    done = adjudge("export", *runs, "--to", "sotopia-rm", cwd=judged)
    # in one the last utterance has the most, in the other (a negative score) the least
    assert [row["value"] for row in json.loads(done.stdout)] == [5.0, 5.0]


def test_a_run_that_asked_a_model_is_exported_with_its_importances(tmp_path: Path) -> None:
    write_lines(tmp_path / "talks.jsonl", TALKS[:1])
    with MisbehavingEndpoint(importances({0: 1, 2: 3})) as endpoint:
        asking = ("--model", "openai-compatible:m", "--base-url", endpoint.url)
        done = adjudge("run", "social", "talks.jsonl", "--method", "default", *asking, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert len(endpoint.requests) == 1
    done = adjudge("export", "last", "--to", "sotopia", cwd=tmp_path)
    found = json.loads(done.stdout)["attributed_utterances"]
    assert [given[1] and given[1]["attribution"] for given in found.values()] == [1, 0, 3]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("export", "last", "--to", "parquet"), "--to: expected one of jsonl, csv, sotopia"),
        (("export", "nope", "--to", "csv"), "nope"),
        (("export", "last", "last", "--to", "csv"), "expected one run, found 2"),
        (("export", "last", "--to", "csv", "--output", "no/such/file"), "no folder"),
        (("export", "last", "--to", "verl", "--cases", "none.jsonl"), "cases: expected"),
    ],
)
def test_what_is_wrong_is_said(judged: Path, arguments: tuple[str, ...], words: str) -> None:
    done = adjudge(*arguments, cwd=judged)
    assert done.returncode == 2
    assert words in done.stderr
