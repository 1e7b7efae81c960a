"""``adjudge agree``: the whole page, on labels of a simulator and of people."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.agreement.page import AgreementPage
from adjudge.judges.robot.judge import RobotJudge
from adjudge.judges.social.judge import SocialJudge
from commands import adjudge
from running import ROOT, write_lines
from scripted import verdict_of
from scripted_models import Always, run_with

metrics = pytest.importorskip("sklearn.metrics")
krippendorff = pytest.importorskip("krippendorff")

TASKS = ROOT.parent / "shared" / "data" / "robot" / "virtualhome_tasks.jsonl"
OURS = ["--judge", "tally_judge:TallyJudge"]
needs_tasks = pytest.mark.skipif(not TASKS.exists(), reason="the folder of shared data is not here")
SATISFIED = ["--label", "success=goal_satisfied"]


def page_of(*arguments: str | Path) -> AgreementPage:
    done = adjudge("agree", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    assert "NaN" not in done.stdout
    return AgreementPage.model_validate_json(done.stdout)


def first_tasks(tmp_path: Path, count: int) -> Path:
    with TASKS.open() as lines:
        some = [line.strip() for line in itertools.islice(lines, count)]
    return write_lines(tmp_path / "tasks.jsonl", some)


@needs_tasks
def test_the_page_of_virtualhome_by_symbolic(tmp_path: Path) -> None:
    where = ["--store", str(tmp_path / "runs.db")]
    adjudge("run", "robot", TASKS, "--method", "symbolic", *where)
    page = page_of("last", *SATISFIED, *where)
    assert (page.cases, page.clusters) == (1822, 228)
    [success] = page.dimensions
    assert (success.name, success.n, success.unlabelled) == ("success", 1822, 0)
    assert success.confusion is not None
    assert sum(map(sum, success.confusion.counts)) == 1822
    accuracy, kappa = success.figures["accuracy"], success.figures["kappa"]
    assert accuracy.value is not None
    assert kappa.value is not None
    assert success.majority.value is not None
    assert accuracy.value > 0.95 > success.majority.value
    assert kappa.value > 0.9
    assert kappa.low is not None
    assert kappa.low > 0.85

    # the same from the labels and verdicts themselves
    labels = {
        plan["id"]: plan["label"]["goal_satisfied"]
        for line in TASKS.read_text().splitlines()
        for plan in json.loads(line)["plans"]
    }
    verdicts = adjudge("show", "last", "--json", "--limit", "0", *where).stdout.splitlines()
    judged = {v["case_id"]: v["success"] for v in map(json.loads, verdicts)}
    truth = [labels[case] for case in judged]
    assert kappa.value == pytest.approx(metrics.cohen_kappa_score(list(judged.values()), truth))
    rates = success.rates
    assert rates is not None
    assert rates.true_positive.value == pytest.approx(
        metrics.recall_score(truth, list(judged.values()))
    )

    shown = adjudge("agree", "last", *SATISFIED, *where).stdout
    for text in ("Cohen's kappa", "Gwet's AC1", "true-negative rate", "(PPI++)", "1,822 pairs"):
        assert text in shown
    command = shown.split("the worst disagreements:")[1].splitlines()[2].split()
    assert command[2:5] == ["adjudge", "show", page.run]
    case = adjudge(*command[3:])
    assert case.exit_code == 0
    assert "success" in case.stdout


@needs_tasks
def test_bare_against_bounded_for_a_judge_that_always_says_4(tmp_path: Path) -> None:
    cases, store = first_tasks(tmp_path, 25), tmp_path / "runs.db"
    run_with(Always(verdict_of(4)), RobotJudge(always_ask=True), "llm", cases, store)
    page = page_of("last", *SATISFIED, "--store", store)
    bounds = page.bounds
    assert bounds is not None
    assert (bounds.settled, bounds.asked) == (0, 200)
    assert bounds.needless > 180
    sides = {side.name: side for side in bounds.sides}
    success = sides["success"]
    assert success.n == 200
    bare, bounded = success.bare["accuracy"].value, success.bounded["accuracy"].value
    assert bare is not None
    assert bounded is not None
    # who always says 4 is as right as the share of successes, and no better than chance
    [dimension] = page.dimensions
    assert bare == pytest.approx(dimension.majority.value)
    assert success.bare["kappa"].value == 0
    assert bounded > 0.9 > bare
    assert bounded - bare == pytest.approx((success.put_right - success.put_wrong) / 200)
    by_rule = {rule.rule: rule for rule in bounds.rules}
    assert sum(rule.put_right for rule in bounds.rules) >= success.put_right
    assert by_rule["navigation_only"].put_right > by_rule["navigation_only"].put_wrong
    assert by_rule["inefficient"].held > 0

    shown = adjudge("agree", "last", *SATISFIED, "--store", store).stdout
    assert "bare against bounded: 0 verdicts needed no call; 200 rest on a model's answer" in shown
    assert "navigation_only" in shown


@needs_tasks
def test_calls_that_bounds_saved_are_counted(tmp_path: Path) -> None:
    cases = first_tasks(tmp_path, 12)
    model, store = Always(verdict_of(4)), tmp_path / "runs.db"
    run_with(model, RobotJudge(), "llm", cases, store)
    bounds = page_of("last", *SATISFIED, "--store", store).bounds
    assert bounds is not None
    assert bounds.settled + bounds.asked == 96
    assert bounds.settled > 80
    assert bounds.needless == 0


@pytest.fixture
def tally(tmp_path: Path) -> list[str]:
    """A run of sixty cases in twelve tasks, scored 0 to 4; how to name it."""
    cases = [{"id": f"c{n}", "marks": [1] * (n % 5), "meta": {"task": n // 5}} for n in range(60)]
    write_lines(tmp_path / "cases.jsonl", [*cases, {"id": "odd", "text": "no opinion"}])
    where = ["--store", str(tmp_path / "runs.db")]
    adjudge("run", "tally_judge:TallyJudge", tmp_path / "cases.jsonl", *where)
    return [*OURS, *where]


def people(tmp_path: Path, noise: float, names: str = "abc") -> Path:
    random = np.random.default_rng(1)
    rows = [
        {
            "case": f"c{n}",
            "annotator": name,
            "dimension": "score",
            "value": int(np.clip(n % 5 + round(random.normal() * noise), 0, 4)),
        }
        for n in range(60)
        for name in names
    ]
    odd = {"case": "odd", "annotator": "a", "dimension": "score", "value": 2}
    return write_lines(tmp_path / "people.jsonl", [*rows, odd])


def test_several_people_are_the_ceiling(tally: list[str], tmp_path: Path) -> None:
    file = people(tmp_path, 0.8)
    page = page_of("last", "--labels", file, *tally)
    [score] = page.dimensions
    assert (score.n, score.clusters) == (60, 12)
    assert score.unjudged == {"skipped: nothing_to_count": 1}
    assert score.people is not None
    assert score.people.annotators == {"a": 61, "b": 60, "c": 60}
    rows = [json.loads(line) for line in file.read_text().splitlines()[:-1]]
    given = np.array([row["value"] for row in rows], float).reshape(60, 3)
    alpha = krippendorff.alpha(given.T, value_domain=range(5), level_of_measurement="ordinal")
    assert score.people.among.alpha.value == pytest.approx(alpha)
    equal = np.mean([a == b for r in given for a, b in itertools.combinations(r, 2)])
    assert score.people.among.equal.value == pytest.approx(equal)
    judge = score.people.with_judge.alpha.value
    assert judge is not None
    # the judge is what the people scatter around
    assert judge > alpha
    assert score.alt_test is not None
    assert score.alt_test.passed
    # the labels count as their median
    median = np.median(given, axis=1)
    mae = score.figures["mae"].value
    assert mae == pytest.approx(np.abs(median - np.arange(60) % 5).mean())
    shown = adjudge("agree", "last", "--labels", file, *tally).stdout
    assert "people among themselves" in shown
    assert "the judge may stand in for a person; winning rate 1.000 of 3 annotators" in shown


def test_one_annotator_is_no_ceiling_and_can_be_chosen(tally: list[str], tmp_path: Path) -> None:
    file = people(tmp_path, 0.8)
    [score] = page_of("last", "--labels", file, "--annotator", "b", *tally).dimensions
    assert score.people is None
    assert score.alt_test is None
    [two] = page_of("last", "--labels", people(tmp_path, 0.8, "ab"), *tally).dimensions
    assert two.alt_test is not None
    assert two.alt_test.reason == "needs 3 annotators with 30 shared cases each, has 2"
    none = adjudge("agree", "last", "--labels", file, "--annotator", "zoe", *tally)
    assert "expected labels by zoe of its dimensions" in none.stderr


def test_clusters_make_intervals_wider(tally: list[str], tmp_path: Path) -> None:
    rows = [
        {"case": f"c{n}", "dimension": "success", "value": n // 5 % 3 > 0 or n % 5 > 2}
        for n in range(60)
    ]
    file = write_lines(tmp_path / "labels.jsonl", rows)
    [by_task] = page_of("last", "--labels", file, *tally).dimensions
    [alone] = page_of("last", "--labels", file, "--cluster", "id", *tally).dimensions
    wide, narrow = by_task.figures["accuracy"], alone.figures["accuracy"]
    assert wide.value == narrow.value
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low
    assert (by_task.clusters, alone.clusters) == (12, 60)


def test_the_part_that_is_labelled_corrects_the_whole(tally: list[str], tmp_path: Path) -> None:
    rows = [
        {"case": f"c{n}", "dimension": "success", "value": n % 5 > 2 or n % 15 == 1}
        for n in range(45)
    ]
    page = page_of("last", "--labels", write_lines(tmp_path / "labels.jsonl", rows), *tally)
    [success] = page.dimensions
    rates = success.rates
    assert rates is not None
    assert (success.n, success.unlabelled) == (45, 16)
    assert rates.judged.value == pytest.approx(24 / 60)
    for corrected in (rates.corrected, rates.powered):
        assert corrected.value is not None
        assert corrected.value > 24 / 60
        assert corrected.low is not None
        assert corrected.low < corrected.value
    # 3 of 21 successes missed, none of 24 failures: of the last 15 cases 6, and one missed, succeed
    assert rates.true_positive.value == pytest.approx(18 / 21)
    assert rates.corrected.value == pytest.approx((21 + 15 * (0.4 / (18 / 21))) / 60)


def test_one_label_says_little_and_says_so(tally: list[str], tmp_path: Path) -> None:
    row = {"case": "c3", "dimension": "success", "value": True}
    [success] = page_of(
        "last", "--labels", write_lines(tmp_path / "one.jsonl", [row]), *tally
    ).dimensions
    assert success.figures["kappa"].value is None
    assert success.figures["kappa"].reason == "judge and labels give one and the same value"
    assert success.rates is not None
    assert success.rates.true_negative.reason == "no failures"
    assert success.rates.corrected.reason is not None
    shown = adjudge("agree", "last", "--labels", tmp_path / "one.jsonl", *tally).stdout
    assert "undefined  judge and labels give one and the same value" in shown
    assert "nan" not in shown.lower()


def test_turns_of_dialogues_are_compared_together(tmp_path: Path) -> None:
    turns = [{"speaker": s, "text": t} for s, t in (("Ann", "Hi"), ("Bo", "No"), ("Ann", "Please"))]
    case = {"agent": "Ann", "agents": ["Ann", "Bo"], "goals": {"Ann": "a yes"}, "turns": turns}
    rated = [{**case, "id": f"d{n}", "label": {"0": n % 4, "2": 3}} for n in range(6)]
    cases = write_lines(tmp_path / "dialogues.jsonl", rated)
    store = tmp_path / "runs.db"
    model = Always({"analysis": "It asks.", "importance": 2})
    run_with(model, SocialJudge(), "utterance_quality", cases, store)
    [parts] = page_of("last", "--store", store).dimensions
    assert (parts.name, parts.n) == ("parts", 12)
    assert {one.dimension for one in parts.worst} == {"0", "2"}
    assert parts.figures["spearman"].reason == "the judge gives one value throughout"


def test_what_is_off_the_scale_in_a_case_is_named(tmp_path: Path) -> None:
    plan: dict[str, Any] = {"instruction": "Pick up the mug.", "plan": ["pick(mug)"]}
    rows = [
        {**plan, "id": "good", "label": {"score": 4}},
        {**plan, "id": "bad", "label": {"score": "4 stars"}},
    ]
    where = ["--store", str(tmp_path / "runs.db")]
    adjudge("run", "robot", write_lines(tmp_path / "plans.jsonl", rows), *where)
    page = page_of("last", *where)
    assert page.refused == (
        "case 'bad': label.score: expected an integer from 0 to 4, found '4 stars'",
    )
    assert page.dimensions[0].n == 1
    assert "left out: 1 labels that are none" in adjudge("agree", "last", *where).stdout


def test_without_numpy_the_command_says_what_to_install(
    tally: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    done = adjudge("agree", "last", *tally)
    assert done.exit_code == 2
    assert "pip install 'adjudge[stats]'" in done.stderr
