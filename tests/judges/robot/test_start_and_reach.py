"""What a start leaves unsaid, how far the robot reaches, and which action model is used."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import adjudge
from adjudge.judges.robot.judge import RobotJudge
from robot_cases import verdict_on

CASE: dict[str, Any] = {
    "instruction": "Put the apple on the table.",
    "scene": {
        "rooms": ["kitchen", "hall"],
        "objects": [
            {"id": "table", "room": "kitchen"},
            {"id": "counter", "room": "kitchen"},
            {"id": "apple", "on": "counter"},
            {"id": "bench", "room": "hall"},
            {"id": "shelf"},
        ],
        "robot": {"room": "kitchen", "near": "counter", "holding": []},
    },
    "plan": ["pick(apple)", "navigate(table)", "place_on(apple, table)"],
}


def case(*plan: str, robot: Any = None) -> dict[str, Any]:
    found = copy.deepcopy(CASE)
    found["plan"] = list(plan) or found["plan"]
    if robot is not None:
        found["scene"]["robot"] = robot
    return found


def unknowns(verdict: Any) -> list[str]:
    return [f.text for f in verdict.findings if f.kind == "unknown_start"]


def test_a_start_that_says_all_is_judged_the_same() -> None:
    for strict in (False, True):
        verdict = verdict_on(case(), strict=strict)
        assert (verdict.scores, unknowns(verdict)) == ({"score": 4}, [])


def test_what_the_start_leaves_unsaid_is_assumed_or_named() -> None:
    assert verdict_on(case(robot={})).scores == {"score": 4}
    verdict = verdict_on(case(robot={}), strict=True)
    assert verdict.scores == {"score": 0}
    assert verdict.details["trace"]["error"]["kind"] == "not_reachable"
    assert "where nobody says" in verdict.details["trace"]["error"]["text"]
    assert unknowns(verdict) == [
        "the scene does not say where the robot starts",
        "the scene does not say what the robot holds",
    ]


def test_a_place_that_nobody_stated_is_nowhere_to_go() -> None:
    plan = ("navigate(shelf)", *CASE["plan"][1:])
    assert verdict_on(case(*plan)).details["trace"]["error"]["step"] == 2
    verdict = verdict_on(case(*plan), strict=True)
    assert verdict.details["trace"]["error"]["step"] == 0
    assert verdict.details["trace"]["error"]["text"].endswith("does not say where shelf is")
    assert unknowns(verdict) == ["the scene does not say where shelf is"]


def test_without_rooms_nothing_can_be_placed_and_nothing_is_missed() -> None:
    bare = case()
    bare["scene"]["rooms"] = []
    bare["scene"]["objects"] = [
        {"id": "table"},
        {"id": "counter"},
        {"id": "apple", "on": "counter"},
    ]
    bare["scene"]["robot"] = {"near": "counter", "holding": []}
    assert verdict_on(bare, strict=True).scores == {"score": 4}


def test_reach_of_a_room() -> None:
    short = case("pick(apple)", "place_on(apple, table)")
    assert verdict_on(short).scores == {"score": 1}
    assert verdict_on(short, reach="room").scores == {"score": 4}
    # the walk is to spare then, and the way without it is shorter
    assert verdict_on(case(), reach="room").rules == ("goal_met", "inefficient")
    far = {**case("pick(apple)", "place_on(apple, bench)"), "goal": {"on": ["apple", "bench"]}}
    verdict = verdict_on(far, reach="room")
    assert verdict.details["trace"]["error"]["kind"] == "not_reachable"


def test_the_action_model_is_the_options_then_the_cases_then_the_household() -> None:
    other = {**case("find(apple)"), "domain": "thor"}
    assert verdict_on(other).details["trace"]["status"] == "success"
    assert verdict_on(other, domain="household").details["trace"]["status"] == "failed"
    assert verdict_on(case("find(apple)")).details["trace"]["status"] == "failed"


@pytest.mark.parametrize("domain", ["no_such", "virtualhome"])
def test_an_action_model_that_does_not_fit_is_named(domain: str) -> None:
    (verdict,) = adjudge.judge(RobotJudge(), [{**case(), "domain": domain}], method="symbolic")
    assert verdict.status == "error"
    assert domain in str(verdict.details) + str(verdict.reason)
