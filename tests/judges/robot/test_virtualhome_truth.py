"""Agreement with the executor's labels on real households, where the shared data is here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import adjudge
from adjudge.contract import Verdict
from adjudge.judges.robot.judge import RobotJudge
from robot_cases import SHARED

TASKS = SHARED / "data" / "robot" / "virtualhome_tasks.jsonl"
FULL = SHARED / "data" / "robot" / "virtualhome_full" / "file27_2.json"

pytestmark = pytest.mark.skipif(not TASKS.exists(), reason="the folder of shared data is not here")

CLASSES = {
    "MISSING_STEP": "missing_step",
    "WRONG_TEMPORAL_ORDER": "wrong_order",
    "AFFORDANCE_ERROR": "affordance",
    "UNASSIGNED": None,
}
PLACES = ("CLOSE", "FACING", "INSIDE")

Plan = tuple[dict[str, Any], Verdict]


def tasks() -> list[dict[str, Any]]:
    return [json.loads(line) for line in TASKS.read_text("utf-8").splitlines()]


def plans(records: list[dict[str, Any]], **options: Any) -> list[Plan]:
    verdicts = adjudge.judge(RobotJudge(**options), records, method="symbolic")
    given = [plan for record in records for plan in record["plans"]]
    assert [v.case_id for v in verdicts] == [plan["id"] for plan in given]
    return list(zip(given, verdicts, strict=True))


@pytest.fixture(scope="module")
def judged() -> list[Plan]:
    return plans(tasks())


def decided(verdict: Verdict) -> bool:
    return verdict.rules[0] in ("empty_trace", "navigation_only")


def share(same: Iterator[bool]) -> float:
    found = list(same)
    return sum(found) / len(found)


def test_what_executes(judged: list[Plan]) -> None:
    traces = [(plan["label"], verdict.details["trace"]) for plan, verdict in judged]
    assert share(t["executed_indexes"] == label["executed"] for label, t in traces) >= 0.99
    assert share((t["status"] == "success") is label["executable"] for label, t in traces) >= 0.99


def test_the_class_of_error(judged: list[Plan]) -> None:
    failed = []
    for plan, verdict in judged:
        stopping = [e for e in plan["label"]["errors"] if e["error"] != "ADDITIONAL_STEP"]
        error = verdict.details["trace"]["error"]
        if stopping and error:
            wanted = (stopping[-1]["step"], CLASSES[stopping[-1]["error"]])
            failed.append((error["step"], error["class"]) == wanted)
    assert len(failed) > 300
    assert share(iter(failed)) >= 0.95


def test_whether_the_goal_is_reached(judged: list[Plan]) -> None:
    met = [
        verdict.details["goal"]["met"] is plan["label"]["goal_satisfied"]
        for plan, verdict in judged
    ]
    assert share(iter(met)) >= 0.995


def test_success_follows_the_goal(judged: list[Plan]) -> None:
    for plan, verdict in judged:
        if not decided(verdict):
            assert verdict.success is plan["label"]["goal_satisfied"], plan["id"]


def test_what_kinds_of_plans_score(judged: list[Plan]) -> None:
    for plan, verdict in judged:
        label, score = plan["label"], verdict.scores["score"]
        if plan["mutation"] == "nav_only":
            assert score == 0
        if decided(verdict):
            continue
        if plan["mutation"] == "gold" and label["goal_satisfied"]:
            assert score in (3, 4)
        if label["goal_satisfied"] and not label["executable"]:
            assert (score, verdict.rules) == (3, ("goal_met", "crash_after_goal"))


def test_goals_of_place_follow_the_label_where_the_option_says_so() -> None:
    records = [
        record
        for record in tasks()
        if not record["goal"]["actions"]
        and all(fact.get("relation_type") in PLACES for fact in record["goal"]["goal"])
    ]
    assert len(records) >= 5
    for plan, verdict in plans(records, navigation_goals=True):
        if verdict.rules[0] != "empty_trace":
            assert verdict.success is plan["label"]["goal_satisfied"], plan["id"]


def test_a_full_scene_gives_the_same_as_a_pruned_one() -> None:
    if not FULL.exists():
        pytest.skip("the full scene is not here")
    scene = json.loads(FULL.read_text("utf-8"))["init_graph"]
    names = {node["id"]: node["class_name"] for node in scene["nodes"]}
    fitting = [
        {**record, "scene": scene}
        for record in tasks()
        if all(names.get(n["id"]) == n["class_name"] for n in record["scene"]["nodes"])
        and not any(n["states"] for n in record["scene"]["nodes"] if n["class_name"] == "character")
    ][:12]
    assert fitting
    for plan, verdict in plans(fitting):
        # the scenes differ in what is open or on, so only what no state decides is the same
        if not any(word in step for step in plan["script"] for word in ("OPEN", "SWITCH", "PLUG")):
            assert verdict.status == "scored"
            assert verdict.details["trace"]["executed_indexes"] == plan["label"]["executed"]
