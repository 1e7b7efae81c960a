"""Cases in, verdicts out: the engine, alone and with workers."""

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.contract import Fault
from adjudge.runs.asking import NeedsModel
from adjudge.runs.bench import UnknownMethod
from adjudge.runs.engine import Task
from adjudge.runs.reading import UnknownReader
from adjudge.runs.workers import WorkersFailed
from running import judged, verdicts, write_lines
from tally_judge import TallyJudge

TASK = Task(TallyJudge())
MIXED: list[Any] = [
    {"id": "one", "marks": [1]},
    {"id": "two", "marks": [1, 1], "text": "with \x00 inside"},
    {"marks": []},
    "{broken",
    {"id": "one"},
    {"id": "bad", "marks": [1, "x"]},
    {"id": "odd", "colour": "red"},
    3,
    {"id": "raises", "text": "crash on \x1b[31m"},
    {"pairs": [{"id": "p", "marks": [1, 1, 1]}, 5, {}]},
    {"pairs": []},
    {"pairs": 4},
    {"id": "none", "text": "no opinion"},
    {"id": 'quo"te,"position":0,', "marks": [1] * 9},
]


def test_every_line_has_its_verdict(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", MIXED)
    found = verdicts(TASK, path)
    assert [v.position for v in found] == list(range(16))
    assert [(v.case_id, v.status, v.reason) for v in found] == [
        ("one", "scored", None),
        ("two", "scored", None),
        ("cases-3", "scored", None),
        (None, "error", "bad_json"),
        ("one", "error", "duplicate_id"),
        ("bad", "error", "bad_case"),
        ("odd", "error", "bad_case"),
        (None, "error", "bad_case"),
        ("raises", "error", "internal_error"),
        ("p", "scored", None),
        (None, "error", "bad_case"),
        ("cases-10-3", "scored", None),
        (None, "error", "bad_case"),
        (None, "error", "reader_failed"),
        ("none", "skipped", "nothing_to_count"),
        ('quo"te,"position":0,', "scored", None),
    ]
    assert found[0].scores == {"score": 1}
    assert found[-1].scores == {"score": 4}


def test_errors_say_file_line_field_expected_and_found(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", MIXED)
    found = verdicts(TASK, path)
    assert found[5].details["error"] == {
        "file": str(path),
        "line": 6,
        "field": "marks[1]",
        "expected": "an integer",
        "found": "'x'",
    }
    assert found[6].details["error"]["field"] == "colour"
    assert "text" in found[6].details["error"]["expected"]
    assert found[10].details["error"]["field"] == "pairs[1]"
    twice = found[4].details["error"]
    assert (twice["line"], twice["field"]) == (5, "id")
    assert f"first stood at {path}:1" in twice["found"]


def test_what_a_judge_raises_is_kept_without_control_characters(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", MIXED)
    error = verdicts(TASK, path)[8].details["error"]
    assert error["type"] == "RuntimeError"
    assert error["message"] == "cannot count crash on \ufffd[31m"
    assert (error["file"], error["line"]) == (str(path), 9)


def test_what_was_made_safe_comes_after_the_judges_own_findings(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", MIXED)
    marks, replaced = verdicts(TASK, path)[1].findings
    assert (marks.id, marks.kind) == ("F1", "marks")
    assert (replaced.id, replaced.kind, replaced.at) == ("F2", "text_replaced", {"field": "text"})


def test_ids_come_from_the_file_where_cases_have_none(tmp_path: Path) -> None:
    write_lines(tmp_path / "lines.jsonl", [{}, {}])
    (tmp_path / "array.json").write_text("[{}, {}]")
    (tmp_path / "single.json").write_text("{}")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "single.json").write_text("{}")
    ids = [v.case_id for v in verdicts(TASK, tmp_path)]
    assert ids == ["array-1", "array-2", "lines-1", "lines-2", "single", "sub/single"]


def test_duplicates_are_found_across_files(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", [{"id": "x"}])
    second = tmp_path / "b.json"
    second.write_text('[{"id": "y"}, {"id": "x"}]')
    found = verdicts(TASK, first, second)
    assert [v.reason for v in found] == [None, None, "duplicate_id"]
    assert f"{first}:1" in found[2].details["error"]["found"]


def test_an_unreadable_file_has_a_verdict_and_the_others_are_judged(tmp_path: Path) -> None:
    good = write_lines(tmp_path / "a.jsonl", [{"id": "x"}])
    missing, good_too = verdicts(TASK, tmp_path / "none.json", good)
    assert (missing.status, missing.reason, missing.position) == ("error", "unreadable", 0)
    assert missing.details["error"]["file"] == str(tmp_path / "none.json")
    assert good_too.status == "scored"


def test_options_shape_the_verdict(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", [{"marks": [1, 1, 1]}])
    [verdict] = verdicts(Task(TallyJudge(limit=2)), path)
    assert verdict.scores == {"score": 2}
    assert verdict.raw_scores == {"score": 3}
    assert verdict.flags == ("bounded",)


@pytest.mark.parametrize(
    ("task", "kind", "says"),
    [
        (Task(TallyJudge(), "cuont"), UnknownMethod, "did you mean count?"),
        (Task(TallyJudge(), "ask"), NeedsModel, "without one the tally judge has count"),
        (Task(TallyJudge(), None, "pears"), UnknownReader, "expected pairs, native"),
    ],
)
def test_what_cannot_begin_says_what_there_is(
    tmp_path: Path, task: Task, kind: type[Fault], says: str
) -> None:
    path = write_lines(tmp_path / "cases.jsonl", [{}])
    with pytest.raises(kind, match=says.replace("?", r"\?")):
        judged(task, path)


def test_a_named_reader_reads_everything(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", [{"pairs": [{}]}, {"id": "x"}])
    found = verdicts(Task(TallyJudge(), None, "native"), path)
    assert [v.reason for v in found] == ["bad_case", None]


def test_workers_give_the_same_bytes(tmp_path: Path) -> None:
    many = [{"id": f"c{i}", "marks": [1] * (i % 6)} for i in range(150)]
    path = write_lines(tmp_path / "cases.jsonl", [*MIXED, *many, {"id": "c7"}, "{broken again"])
    array = tmp_path / "more.json"
    array.write_text(json.dumps([{"id": "z"}, {"id": "c9"}, {"marks": "many"}]))
    paths = (path, tmp_path / "missing.json", array)
    assert judged(TASK, *paths, workers=2) == judged(TASK, *paths)


def test_a_case_that_ends_its_worker_is_an_error_and_the_rest_is_judged(tmp_path: Path) -> None:
    lines = [{"id": f"c{i}", "text": "die" if i == 40 else ""} for i in range(70)]
    found = verdicts(TASK, write_lines(tmp_path / "cases.jsonl", lines), workers=2)
    assert [v.position for v in found] == list(range(70))
    failed = [v for v in found if v.status != "scored"]
    assert [(v.position, v.reason) for v in failed] == [(40, "worker_died")]
    assert failed[0].details["error"]["line"] == 41


def test_every_case_of_a_record_that_ends_its_worker_is_there(tmp_path: Path) -> None:
    lines: list[object] = [{"id": f"c{i}"} for i in range(6)]
    lines[3] = {"pairs": [{"id": "p1"}, {"id": "p2", "text": "die"}, {"id": "c1"}]}
    found = verdicts(TASK, write_lines(tmp_path / "cases.jsonl", lines), workers=2)
    assert [v.case_id for v in found] == ["c0", "c1", "c2", "p1", "p2", "c1", "c4", "c5"]
    assert [v.position for v in found] == list(range(8))
    assert [v.reason for v in found[3:6]] == ["worker_died", "worker_died", "duplicate_id"]
    assert {v.status for v in found[:3] + found[6:]} == {"scored"}


def test_a_judge_that_workers_cannot_import_is_named(tmp_path: Path) -> None:
    class Inner(TallyJudge):
        pass

    path = write_lines(tmp_path / "cases.jsonl", [{}])
    with pytest.raises(WorkersFailed, match="importable"):
        judged(Task(Inner()), path, workers=2)
