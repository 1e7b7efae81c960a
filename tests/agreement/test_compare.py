"""``adjudge diff``: two runs, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudge.agreement.compare import Comparison
from commands import adjudge
from running import write_lines

contingency = pytest.importorskip("statsmodels.stats.contingency_tables")

OURS = ["--judge", "tally_judge:TallyJudge"]


def a_run(tmp_path: Path, name: str, cases: list[dict[str, Any]], *more: str) -> str:
    """The id of a run over cases in a file of their own."""
    file = write_lines(tmp_path / f"{name}.jsonl", cases)
    done = adjudge("run", "tally_judge:TallyJudge", file, *more, "--store", tmp_path / "runs.db")
    return done.stdout.split()[1]


def marked(n: int, marks: int, **more: Any) -> dict[str, Any]:
    return {"id": f"c{n}", "marks": [1] * marks, "meta": {"task": n // 3}, **more}


def compared(tmp_path: Path, *arguments: str | Path) -> Comparison:
    done = adjudge("diff", *arguments, *OURS, "--store", tmp_path / "runs.db", "--json")
    assert done.exit_code == 0, done.stderr
    return Comparison.model_validate_json(done.stdout)


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    """Runs over thirty cases: one in three falls by 3 marks, one in ten rises; one case each that
    the other lacks, and one that cannot be judged any more."""
    before = [marked(n, 4 if n % 3 == 0 else n % 4) for n in range(30)]
    after = [marked(n, 1 if n % 3 == 0 else min(4, n % 4 + (n % 10 == 7))) for n in range(29)] + [
        marked(29, 0, text="no opinion")
    ]
    first = a_run(tmp_path, "before", [*before, marked(98, 2)])
    second = a_run(tmp_path, "after", [*after, marked(99, 2)])
    return first, second


def test_cases_are_paired_by_id(two: tuple[str, str], tmp_path: Path) -> None:
    found = compared(tmp_path, *two)
    assert (found.cases, found.only_before, found.only_after) == (30, 1, 1)
    assert found.newly_failing == tuple(f"c{n}" for n in range(0, 29, 3))
    assert found.newly_unscored == ("c29",)
    by_name = {one.name: one for one in found.differences}
    success, score = by_name["success"], by_name["score"]
    assert (score.n, success.n) == (29, 29)
    assert score.changed == score.up + score.down
    assert score.down == 10
    rises = len(found.newly_passing)
    assert success.p_value == pytest.approx(
        contingency.mcnemar([[0, 10], [rises, 0]], exact=True).pvalue
    )
    assert score.mean.value is not None
    assert score.mean.value == pytest.approx((score.up - 3 * 10) / 29)
    assert score.mean.low is not None
    assert score.mean.high is not None
    assert score.mean.low < score.mean.value < score.mean.high < 0
    assert score.before.value is not None
    assert score.after.value is not None
    assert score.after.value == pytest.approx(score.before.value + score.mean.value)
    assert score.changes[0].before == 4
    assert score.changes[0].after == 1


def test_labels_say_which_run_is_right(two: tuple[str, str], tmp_path: Path) -> None:
    rows = [{"case": f"c{n}", "dimension": "success", "value": n % 3 == 0} for n in range(12)]
    labels = write_lines(tmp_path / "labels.jsonl", rows)
    [success] = compared(tmp_path, *two, "--labels", labels).labelled
    assert success.n == 12
    assert success.only_before == 4
    assert success.both + success.only_before + success.only_after + success.neither == 12
    table = [[success.both, success.only_before], [success.only_after, success.neither]]
    assert success.p_value == pytest.approx(contingency.mcnemar(table, exact=True).pvalue)


def test_a_run_beside_itself_has_no_difference(two: tuple[str, str], tmp_path: Path) -> None:
    found = compared(tmp_path, two[0], two[0])
    assert found.newly_failing == found.newly_passing == found.newly_unscored == ()
    for difference in found.differences:
        assert (difference.changed, difference.mean.value) == (0, 0)
        assert difference.mean.reason == "every resample gives the same value"
    [success] = [one for one in found.differences if one.name == "success"]
    assert success.p_value == 1


def test_the_table_names_what_changed(two: tuple[str, str], tmp_path: Path) -> None:
    where = ["--store", str(tmp_path / "runs.db")]
    shown = adjudge("diff", *two, *OURS, *where).stdout
    assert "newly failing: 10: c0, c3, c6" in shown
    assert "newly without a verdict: 1: c29" in shown
    assert "c0: score 4 to 1" in shown
    assert shown.splitlines()[-1].startswith(f"One case: adjudge show {two[1]}")


def test_runs_without_a_case_in_common_are_told(two: tuple[str, str], tmp_path: Path) -> None:
    other = a_run(tmp_path, "other", [{"id": "x", "marks": [1]}])
    done = adjudge("diff", two[0], other, *OURS, "--store", tmp_path / "runs.db")
    assert done.exit_code == 2
    assert "expected cases of the same ids, found none (31 and 1 cases)" in done.stderr
