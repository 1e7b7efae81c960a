"""Verdicts as files."""

import csv
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.exports import UnknownFormat, check_suffix, write_file
from adjudge.runs.engine import Task
from running import judged, write_lines
from tally_judge import TallyJudge

LINES: list[Any] = [
    {"id": "plain", "marks": [1, 1, 1]},
    {"id": "=HYPERLINK(1)", "text": 'say "hi", then\ngo'},
    {"id": "-3", "marks": [1]},
    "{broken",
    {"id": "skip", "text": "no opinion"},
    {"id": "ü\u2028", "marks": []},
]


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    path = write_lines(tmp_path / "cases.jsonl", LINES)
    return [one.text for one in judged(Task(TallyJudge()), path)]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_jsonl_is_what_is_stored_byte_for_byte(tmp_path: Path, lines: list[str]) -> None:
    write_file(str(tmp_path / "out.jsonl"), lambda: lines)
    assert (tmp_path / "out.jsonl").read_bytes() == "".join(f"{v}\n" for v in lines).encode()


def test_csv_has_a_row_for_every_verdict(tmp_path: Path, lines: list[str]) -> None:
    write_file(str(tmp_path / "out.csv"), lambda: lines)
    found = rows(tmp_path / "out.csv")
    assert [row["position"] for row in found] == [str(i) for i in range(6)]
    assert [row["scores.score"] for row in found] == ["3", "0", "1", "", "", "0"]
    assert [row["success"] for row in found] == ["true", "false", "false", "", "", "false"]
    assert [row["status"] for row in found] == ["scored"] * 3 + ["error", "skipped", "scored"]
    assert found[3]["reason"] == "bad_json"
    assert "line: 4" in found[3]["error"]
    assert "double quotes" in found[3]["error"]
    assert found[0]["rules"] == "limited"
    assert found[0]["findings"] == "marks"
    assert found[1]["failure"] == "few_marks"
    assert found[5]["case_id"] == "ü\u2028"


def test_csv_cells_are_no_formulas(tmp_path: Path, lines: list[str]) -> None:
    write_file(str(tmp_path / "out.csv"), lambda: lines)
    ids = [row["case_id"] for row in rows(tmp_path / "out.csv")]
    assert ids[1:3] == ["'=HYPERLINK(1)", "'-3"]


def test_csv_has_a_column_for_every_dimension_and_tells_null_from_nothing(tmp_path: Path) -> None:
    one = json.loads(judged_line(tmp_path))
    lines = [
        json.dumps({**one, "scores": {"a": None, "b": -1.5}}),
        json.dumps({**one, "scores": {"c": "yes"}, "details": {"trace": "odd"}}),
    ]
    write_file(str(tmp_path / "out.csv"), lambda: lines)
    found = [
        {k: v for k, v in r.items() if k.startswith("scores")} for r in rows(tmp_path / "out.csv")
    ]
    assert found == [
        {"scores.a": "null", "scores.b": "-1.5", "scores.c": ""},
        {"scores.a": "", "scores.b": "", "scores.c": "yes"},
    ]


def judged_line(folder: Path) -> str:
    path = write_lines(folder / "one.jsonl", [{"id": "x"}])
    return judged(Task(TallyJudge()), path)[0].text


def test_no_verdicts_make_an_empty_table(tmp_path: Path) -> None:
    write_file(str(tmp_path / "out.csv"), list)
    assert rows(tmp_path / "out.csv") == []
    assert (tmp_path / "out.csv").read_text().startswith("position,case_id,")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, lines: list[str]) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("before")
    out.chmod(0o640)

    def failing() -> Iterator[str]:
        yield lines[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(str(out), failing)
    assert out.read_text() == "before"
    write_file(str(out), lambda: lines)
    assert len(out.read_text().splitlines()) >= 6
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links and devices")
def test_links_are_followed_and_devices_written_to(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "real.jsonl").write_text("")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    write_file(str(tmp_path / "link.jsonl"), lambda: lines)
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").stat().st_size > 0
    (tmp_path / "null.csv").symlink_to("/dev/null")
    write_file(str(tmp_path / "null.csv"), lambda: lines)
    assert not stat.S_ISREG(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("out.xlsx", "expected a file name with .jsonl, .ndjson, .csv"),
        ("out", "expected a file name with"),
        ("nowhere/out.csv", "no folder"),
        ("folder.csv", "a folder"),
    ],
)
def test_what_cannot_be_written_is_named_beforehand(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UnknownFormat, match=says):
        check_suffix(str(tmp_path / name))
