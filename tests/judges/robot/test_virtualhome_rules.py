"""The rules of the VirtualHome action model, each by a small example."""

from __future__ import annotations

from typing import Any

import pytest

import adjudge
from virtualhome_home import home, judged

STUCK = [
    # what the last step lacks: its kind and class
    (["lookat television"], "wrong_state", "missing_step"),
    (
        ["walk sofa", "turnto television", "walk sofa", "lookat television"],
        "wrong_state",
        "wrong_order",
    ),
    (["grab cup"], "not_reachable", "missing_step"),
    (["walk cup", "walk sofa", "grab cup"], "not_reachable", "wrong_order"),
    # at the table the cup was in reach, but the robot never stood at the cup itself
    (["walk table", "walk sofa", "grab cup"], "not_reachable", "missing_step"),
    (["walk fridge", "grab milk"], "container_closed", "missing_step"),
    (["walk cup", "grab cup", "walk fridge", "putin cup fridge"], "container_closed", "affordance"),
    (["walk table", "putback cup table"], "not_holding", "missing_step"),
    (
        ["walk cup", "grab cup", "putback cup table", "putback cup table"],
        "not_holding",
        "wrong_order",
    ),
    (["putobjback cup"], "not_holding", None),
    (["walk table", "grab table"], "no_affordance", "affordance"),
    (["walk table", "grab cup", "grab bread", "grab knife"], "hands_full", "wrong_order"),
    (
        ["walk table", "grab cup", "grab bread", "walk fridge", "open fridge"],
        "hands_full",
        "wrong_order",
    ),
    (["walk chair", "sit chair", "walk table"], "wrong_state", "wrong_order"),
    (["walk chair", "sit chair", "find television"], "wrong_state", "wrong_order"),
    # getting up leaves the robot on its chair, and a chair holds one
    (["walk chair", "sit chair", "standup", "sit chair"], "wrong_state", "missing_step"),
    # a book and the robot: two are too many to lie down
    (["walk sofa", "sit sofa", "lie sofa"], "wrong_state", "missing_step"),
    (["walk table", "sit table"], "no_affordance", "affordance"),
    (["sleep"], "wrong_state", "missing_step"),
    (["walk sofa", "lie sofa", "standup", "sleep"], "wrong_state", "wrong_order"),
    (["walk sofa", "sit sofa", "standup", "sleep"], "wrong_state", "missing_step"),
    (["walk table", "switchon table"], "no_affordance", "affordance"),
    (["turnto television", "watch television"], "not_reachable", "affordance"),
    (["walk bread", "cut bread"], "not_holding", "missing_step"),
    (["walk table", "wipe table"], "not_holding", "missing_step"),
    (["walk hat", "puton hat"], "not_holding", "missing_step"),
    (["walk cup", "grab cup", "puton cup"], "no_affordance", "affordance"),
    (["putoff hat"], "wrong_state", "missing_step"),
    (["walk novel", "read novel"], "not_holding", "missing_step"),
    (["find face"], "not_reachable", "missing_step"),
    (["walk wall", "pull wall"], "no_affordance", "affordance"),
    (["walk wall", "squeeze wall"], "no_affordance", "affordance"),
    (["greet wall"], "no_affordance", "affordance"),
    (["dance table"], "unknown_action", "hallucination"),
    (["walk"], "wrong_arity", "malformed"),
]


@pytest.mark.parametrize(("steps", "kind", "error_class"), STUCK, ids=lambda v: str(v)[:60])
def test_a_step_fails(steps: list[str], kind: str, error_class: str | None) -> None:
    trace = judged(steps).details["trace"]
    assert trace["executed_indexes"] == list(range(len(steps) - 1))
    assert trace["error"]["kind"] == kind
    assert trace["error"]["class"] == error_class
    assert trace["error"]["step"] == len(steps) - 1


FINE = [
    ["walk table", "grab cup"],
    ["walk fridge", "open fridge", "grab milk"],
    ["walk table", "grab cup", "grab bread", "walk fridge", "putback cup fridge"],
    ["walk cup", "grab cup", "putobjback cup"],
    ["walk cup", "grab cup", "walk fridge", "open fridge", "putin cup fridge", "close fridge"],
    ["walk chair", "sit chair", "standup", "walk table"],
    ["walk sofa", "lie sofa", "sit sofa", "sleep", "wakeup"],
    # on the sofa the robot faces what the sofa faces
    ["walk sofa", "sit sofa", "watch television"],
    ["walk window", "open window"],
    ["walk television", "touch face", "wash face"],
    ["walk wall", "grab water"],
    ["walk wall", "push wall"],
    ["walk table", "grab knife", "cut bread", "eat bread", "eat table"],
    ["walk hat", "grab hat", "puton hat", "find hat", "putoff hat"],
    ["walk table", "grab cup", "drink cup", "wipe table", "drop cup", "grab cup"],
    ["run chair", "pull chair", "move chair"],
    ["turnto television", "lookat television", "pointat television"],
    ["walk television", "type television", "plugout television", "plugin television"],
    ["walk novel", "grab novel", "read novel"],
]


@pytest.mark.parametrize("steps", FINE, ids=lambda v: str(v)[:60])
def test_all_steps_execute(steps: list[str]) -> None:
    trace = judged(steps).details["trace"]
    assert (trace["error"], trace["executed_indexes"]) == (None, list(range(len(steps))))


LEFT_OUT = [
    ["walk cup", "grab cup", "grab cup"],
    ["walk chair", "sit chair", "sit chair"],
    ["walk sofa", "lie sofa", "lie sofa"],
    ["standup"],
    ["walk fridge", "open fridge", "open fridge"],
    ["walk fridge", "close fridge"],
    ["walk television", "switchon television", "switchon television"],
    ["walk television", "switchoff television"],
    ["walk television", "plugout television", "switchon television"],
    ["walk television", "plugin television"],
]


@pytest.mark.parametrize("steps", LEFT_OUT, ids=lambda v: str(v)[:60])
def test_an_additional_step_is_left_out_and_the_plan_goes_on(steps: list[str]) -> None:
    verdict = judged([*steps, "turnto wall"], "character FACING wall")
    last = len(steps)
    trace = verdict.details["trace"]
    assert trace["executed_indexes"] == [*range(last - 1), last]
    assert trace["status"] == "success"
    assert [f.at["step"] for f in verdict.findings if f.kind == "additional_step"] == [last - 1]
    roles = [step["role"] for step in verdict.details["steps"]]
    assert roles[last - 1] == "redundant"
    assert len(roles) == last + 1


def test_the_number_decides_which_object_is_meant() -> None:
    named = {"scene": home(), "instruction": "Take it.", "goal": {"goal": [], "actions": []}}
    scripts = [["[WALK] <mug> (1.15)", "[GRAB] <mug> (15)"], ["[WALK] <cup> (99)"]]
    records = [{**named, "id": str(i), "script": s} for i, s in enumerate(scripts)]
    known, unknown = adjudge.judge("robot", records, method="symbolic")
    assert known.details["trace"]["executed_indexes"] == [0, 1]
    assert unknown.details["trace"]["error"]["kind"] == "unknown_object"
    assert unknown.details["trace"]["error"]["class"] == "hallucination"


@pytest.mark.parametrize(
    ("steps", "helps"),
    [
        (["grab cup"], "[WALK] <cup> (15)"),
        (["walk fridge", "grab milk"], "[OPEN] <fridge> (13)"),
        (["walk table", "putback cup table"], "[GRAB] <cup> (15)"),
        (["walk chair", "sit chair", "walk table"], "[STANDUP]"),
        (["lookat television"], "[TURNTO] <television> (12)"),
        (["walk cup", "grab cup", "walk fridge", "putin cup fridge"], "[OPEN] <fridge> (13)"),
    ],
)
def test_the_step_that_would_have_helped(steps: list[str], helps: str) -> None:
    assert judged(steps).details["trace"]["error"]["would_help"] == helps


GOALS: list[tuple[list[str], list[str], bool]] = [
    (["walk cup", "grab cup"], ["character HOLDS_RH cup"], True),
    (["walk table", "grab bread", "grab cup"], ["character HOLDS_RH cup"], False),
    (["walk table", "grab bread", "grab cup"], ["character HOLDS_LH cup"], True),
    # what is carried stays, in the graph, in the room that the robot set out from
    (["walk cup", "grab cup", "walk sofa"], ["cup INSIDE kitchen"], True),
    (["walk cup", "grab cup", "walk sofa", "walk hat"], ["cup INSIDE bedroom"], True),
    # what is grabbed is no longer on anything, nor is anything on it
    (["walk cup", "grab cup"], ["cup ON table"], False),
    (["walk cup", "grab cup", "putobjback cup"], ["cup ON table", "cup CLOSE table"], True),
    (["walk cup", "wash cup"], ["cup CLEAN"], True),
    (["walk sofa"], ["character CLOSE sofa", "character INSIDE bedroom"], True),
    # standing at the sofa, the robot is near what is near it, but no edge says so
    (["walk sofa"], ["character CLOSE novel"], False),
    (["walk novel"], ["character CLOSE sofa"], True),
    (["walk sofa", "turnto television"], ["character FACING television"], True),
    (["turnto television", "walk sofa"], ["character FACING television"], False),
    (["walk sofa", "sit sofa"], ["character SITTING", "character ON sofa"], True),
    (["walk sofa", "sit sofa", "standup"], ["character SITTING"], False),
    (["walk sofa", "sit sofa", "standup"], ["character ON sofa"], True),
    (["walk wall", "grab water", "walk cup", "pour water cup"], ["water INSIDE cup"], True),
    (
        ["walk wall", "grab water", "walk cup", "pour water cup"],
        ["character HOLDS_RH water"],
        False,
    ),
    (["walk hat", "grab hat", "puton hat"], ["hat ON character"], True),
]


@pytest.mark.parametrize(("steps", "goal", "met"), GOALS, ids=lambda v: str(v)[:60])
def test_what_a_plan_brings_about(steps: list[str], goal: list[str], met: bool) -> None:
    verdict = judged(steps, *goal)
    assert verdict.details["trace"]["status"] == "success"
    assert verdict.details["goal"]["met"] is met
    assert verdict.details["goal"]["source"] == "reader"


@pytest.mark.parametrize(
    ("steps", "actions", "met"),
    [
        (["walk face", "wash face"], ["RINSE|WASH"], True),
        (["walk face", "touch face"], ["RINSE|WASH"], False),
        (["walk face", "touch face", "wash face"], ["TOUCH", "WASH"], True),
        (["walk face", "wash face", "touch face"], ["TOUCH", "WASH"], False),
        (["walk face", "wash face"], ["WASH", "WASH"], False),
        (["walk cup", "grab cup", "putback cup table"], ["PUT"], True),
    ],
)
def test_actions_that_have_to_be_done_in_order(
    steps: list[str], actions: list[str], met: bool
) -> None:
    assert judged(steps, actions=actions).details["goal"]["met"] is met


@pytest.mark.parametrize("reach", ["near", "room"])
def test_reach(reach: str) -> None:
    options: dict[str, Any] = {"reach": reach}
    trace = judged(["walk chair", "grab cup", "grab hat"], options=options).details["trace"]
    assert trace["executed_indexes"] == ([0, 1] if reach == "room" else [0])
    assert trace["error"]["kind"] == "not_reachable"


def test_one_hand() -> None:
    trace = judged(["walk table", "grab cup", "grab bread"], options={"hands": 1}).details["trace"]
    assert trace["error"]["kind"] == "hands_full"
