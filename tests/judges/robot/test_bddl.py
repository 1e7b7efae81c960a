"""BEHAVIOR problems: their texts, BDDL's quantifiers, the action model, the real gold plans."""

from __future__ import annotations

import json
from typing import Any

import pytest

import adjudge
from adjudge.contract import CaseError, Verdict
from adjudge.judges.robot.readers.bddl import read_problem
from adjudge.judges.robot.readers.sexpr import read_sexpr
from robot_cases import SHARED

BEHAVIOR = SHARED / "data" / "robot" / "behavior"

OBJECTS = """agent.n.01_1 - agent.n.01
  basket.n.01_1 basket.n.01_2 - basket.n.01
  bow.n.08_1 bow.n.08_2 bow.n.08_3 - bow.n.08
  rag.n.01_1 - rag.n.01 sink.n.01_1 - sink.n.01 table.n.02_1 - table.n.02"""
INIT = """(ontop bow.n.08_1 table.n.02_1) (ontop bow.n.08_2 table.n.02_1)
  (ontop bow.n.08_3 table.n.02_1) (stained table.n.02_1) (not (dusty sink.n.01_1))
  (open basket.n.01_1) (inroom table.n.02_1 kitchen) ; the rest is not so
"""


def problem(goal: str) -> str:
    return f"""(define (problem tidy_up_0) (:domain igibson)
      (:objects {OBJECTS}) (:init {INIT}) (:goal {goal}))"""


def put(bow: int, basket: int) -> list[str]:
    return [
        f"navigate_to bow_n_08_{bow} agent_n_01_1",
        f"grasp bow_n_08_{bow} agent_n_01_1",
        f"navigate_to basket_n_01_{basket} agent_n_01_1",
        f"place_inside bow_n_08_{bow} basket_n_01_{basket} agent_n_01_1",
    ]


OPEN_2 = ["navigate_to basket_n_01_2", "open basket_n_01_2"]


def judged(goal: str, plan: list[str]) -> Verdict:
    (verdict,) = adjudge.judge(
        "robot", [{"id": "p", "problem": problem(goal), "plan": plan}], method="symbolic"
    )
    return verdict


IN_1 = "(inside ?bow.n.08 basket.n.01_1)"


@pytest.mark.parametrize(
    ("goal", "plan", "met"),
    [
        ("(and (inside bow.n.08_1 basket.n.01_1))", put(1, 1), True),
        (f"(forall (?bow.n.08 - bow.n.08) {IN_1})", put(1, 1) + put(2, 1), False),
        (f"(forall (?bow.n.08 - bow.n.08) {IN_1})", put(1, 1) + put(2, 1) + put(3, 1), True),
        (f"(exists (?bow.n.08 - bow.n.08) {IN_1})", put(3, 1), True),
        (f"(not (exists (?bow.n.08 - bow.n.08) {IN_1}))", put(3, 1), False),
        (f"(forn (2) (?bow.n.08 - bow.n.08) {IN_1})", put(1, 1) + put(2, 1), True),
        (f"(forn (2) (?bow.n.08 - bow.n.08) {IN_1})", put(1, 1), False),
        # exactly two: a third is one too many
        (f"(forn (2) (?bow.n.08 - bow.n.08) {IN_1})", put(1, 1) + put(2, 1) + put(3, 1), False),
        (
            "(forpairs (?b - bow.n.08) (?k - basket.n.01) (inside ?b ?k))",
            put(1, 1) + OPEN_2 + put(2, 2),
            True,
        ),
        (
            "(forpairs (?b - bow.n.08) (?k - basket.n.01) (inside ?b ?k))",
            put(1, 1) + put(2, 1),
            False,
        ),
        ("(fornpairs (1) (?b - bow.n.08) (?k - basket.n.01) (inside ?b ?k))", put(1, 1), True),
        ("(imply (open basket.n.01_2) (inside bow.n.08_1 basket.n.01_2))", put(1, 1), True),
        ("(imply (open basket.n.01_1) (inside bow.n.08_2 basket.n.01_1))", put(1, 1), False),
        ("(or (open basket.n.01_2) (not (stained table.n.02_1)))", OPEN_2, True),
    ],
)
def test_goals_with_quantifiers(goal: str, plan: list[str], met: bool) -> None:
    verdict = judged(goal, plan)
    assert verdict.details["trace"]["status"] == "success"
    assert verdict.details["goal"]["met"] is met


CLEAN = [
    "navigate_to rag_n_01_1",
    "grasp rag_n_01_1",
    "navigate_to sink_n_01_1",
    "soak rag_n_01_1 sink_n_01_1",
    "navigate_to table_n_02_1",
    "clean_stained_rag rag_n_01_1 table_n_02_1",
]


@pytest.mark.parametrize(
    ("plan", "kind", "error_class"),
    [
        (["grasp bow_n_08_1"], "wrong_state", "missing_step"),
        (
            [*put(1, 1)[:2], "navigate_to bow_n_08_2", "grasp bow_n_08_2"],
            "hands_full",
            "wrong_order",
        ),
        (put(1, 2), "wrong_state", "missing_step"),
        (CLEAN[:4], "wrong_state", "missing_step"),
        (
            [*put(1, 1)[:2], "navigate_to sink_n_01_1", "toggle_on sink_n_01_1"],
            "hands_full",
            "wrong_order",
        ),
        (["navigate_to sink_n_01_1", "fly sink_n_01_1"], "unknown_action", "hallucination"),
        (["navigate_to moon_n_01_1"], "unknown_object", "hallucination"),
    ],
)
def test_a_step_fails(plan: list[str], kind: str, error_class: str) -> None:
    error = judged("(and (not (stained table.n.02_1)))", plan).details["trace"]["error"]
    assert (error["kind"], error["class"], error["step"]) == (kind, error_class, len(plan) - 1)


def test_cleaning_with_a_soaked_rag() -> None:
    plan = ["(navigate_to sink_n_01_1 agent_n_01_1)", "toggle_on(sink_n_01_1)", *CLEAN]
    verdict = judged("(and (not (stained table.n.02_1)))", plan)
    assert (verdict.scores, verdict.rules) == ({"score": 4}, ("goal_met", "efficient"))
    again = judged("(and (not (stained table.n.02_1)))", [*plan, "navigate_to table_n_02_1"])
    assert again.rules == ("goal_met", "inefficient")
    assert "additional_step" in {finding.kind for finding in again.findings}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(and (open x)", "a closing bracket"),
        ("(and))", "a bracket that was opened"),
        ("nothing", "one expression in brackets"),
        ("(" * 100 + ")" * 100, "at most 60 brackets in each other"),
    ],
)
def test_a_broken_text_is_named(text: str, expected: str) -> None:
    with pytest.raises(CaseError) as caught:
        read_sexpr(text, "problem")
    assert (caught.value.field, caught.value.expected) == ("problem", expected)


@pytest.mark.parametrize(
    "goal",
    [
        "(and (tasty bow.n.08_1))",
        "(inside bow.n.08_1)",
        "(forn (many) (?b - bow.n.08) (open ?b))",
        "(forall (b - bow.n.08) (open b))",
        "()",
        "(and (inside (bow) basket.n.01_1))",
    ],
)
def test_a_goal_that_says_nothing_is_named(goal: str) -> None:
    with pytest.raises(CaseError) as caught:
        read_problem(problem(goal))
    assert caught.value.field == "problem.:goal"
    assert caught.value.found


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({"problem": "(define (problem x) (:objects a))", "plan": []}, "problem"),
        ({"problem": problem("(and)"), "plan": "open"}, "plan"),
        ({"problem": problem("(and)") + ")", "plan": []}, "problem"),
    ],
)
def test_a_bad_record_is_named(record: dict[str, Any], field: str) -> None:
    (verdict,) = adjudge.judge("robot", [{"id": "p", **record}], method="symbolic")
    assert verdict.status == "error"
    assert verdict.details["error"]["field"] == field


@pytest.mark.skipif(not BEHAVIOR.exists(), reason="the folder of shared data is not here")
def test_real_problems_and_their_gold_plans() -> None:
    plans = json.loads((BEHAVIOR / "gold_pddl_plan.json").read_text("utf-8"))
    paths = sorted((BEHAVIOR / "problem_pddl").glob("*.pddl"))
    records = [
        {"id": p.stem, "problem": p.read_text("utf-8"), "plan": plans[p.stem]} for p in paths
    ]
    verdicts = adjudge.judge("robot", records, method="symbolic")
    assert len(verdicts) == 100
    assert all(v.details["trace"]["status"] == "success" for v in verdicts)
    failed = [v for v in verdicts if v.details["goal"]["met"] is not True]
    # three goals want a thing on or next to itself
    assert len(failed) <= 3
    assert all(v.success for v in verdicts if v.details["goal"]["met"])
