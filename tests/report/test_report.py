"""The page as a file: what is in it, and where it comes from."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import running
import tally_judge
from adjudge.judges.robot.case import RobotCase
from adjudge.report.charts import by_value
from adjudge.report.cutting import cut
from adjudge.report.packing import packed, script_json
from adjudge.report.text import shown
from adjudge.report.views import view_of
from adjudge.testing import MisbehavingEndpoint
from commands import adjudge
from hostile_cases import HOSTILE, hostile_lines
from report_pages import EXAMPLES, page_of, page_of_example, page_of_lines
from running import write_lines
from scripted import asking, by_number, unsettled

_BLOCK = re.compile(r'<script type="application/json" class="cases">(.*?)</script>')


def _unpacked(text: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(text)))


def _cases(page: str) -> list[dict[str, Any]]:
    blocks = [json.loads(block) for block in _BLOCK.findall(page)]
    return [case for block in blocks for case in _unpacked(block["cases"])]


def _rows(page: str) -> list[dict[str, Any]]:
    blocks = [json.loads(block) for block in _BLOCK.findall(page)]
    return [row for block in blocks for row in _unpacked(block["rows"])]


@pytest.mark.parametrize("judge", EXAMPLES)
def test_every_verdict_is_in_the_page(judge: str, tmp_path: Path) -> None:
    file = page_of_example(judge, tmp_path)
    page = file.path.read_text()
    assert [case["verdict"] for case in _cases(page)] == file.cases
    assert [row["p"] for row in _rows(page)] == [case["position"] for case in file.cases]
    assert all(case["blocks"] for case in _cases(page))


def test_the_same_run_makes_the_same_page(tmp_path: Path) -> None:
    file = page_of_example("robot", tmp_path)
    again = tmp_path / "again.html"
    labels = EXAMPLES["robot"].parent / "people.csv"
    options = ("report", "last", "--store", file.store, "-O", again, "--labels", labels)
    assert running.adjudge(*options, cwd=tmp_path).returncode == 0
    assert again.read_bytes() == file.path.read_bytes()


def test_the_policy_names_the_page_s_own_style_and_script(tmp_path: Path) -> None:
    page = page_of_example("social", tmp_path).path.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    for name in ("style", "script"):
        [own] = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy[1]
    assert "unsafe" not in policy[1]


@pytest.mark.parametrize("judge", EXAMPLES)
def test_no_markup_of_a_case_is_in_the_page(judge: str, tmp_path: Path) -> None:
    page = page_of_lines(judge, hostile_lines(judge)[:1], tmp_path).path.read_text()
    assert "window.ran" not in re.sub(r"<bdi>.*?</bdi>", "", page)
    assert "<img" not in page
    assert "\u202e" not in page
    first, *_ = _cases(page)
    assert HOSTILE in json.dumps(first["blocks"], ensure_ascii=False).replace('\\"', '"')


def test_a_label_stands_beside_its_verdict(tmp_path: Path) -> None:
    page = page_of_example("robot", tmp_path).path.read_text()
    labels = {case["verdict"]["case_id"]: case["labels"] for case in _cases(page)}
    assert labels["door-shut"] == {"score": 0, "success": False}
    agrees = {row["id"]: row["label"] for row in _rows(page)}
    assert (agrees["door-shut"], agrees["no-such-thing"]) == ("equal", "apart")
    assert (agrees["open-world"], agrees["mood"]) == ("equal", "without a verdict")
    table = re.search(r"Cohen&#39;s kappa</th>\s*<td class=\"number\">(.*?)<", page)
    assert table is not None
    told = adjudge(
        "agree",
        "last",
        "--store",
        tmp_path / "robot.db",
        "--json",
        "--labels",
        EXAMPLES["robot"].parent / "people.csv",
    )
    assert float(table[1]) == pytest.approx(
        json.loads(told.stdout)["dimensions"][0]["figures"]["kappa"]["value"], abs=5e-4
    )


def test_an_answer_that_two_cases_share_is_counted_once(tmp_path: Path) -> None:
    lines = [unsettled(1), unsettled(1, id="again"), unsettled(2)]
    with MisbehavingEndpoint(by_number) as endpoint:
        cases, store = write_lines(tmp_path / "cases.jsonl", lines), tmp_path / "store.db"
        adjudge("run", "robot", cases, "--store", store, *asking(endpoint, "--workers", "0"))
        calls = len(endpoint.requests)
    assert calls == 2
    page = tmp_path / "page.html"
    adjudge("report", "last", "--store", store, "-O", page)
    assert re.search(rf"model calls\W.*?\b{calls}\b.*?price not known", page.read_text(), re.S)


def test_a_page_without_labels_says_so(tmp_path: Path) -> None:
    assert (
        "No case of this run has a label." in page_of_example("social", tmp_path).path.read_text()
    )


def test_where_the_cases_changed_verdicts_are_shown_alone(tmp_path: Path) -> None:
    cases = write_lines(tmp_path / "plans.jsonl", [EXAMPLES["robot"].read_text().splitlines()[0]])
    file = page_of("robot", cases, tmp_path)
    [whole] = _cases(file.path.read_text())
    kept = cases.read_text()
    cases.write_text(kept.replace("mug", "cup"))
    assert adjudge("report", "last", "--store", file.store, "-O", file.path).exit_code == 0
    page = file.path.read_text()
    assert "Verdicts are shown without their cases" in page
    [alone] = _cases(page)
    assert alone["verdict"] == whole["verdict"]
    assert alone["blocks"] is None
    assert "another content" in alone["why"]
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_text(kept)
    options = ("report", "last", "--store", file.store, "-O", file.path, "--cases")
    assert adjudge(*options, elsewhere).exit_code == 0
    assert _cases(file.path.read_text()) == [whole]
    asked = adjudge(*options, EXAMPLES["browser"])
    assert asked.exit_code == 2
    assert "expected 'no-water' at position 0" in asked.stderr


def test_input_that_is_no_case_is_told_with_its_place(tmp_path: Path) -> None:
    good = {**json.loads(EXAMPLES["social"].read_text().splitlines()[0]), "agent": "Mara Lindt"}
    page = page_of_lines("social", ["{not json", good], tmp_path).path.read_text()
    case, whole = _cases(page)
    assert whole["blocks"]
    assert not whole["why"]
    assert case["verdict"]["details"]["error"]["line"] == 1
    assert case["why"] == "what stood here could not be read as a case"


def test_a_judge_of_one_s_own_is_shown_by_its_fields(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(Path(tally_judge.__file__).read_text())
    cases = write_lines(
        tmp_path / "marks.jsonl", [{"id": "a", "text": "three", "marks": [1, 2, 3]}]
    )
    store, page = tmp_path / "own.db", tmp_path / "own.html"
    adjudge("run", f"{mine}:TallyJudge", cases, "--store", store)
    made = ("report", "last", "--store", store, "-O", page)
    assert adjudge(*made).exit_code == 0
    [case] = _cases(page.read_text())
    assert case["blocks"][0]["rows"][0] == ["text", "three"]
    assert _rows(page.read_text())[0]["about"] == "three"
    mine.unlink()
    assert adjudge(*made).exit_code == 0
    [alone] = _cases(page.read_text())
    assert alone["verdict"] == case["verdict"]
    assert alone["blocks"] is None
    assert "mine.py" in alone["why"]


def test_things_in_things_without_end(tmp_path: Path) -> None:
    chain = [{"id": "box_0", "room": "hall"}]
    chain += [{"id": f"box_{n}", "in": f"box_{n - 1}"} for n in range(1, 3_000)]
    ring = [{"id": "a", "on": "b"}, {"id": "b", "on": "a"}]
    for objects in (chain, ring):
        scene = {"rooms": ["hall"], "objects": objects}
        case = {"id": "deep", "instruction": "Get a.", "scene": scene, "plan": ["pick(a)"]}
        known = RobotCase.model_validate(case)
        tree = view_of(known, {"findings": [], "details": {}}).blocks[2]
        assert sum(map(_things, (group["items"] for group in tree["groups"]))) == len(objects)
        json.dumps(tree)


def _things(items: list[dict[str, Any]]) -> int:
    return sum(1 + _things(one["items"]) for one in items)


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    file = page_of_example("social", tmp_path)
    asked = adjudge("report", "last", "--store", file.store, "-O", tmp_path / "none" / "x.html")
    assert asked.exit_code == 2
    assert "folder" in asked.stderr
    assert adjudge("report", "zz", "--store", file.store, "-O", "x.html").exit_code == 2


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_json)
@settings(deadline=None)
def test_data_comes_out_as_it_went_in(value: Any) -> None:
    assert _unpacked(packed(value)) == value
    text = str(script_json(value))
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)


@given(st.text(), st.integers(1, 40))
@settings(deadline=None)
def test_what_is_cut_off_is_counted(text: str, most: int) -> None:
    made = cut([text], most=most)[0]
    if len(text) <= most:
        assert made == text
    else:
        assert made["cut"] == text[:most]
        assert made["left_out"] == len(text) - most


@given(st.lists(st.text(max_size=2_000), max_size=20))
@settings(deadline=None)
def test_a_case_of_many_texts_stays_small(texts: list[str]) -> None:
    made = cut(texts, most=1_000, in_all=3_000)
    assert (
        sum(len(one if isinstance(one, str) else one["cut"]) for one in made)
        <= 3_000 + 21 * 200 + 1_000
    )


@given(st.text())
@settings(deadline=None)
def test_shown_text_holds_no_markup_and_no_hidden_order(text: str) -> None:
    inside = str(shown(text)).removeprefix("<bdi>").removesuffix("</bdi>")
    plain = re.sub(r'<span class="hidden-character">U\+[0-9A-F]{4,6}</span>', "", inside)
    assert "<" not in plain
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f]", plain)


@given(st.dictionaries(st.floats(-1e6, 1e6) | st.integers(-5, 5), st.integers(1, 50), min_size=1))
@settings(deadline=None)
def test_every_case_is_in_some_bar(counts: dict[Any, int]) -> None:
    chart = by_value("reward", counts, facet=None)
    assert chart is not None
    assert sum(bar.count for bar in chart.bars) == sum(counts.values())
