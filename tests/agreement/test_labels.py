"""Labels in: from files, kept beside a run, or brought by the cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.agreement.label_store import LabelStore
from adjudge.agreement.labels import Label, Missing, label_value
from adjudge.agreement.own_labels import BadLabelPath, label_paths, own_labels
from adjudge.agreement.row_labels import labels_in
from adjudge.contract import CaseError, Scale
from adjudge.runs.store import Store
from commands import adjudge
from running import write_lines
from tally_judge import TallyJudge

OURS = ["--judge", "tally_judge:TallyJudge"]
FIVE = {"score": Scale.ordinal(0, 4), "mood": Scale.choice(["good", "bad"], nullable=True)}


@pytest.fixture
def run(tmp_path: Path, store_url: str) -> list[str]:
    """A run of four cases, which score 0 to 3; the options that name its store."""
    cases = [{"id": f"c{n}", "marks": [1] * n} for n in range(4)]
    write_lines(tmp_path / "cases.jsonl", cases)
    where = ["--store", store_url]
    done = adjudge("run", "tally_judge:TallyJudge", tmp_path / "cases.jsonl", *where)
    assert done.exit_code == 0
    return where


def kept(where: list[str]) -> list[Label]:
    with Store.open(where[1]) as store, LabelStore(where[1]) as labels:
        return labels.of(store.find("last"))


@pytest.mark.parametrize(
    ("given", "dimension", "value"),
    [
        (3, "score", 3),
        ("3", "score", 3),
        (" 3 ", "score", 3),
        (3.0, "score", 3),
        ("3.0", "score", 3),
        ("good", "mood", "good"),
        ("null", "mood", None),
        (None, "mood", None),
        (True, "success", True),
        ("No", "success", False),
        (1, "success", True),
        ("FAIL", "success", False),
    ],
)
def test_values_are_read_by_the_scale(given: Any, dimension: str, value: Any) -> None:
    found = label_value(given, dimension, FIVE, "value")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("given", "dimension", "says"),
    [
        (7, "score", "value: expected an integer from 0 to 4, found 7"),
        ("three", "score", "value: expected an integer from 0 to 4, found 'three'"),
        (3.5, "score", "value: expected an integer from 0 to 4, found 3.5"),
        (True, "score", "value: expected an integer from 0 to 4, found True"),
        (float("nan"), "score", "value: expected an integer from 0 to 4, found nan"),
        ("fair", "mood", "value: expected one of good, bad, or null, found 'fair'"),
        ("maybe", "success", "value: expected true or false, found 'maybe'"),
        (2, "success", "value: expected true or false, found 2"),
        ("null", "score", "value: expected an integer from 0 to 4, found 'null'"),
        ("n/a", "success", "value: expected true or false, found 'n/a'"),
        (3, "scores", "dimension: expected one of score, mood, success, found 'scores'"),
    ],
)
def test_values_off_the_scale_are_refused_by_name(given: Any, dimension: str, says: str) -> None:
    with pytest.raises(CaseError) as error:
        label_value(given, dimension, FIVE, "value")
    assert str(error.value) == says


@pytest.mark.parametrize(
    ("given", "dimension"), [("", "score"), ("  ", "mood"), (None, "score"), (None, "success")]
)
def test_nothing_is_no_label(given: Any, dimension: str) -> None:
    with pytest.raises(Missing):
        label_value(given, dimension, FIVE, "value")


@given(st.text(), st.sampled_from(["score", "mood", "success"]))
def test_any_text_is_on_the_scale_or_refused(text: str, dimension: str) -> None:
    try:
        value = label_value(text, dimension, FIVE, "value")
    except (CaseError, Missing):
        return
    assert isinstance(value, bool) if dimension == "success" else FIVE[dimension].holds(value)


def test_csv_and_json_lines_are_kept_and_bad_rows_named(run: list[str], tmp_path: Path) -> None:
    csv = tmp_path / "people.csv"
    csv.write_text(
        "case,annotator,dimension,value,note\n"
        "c0,anna,score,1,\n"
        "c1,anna,score,9,too high\n"
        "c,anna,score,1,no such case\n"
        "c2,anna,scoer,1,\n"
        "c3,anna,score,,not yet\n"
        "c2,anna,success,yes,\n"
        ",anna,score,1,\n"
        "c2,anna\n"
    )
    lines = write_lines(
        tmp_path / "people.jsonl",
        [
            {"case": "c0", "annotator": "ben", "dimension": "score", "value": 2},
            {"case_id": "c1", "annotator": 7, "dimension": "score", "value": 3},
            {"case": "c1", "dimension": "score", "value": True},
            "{broken",
            [1],
        ],
    )
    done = adjudge("label", "import", "last", csv, lines, *OURS, *run)
    assert done.exit_code == 3
    assert done.stdout.endswith("4 labels kept, 0 replaced, 0 were there; 1 empty, 8 refused\n")
    told = sorted(line.partition(": ")[2] for line in done.stderr.splitlines())
    assert [one.replace(f"{tmp_path}/", "") for one in told] == [
        "people.csv:3: value: expected an integer from 0 to 4, found '9'",
        f"people.csv:4: case: expected a case of run {run_id(run)}, found 'c'"
        " (there are: c0, c1, c2)",
        "people.csv:5: dimension: expected one of score, success, found 'scoer'",
        "people.csv:8: case: expected a name, found nothing",
        "people.csv:9: expected 5 cells, found 2",
        "people.jsonl:3: value: expected an integer from 0 to 4, found True",
        'people.jsonl:4: expected a property name in "double quotes", found "broken" at column 2',
        "people.jsonl:5: expected an object, found list",
    ]
    assert {(one.case, one.annotator, one.dimension, one.value) for one in kept(run)} == {
        ("c0", "anna", "score", 1),
        ("c2", "anna", "success", True),
        ("c0", "ben", "score", 2),
        ("c1", "7", "score", 3),
    }


def run_id(where: list[str]) -> str:
    with Store.open(where[1]) as store:
        return store.find("last").id


def test_the_same_file_again_changes_nothing_and_a_new_value_replaces(
    run: list[str], tmp_path: Path
) -> None:
    row = {"case": "c0", "annotator": "anna", "dimension": "score", "value": 1}
    first = write_lines(tmp_path / "first.jsonl", [row])
    second = write_lines(tmp_path / "second.jsonl", [{**row, "value": 2}])
    for file, says in (
        (first, "1 labels kept, 0 replaced, 0 were there"),
        (first, "0 labels kept, 0 replaced, 1 were there"),
        (second, "0 labels kept, 1 replaced, 0 were there"),
    ):
        assert says in adjudge("label", "import", "last", file, *OURS, *run).stdout
    assert [one.value for one in kept(run)] == [2]
    assert "anna       score      1" in adjudge("label", "show", "last", *run).stdout
    assert "1 labels removed" in adjudge("label", "remove", "last", *run).stdout
    assert kept(run) == []


def test_two_values_of_one_annotator_for_one_thing_are_a_contradiction(
    run: list[str], tmp_path: Path
) -> None:
    row = {"case": "c0", "annotator": "anna", "dimension": "score", "value": 1}
    file = write_lines(tmp_path / "twice.jsonl", [row, row, {**row, "value": 3}])
    with Store.open(run[1]) as store:
        found = labels_in(store, store.find("last"), [str(file)], judge=TallyJudge())
    assert [one.value for one in found.labels] == [1]
    assert found.refused == [
        f"{file}:3: value: expected one value of anna for score of c0, found 3 after 1 at {file}:1"
    ]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"case,value\nc0,1\n", "a.csv:1: dimension: expected a header with case, annot"),
        ("a.csv", b"", "a.csv:1: case: expected a header"),
        ("a.csv", b"\xff\xfe\x00", "a.csv: expected UTF-8 text"),
        ("a.csv", b'case,dimension,value\n"c0,score,1\n', "a.csv:2: expected CSV"),
        ("b.jsonl", b"{}\n", "b.jsonl:1: case: expected a name, found nothing"),
    ],
)
def test_files_of_no_labels_are_told(
    run: list[str], tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    done = adjudge("label", "import", "last", tmp_path / name, *OURS, *run)
    assert done.exit_code == 2
    assert says in done.stderr
    assert "no labels could be kept" in done.stderr
    missing = adjudge("label", "import", "last", tmp_path / "none.csv", *OURS, *run)
    assert "none.csv: expected a file that can be read" in missing.stderr


def test_excel_and_tabs_are_read(run: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbfcase,dimension,value\r\nc0,score,1\r\n")
    (tmp_path / "b.tsv").write_text("case\tannotator\tdimension\tvalue\nc1\tben\tscore\t2\n")
    done = adjudge("label", "import", "last", tmp_path / "a.csv", tmp_path / "b.tsv", *OURS, *run)
    assert done.exit_code == 0
    assert [(one.annotator, one.value) for one in kept(run)] == [("annotator", 1), ("ben", 2)]


def test_labels_need_the_cases_that_were_judged(run: list[str], tmp_path: Path) -> None:
    row = {"case": "c0", "dimension": "score", "value": 1}
    file = write_lines(tmp_path / "labels.jsonl", [row])
    (tmp_path / "cases.jsonl").rename(tmp_path / "moved.jsonl")
    gone = adjudge("label", "import", "last", file, *OURS, *run)
    assert gone.exit_code == 2
    assert "say where the cases are with --cases" in gone.stderr
    found = adjudge(
        "label", "import", "last", file, "--cases", tmp_path / "moved.jsonl", *OURS, *run
    )
    assert found.exit_code == 0


def own(label: Any, paths: dict[str, tuple[str, ...]] | None = None) -> list[Any]:
    found = own_labels("c", label, FIVE, paths or {})
    return [(one.dimension, one.value) if isinstance(one, Label) else str(one) for one in found]


def test_a_case_brings_its_own_label() -> None:
    assert own({"score": 3, "mood": "bad", "success": True, "other": 1}) == [
        ("score", 3),
        ("mood", "bad"),
        ("success", True),
    ]
    assert own(True) == [("success", True)]
    assert own(None) == []
    assert own({"score": 9}) == ["label.score: expected an integer from 0 to 4, found 9"]
    assert own({"deep": {"ok": False}}, {"success": ("deep", "ok")}) == [("success", False)]
    assert own({"deep": 1}, {"success": ("deep", "ok")}) == []
    only = own_labels("c", 2, {"score": Scale.ordinal(0, 4)}, {})
    assert [one.value for one in only if isinstance(one, Label)] == [2]


@pytest.mark.parametrize("text", ["success", "=x", "success=", ""])
def test_label_paths_say_what_they_are(text: str) -> None:
    with pytest.raises(BadLabelPath, match="expected DIMENSION=PATH"):
        label_paths([text])


def test_a_run_without_labels_says_how_to_have_some(run: list[str]) -> None:
    done = adjudge("agree", "last", *OURS, *run)
    assert done.exit_code == 2
    assert "expected labels of its dimensions (score, success), found none" in done.stderr
    assert "adjudge label import" in done.stderr


def test_hostile_names_are_shown_and_not_obeyed(run: list[str], tmp_path: Path) -> None:
    row = {"case": "c0", "annotator": "\x1b[31man\x00na", "dimension": "score", "value": 1}
    file = write_lines(tmp_path / "labels.jsonl", [json.dumps(row)])
    assert adjudge("label", "import", "last", file, *OURS, *run).exit_code == 0
    shown = adjudge("label", "show", "last", *run).stdout
    assert "\x1b" not in shown
    assert "\x00" not in shown
