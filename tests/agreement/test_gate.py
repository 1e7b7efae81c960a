"""``adjudge gate``: conditions, exit status, JUnit XML; and the fixture for tests."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.agreement.conditions import BadCondition, Condition
from adjudge.agreement.gate import gate
from adjudge.agreement.junit import junit
from commands import adjudge
from running import ENVIRONMENT, ROOT, write_lines

OURS = ["--judge", "tally_judge:TallyJudge"]


def verdict(case: str, score: int | None, **more: Any) -> dict[str, Any]:
    """A verdict's JSON, as far as a gate looks at it."""
    scored = {
        "case_id": case,
        "position": 0,
        "status": "scored",
        "reason": None,
        "scores": {"score": score},
        "unscored": {},
        "success": None if score is None else score >= 3,
        "reward": None if score is None else score / 4,
    }
    return {**scored, **more}


FAILED: dict[str, Any] = {
    "status": "error",
    "reason": "crashed",
    "scores": {},
    "success": None,
    "reward": None,
}
GOOD = [verdict("a", 4), verdict("b", 3), verdict("c", 1)]


def held(verdicts: list[dict[str, Any]], *conditions: tuple[str, str]) -> list[bool]:
    made = [Condition.of(kind, text) for kind, text in conditions]  # type: ignore[arg-type]
    return [outcome.met for outcome in gate(verdicts, made).outcomes]


def test_conditions_are_over_the_run_or_in_each_case() -> None:
    assert held(GOOD, ("min", "success=0.6")) == [True, True]
    assert held(GOOD, ("min", "success=0.7"), ("max", "score=3"), ("min", "reward=0.7")) == [
        True,
        False,
        True,
        False,
    ]
    result = gate(GOOD, [Condition.of("each", "score=3")])
    assert [case.passed for case in result.cases] == [True, True, False]
    assert not result.passed
    assert str(result) == "c: each score ≥ 3: found 1"


def test_what_was_not_judged_fails_a_gate_unless_it_is_allowed() -> None:
    some = [*GOOD, verdict("d", None, **FAILED)]
    assert held(some, ("min", "success=0.6")) == [False, True]
    assert held(some, ("min", "success=0.6"), ("min", "scored=0.7")) == [True, True]
    result = gate(some, [Condition.of("each", "score=1")])
    assert result.outcomes[0].cases == ("d (error: crashed)",)
    assert [case.reason for case in result.cases] == [None, None, None, "error: crashed"]
    assert held([], ("min", "success=0.5")) == [False, False]
    nothing = [verdict("d", None, **FAILED)]
    assert held(nothing, ("min", "success=0.5"), ("min", "scored=0")) == [False, True]


def test_a_dimension_that_does_not_apply_passes_and_one_that_is_open_does_not() -> None:
    result = gate(
        [
            *GOOD,
            verdict("null", None, success=True),
            verdict("open", 4, scores={}, unscored={"score": "needs_model"}),
        ],
        [Condition.of("each", "score=1")],
    )
    assert [case.passed for case in result.cases] == [True, True, True, True, False]
    assert result.cases[-1].failed == ("each score ≥ 1: found nothing (needs_model)",)


@pytest.mark.parametrize("text", ["success", "=1", "success=", "success=x", "score=nan"])
def test_no_condition_is_told(text: str) -> None:
    with pytest.raises(BadCondition, match="expected NAME=NUMBER"):
        Condition.of("min", text)


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("min", "sucess=1", "expected one of scored, newly_failing, score, success, reward"),
        ("each", "sucess=1", "expected one of scored, newly_failing, score, success, reward"),
        ("min", "success.kappa=1", "expected labels"),
        ("max", "newly_failing=0", "expected a run to compare with"),
    ],
)
def test_unknown_names_are_told(kind: Any, text: str, says: str) -> None:
    with pytest.raises(BadCondition, match=says):
        gate(GOOD, [Condition.of(kind, text)])


@given(st.text(), st.text())
def test_junit_is_xml_whatever_a_case_is_called(case: str, reason: str) -> None:
    rows = [verdict(case, 1), verdict("d", None, **{**FAILED, "reason": reason})]
    result = gate(rows, [Condition.of("each", "score=3")])
    suites = ElementTree.fromstring(junit(result, name="run", judge="robot"))
    assert suites.attrib == {"name": "adjudge", "tests": "3", "failures": "2", "errors": "1"}


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Two runs over the same ten cases, of which the second is worse in two; their store."""
    for name, worse in (("first", ()), ("second", (3, 4))):
        rows = [{"id": f"c{n}", "marks": [1] * (1 if n in worse else 4)} for n in range(10)]
        file = write_lines(tmp_path / f"{name}.jsonl", rows)
        adjudge("run", "tally_judge:TallyJudge", file, "--store", tmp_path / "runs.db")
    return ["--store", str(tmp_path / "runs.db")]


def run_ids(where: list[str]) -> list[str]:
    return [line.split()[0] for line in adjudge("runs", *where).stdout.splitlines()[1:]]


def test_the_exit_status_says_whether_all_is_met(runs: list[str], tmp_path: Path) -> None:
    first, second = run_ids(runs)
    fine = adjudge("gate", first, "--min", "success=0.9", "--each", "score=4", *runs)
    assert fine.exit_code == 0
    assert "each case: 10 of 10 pass" in fine.stdout
    xml = tmp_path / "gate.xml"
    worse = adjudge(
        "gate", second, "--min", "success=0.9", "--each", "score=3", "--junit", xml, *runs
    )
    assert worse.exit_code == 1
    assert "NOT MET  success ≥ 0.9: found 0.8 over 10 cases" in worse.stdout
    suites = ElementTree.parse(xml).getroot()
    failed = [
        test.get("name") for test in suites.iter("testcase") if test.find("failure") is not None
    ]
    assert failed == ["success ≥ 0.9", "c3", "c4"]
    assert adjudge("gate", second, *runs).exit_code == 2
    assert adjudge("gate", second, "--min", "sucess=1", *runs).exit_code == 2


def test_newly_failing_cases_are_counted_against_another_run(runs: list[str]) -> None:
    first, second = run_ids(runs)
    more = ["--max", "newly_failing=1", *runs]
    worse = adjudge("gate", second, "--against", first, *more)
    assert worse.exit_code == 1
    assert worse.stdout.splitlines()[-2:] == ["  c3", "  c4"]
    assert adjudge("gate", first, "--against", second, *more).exit_code == 0
    assert "--against" in adjudge("gate", first, *more).stderr


def test_statistics_of_agreement_are_conditions_too(runs: list[str], tmp_path: Path) -> None:
    rows = [
        {"case": f"c{n}", "dimension": "success", "value": n not in (3, 4, 5)} for n in range(10)
    ]
    more = ["--labels", str(write_lines(tmp_path / "labels.jsonl", rows)), *OURS, *runs]
    held = adjudge("gate", "last", "--min", "success.kappa=0.7", *more)
    assert held.exit_code == 0, held.stdout
    assert "met  success.kappa ≥ 0.7: found 0.736842 over 10 cases" in held.stdout
    sure = adjudge("gate", "last", "--min", "success.kappa=0.7", "--confident", *more)
    assert sure.exit_code == 1
    assert "the worse end of 0.736842" in sure.stdout
    unknown = adjudge("gate", "last", "--min", "success.kapa=0.7", *more)
    assert unknown.exit_code == 2
    assert "success.kappa" in unknown.stderr
    vague = adjudge("gate", "last", "--min", "success=0.7", "--confident", *more)
    assert "expected a statistic with an interval" in vague.stderr


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "adjudge.agreement.pytest_plugin", *arguments],
        cwd=folder,
        env={**ENVIRONMENT, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_fixture_judges_in_a_test(tmp_path: Path) -> None:
    cases = [{"id": f"c{n}", "marks": [1] * marks} for n, marks in enumerate((4, 4, 1))]
    write_lines(tmp_path / "cases.jsonl", cases)
    (tmp_path / "test_cases.py").write_text(
        "CASES = 'cases.jsonl'\n"
        "JUDGE = 'tally_judge:TallyJudge'\n"
        "def test_enough(adjudged):\n"
        "    verdicts = adjudged(JUDGE, CASES, min={'success': 0.6}, each={'score': 1})\n"
        "    assert [v.scores['score'] for v in verdicts] == [4, 4, 1]\n"
        "def test_options(adjudged):\n"
        "    adjudged(JUDGE, CASES, options={'limit': 1}, max={'score': 1})\n"
        "def test_not_enough(adjudged):\n"
        "    adjudged(JUDGE, CASES, min={'success': 0.9}, each={'score': 2})\n"
    )
    done = pytest_in(tmp_path)
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "success ≥ 0.9: found 0.666667 over 3 cases" in done.stdout
    assert "c2: each score ≥ 2: found 1" in done.stdout


def test_the_fixture_is_there_wherever_we_are_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"adjudge": "adjudge.agreement.pytest_plugin"}


def test_the_fixture_costs_nothing_until_it_is_used() -> None:
    script = (
        "import sys, adjudge.agreement.pytest_plugin\n"
        "heavy = {'numpy', 'sqlalchemy', 'aiohttp', 'pydantic'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
