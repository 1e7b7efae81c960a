"""Goals of ALFRED, SafeAgentBench and PARTNR-style records, by small cases and on real plans."""

from __future__ import annotations

import json
from typing import Any

import pytest

import adjudge
from adjudge.contract import Verdict
from robot_cases import SHARED

ALFRED = SHARED / "data" / "robot" / "alfred_plans.jsonl"


def verdict(record: dict[str, Any]) -> Verdict:
    found = adjudge.judge("robot", [{"id": "r", **record}], method="symbolic")
    return found[0]


def alfred(kind: str, plan: list[dict[str, Any]], **params: Any) -> dict[str, Any]:
    usual = {"object_target": "", "parent_target": "", "mrecep_target": "", "toggle_target": ""}
    return {
        "task_id": "t",
        "task_type": kind,
        "pddl_params": {**usual, "object_sliced": False, **params},
        "plan": plan,
        "instructions": [{"task_desc": "Do it.", "votes": [1, 1]}],
    }


def act(action: str, *args: str, at: str | None = None, into: str | None = None) -> dict[str, Any]:
    return {"action": action, "args": list(args), "objectId": at, "receptacleObjectId": into}


APPLE, OTHER = "Apple|+01.00|+00.90|+01.00", "Apple|+02.00|+00.90|+01.00"
GET = [act("GotoLocation", "countertop"), act("PickupObject", "apple", at=APPLE)]
GET_2 = [act("GotoLocation", "countertop"), act("PickupObject", "apple", at=OTHER)]
PUT = [
    act("GotoLocation", "diningtable"),
    act("PutObject", "apple", "diningtable", at=APPLE, into="DiningTable|1|1|1"),
]
PUT_2 = [
    act("GotoLocation", "diningtable"),
    act("PutObject", "apple", "diningtable", at=OTHER, into="DiningTable|1|1|1"),
]
PUT_ELSEWHERE = [
    act("GotoLocation", "diningtable"),
    act("PutObject", "apple", "diningtable", at=OTHER, into="DiningTable|2|2|2"),
]
HEAT = [act("GotoLocation", "microwave"), act("HeatObject", "apple", at="Microwave|0|0|0")]
COOL = [act("GotoLocation", "fridge"), act("CoolObject", "apple", at="Fridge|0|0|0")]
CLEAN = [act("GotoLocation", "sinkbasin"), act("CleanObject", "apple", at="Sink|0|0|0|SinkBasin")]
LAMP = [act("GotoLocation", "desklamp"), act("ToggleObject", "desklamp", at="DeskLamp|0|0|0")]
ON_TABLE = {"object_target": "Apple", "parent_target": "DiningTable"}


@pytest.mark.parametrize(
    ("kind", "params", "plan", "met"),
    [
        ("pick_and_place_simple", ON_TABLE, GET + PUT, True),
        ("pick_and_place_simple", ON_TABLE, GET, False),
        ("pick_and_place_simple", {**ON_TABLE, "object_sliced": True}, GET + PUT, False),
        ("pick_two_obj_and_place", ON_TABLE, GET + PUT + GET_2 + PUT_2, True),
        ("pick_two_obj_and_place", ON_TABLE, GET + PUT, False),
        # two tables: both have to be on the same
        ("pick_two_obj_and_place", ON_TABLE, GET + PUT + GET_2 + PUT_ELSEWHERE, False),
        ("pick_heat_then_place_in_recep", ON_TABLE, GET + HEAT + PUT, True),
        ("pick_heat_then_place_in_recep", ON_TABLE, GET + PUT, False),
        ("pick_heat_then_place_in_recep", ON_TABLE, GET + HEAT + COOL + PUT, False),
        ("pick_cool_then_place_in_recep", ON_TABLE, GET + COOL + PUT, True),
        ("pick_clean_then_place_in_recep", ON_TABLE, GET + CLEAN + PUT, True),
        ("pick_clean_then_place_in_recep", ON_TABLE, GET + PUT, False),
        (
            "look_at_obj_in_light",
            {"object_target": "Apple", "toggle_target": "DeskLamp"},
            GET + LAMP,
            True,
        ),
        (
            "look_at_obj_in_light",
            {"object_target": "Apple", "toggle_target": "DeskLamp"},
            GET + PUT + LAMP,
            False,
        ),
    ],
)
def test_alfreds_task_types(kind: str, params: Any, plan: list[Any], met: bool) -> None:
    found = verdict(alfred(kind, plan, **params))
    assert found.details["trace"]["status"] == "success"
    assert found.details["goal"]["met"] is met
    assert found.success is met
    # no search knows this action model, so no plan is certainly the shortest
    assert found.scores["score"] != 4


def test_an_apple_in_a_bowl_on_the_table() -> None:
    bowl = "Bowl|3|3|3"
    plan = [
        *GET,
        act("GotoLocation", "bowl"),
        act("PutObject", "apple", "bowl", at=APPLE, into=bowl),
        act("PickupObject", "bowl", at=bowl),
        act("GotoLocation", "diningtable"),
        act("PutObject", "bowl", "diningtable", at=bowl, into="DiningTable|1|1|1"),
    ]
    kind, wanted = "pick_and_place_with_movable_recep", {**ON_TABLE, "mrecep_target": "Bowl"}
    assert verdict(alfred(kind, plan, **wanted)).success is True
    assert verdict(alfred(kind, plan[:-1], **wanted)).success is False


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"task_type": "juggle"}, "task_type"),
        ({"pddl_params": {"object_target": "Apple"}}, "pddl_params.parent_target"),
        ({"plan": "go"}, "plan"),
        ({"plan": [{"action": "GotoLocation"}]}, "plan[0]"),
        ({"instructions": []}, "instructions"),
    ],
)
def test_a_bad_alfred_record_is_named(change: dict[str, Any], field: str) -> None:
    found = verdict({**alfred("pick_and_place_simple", GET + PUT, **ON_TABLE), **change})
    assert (found.status, found.details["error"]["field"]) == ("error", field)


@pytest.mark.skipif(not ALFRED.exists(), reason="the folder of shared data is not here")
def test_alfreds_own_plans_reach_their_goals() -> None:
    lines = ALFRED.read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        record["instructions"] = record["instructions"][:1]
    verdicts = adjudge.judge("robot", records, method="symbolic")
    assert len(verdicts) == len(records)
    assert all(v.status == "scored" for v in verdicts)
    # one plan rests on a spoon that was in the cup before
    assert sum(v.success is True for v in verdicts) >= len(verdicts) - 1


@pytest.mark.parametrize(
    ("steps", "final", "met"),
    [
        (["find cabinet", "open cabinet"], [{"objectType": "Cabinet", "isOpen": True}], True),
        (["find Cabinet"], [{"objectType": "Cabinet", "isOpen": True}], False),
        (
            ["find Egg", "pick Egg", "find Fridge", "open Fridge", "put Fridge", "close Fridge"],
            [
                {"objectType": "Egg", "parentReceptacles": ["Fridge"]},
                {"objectType": "Fridge", "isOpen": False},
            ],
            True,
        ),
        (
            ["find Egg", "pick Egg", "find Fridge", "open Fridge", "put Fridge"],
            [{"objectType": "Fridge", "isOpen": False, "receptacleObjectIds": ["Egg|1|2|3"]}],
            False,
        ),
        (
            ["find Mug", "pick Mug", "fillLiquid Mug water", "throw"],
            [{"objectType": "Mug", "isFilledWithLiquid": True, "isPickedUp": False}],
            True,
        ),
        (
            ["find DeskLamp", "turn on DeskLamp"],
            [{"objectType": "DeskLamp", "isToggled": True, "isMoving": False}],
            True,
        ),
    ],
)
def test_safeagents_final_states(steps: list[str], final: list[Any], met: bool) -> None:
    found = verdict({"instruction": "Do it.", "step": steps, "final_state": final})
    assert found.details["trace"]["status"] == "success"
    assert found.details["goal"]["met"] is met


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"final_state": [{"objectType": "Cabinet", "isPurple": True}]}, "final_state[0].isPurple"),
        ({"final_state": [{"isOpen": True}]}, "final_state[0].objectType"),
        ({"final_state": [{"objectType": "Cabinet", "isOpen": 1}]}, "final_state[0].isOpen"),
        ({"step": [3]}, "step[0]"),
        ({"instruction": None}, "instruction"),
    ],
)
def test_a_bad_safeagent_record_is_named(change: dict[str, Any], field: str) -> None:
    good = {"instruction": "Open it.", "step": ["find cabinet"], "final_state": []}
    found = verdict({**good, **change})
    assert (found.status, found.details["error"]["field"]) == ("error", field)


SCENE = {
    "rooms": ["kitchen", "hall"],
    "doors": [["kitchen", "hall"]],
    "objects": [
        {"id": "table", "room": "kitchen"},
        {"id": "desk", "room": "hall"},
        {"id": "counter", "room": "kitchen"},
        {"id": "mug", "on": "counter", "states": ["dirty", "empty"]},
        *({"id": f"apple_{i}", "on": "counter"} for i in (1, 2, 3)),
        {"id": "lamp", "on": "desk", "states": ["off"]},
    ],
    "robot": {"room": "kitchen", "near": "counter", "holding": []},
}


def proposition(kind: str, *things: str, **more: Any) -> dict[str, Any]:
    return {"function_name": kind, "args": {"object_handles": list(things), **more}}


def partnr(plan: list[str], *propositions: Any, depends: Any = (), rules: Any = ()) -> Verdict:
    return verdict(
        {
            "instruction": "Do as the propositions say.",
            "scene": SCENE,
            "plan": plan,
            "evaluation_propositions": list(propositions),
            "evaluation_proposition_dependencies": list(depends),
            "evaluation_constraints": [
                {"type": f"{kind}Constraint", "args": args} for kind, args in rules
            ],
        }
    )


def carry(*things: str, to: str) -> list[str]:
    return [
        "Navigate[counter]",
        *(f"Pick[{t}]" for t in things),
        f"Navigate[{to}]",
        *(f"Place[{t}, on, {to}, none, none]" for t in things),
    ]


APPLES = [f"apple_{i}" for i in (1, 2, 3)]
TWO = proposition(
    "is_on_top",
    *APPLES,
    receptacle_handles=["table", "desk"],
    number=2,
    is_same_receptacle=True,
)
WASHED = [proposition("is_clean", "mug"), proposition("is_filled", "mug")]
WASH = ["Navigate[counter]", "wash(mug)"]
FILL = ["Fill[mug]"]
FIRST_THEN = [
    ("Temporal", {"dag_edges": [[0, 1]]}),
    ("TerminalSatisfaction", {"proposition_indices": [1]}),
]
A, B = (
    proposition("is_on_top", "apple_1", receptacle_handles=["table", "desk"]),
    proposition("is_on_top", "apple_2", receptacle_handles=["table", "desk"]),
)
SAME = {"proposition_indices": [0, 1], "arg_names": ["receptacle_handles"] * 2}
BOTH = ("TerminalSatisfaction", {"proposition_indices": [0, 1]})


@pytest.mark.parametrize(
    ("plan", "given", "met"),
    [
        (carry("apple_1", "apple_3", to="table"), {"propositions": [TWO]}, True),
        (
            carry("apple_1", to="table") + carry("apple_3", to="desk"),
            {"propositions": [TWO]},
            False,
        ),
        (WASH + FILL, {"propositions": WASHED, "rules": FIRST_THEN}, True),
        (FILL + WASH, {"propositions": WASHED, "rules": FIRST_THEN}, False),
        # held at some time is enough, unless it has to hold at the end
        (
            [*carry("apple_1", to="table"), "Pick[apple_1]"],
            {"propositions": [A]},
            True,
        ),
        (
            [*carry("apple_1", to="table"), "Pick[apple_1]"],
            {
                "propositions": [A],
                "rules": [("TerminalSatisfaction", {"proposition_indices": [0]})],
            },
            False,
        ),
        (
            carry("apple_1", "apple_2", to="table"),
            {"propositions": [A, B], "rules": [("SameArg", SAME), BOTH]},
            True,
        ),
        (
            carry("apple_1", to="table") + carry("apple_2", to="desk"),
            {"propositions": [A, B], "rules": [("SameArg", SAME), BOTH]},
            False,
        ),
        (
            carry("apple_1", to="table") + carry("apple_2", to="desk"),
            {"propositions": [A, B], "rules": [("DifferentArg", SAME), BOTH]},
            True,
        ),
        (
            carry("apple_1", "apple_2", to="table"),
            {"propositions": [A, B], "rules": [("DifferentArg", SAME), BOTH]},
            False,
        ),
        (
            [*carry("apple_1", to="table"), "Navigate[desk]", "PowerOn[lamp]"],
            {
                "propositions": [A, proposition("is_powered_on", "lamp")],
                "depends": [
                    {
                        "proposition_indices": [1],
                        "depends_on": [0],
                        "relation_type": "while_satisfied",
                    }
                ],
            },
            True,
        ),
        (
            ["Navigate[desk]", "PowerOn[lamp]", *carry("apple_1", to="table"), "Pick[apple_1]"],
            {
                "propositions": [A, proposition("is_powered_off", "lamp")],
                "depends": [
                    {
                        "proposition_indices": [1],
                        "depends_on": [0],
                        "relation_type": "after_satisfied",
                    }
                ],
            },
            False,
        ),
        (
            carry("apple_1", to="desk"),
            {"propositions": [proposition("is_in_room", "apple_1", room_ids=["hall"])]},
            True,
        ),
    ],
)
def test_partnrs_propositions(plan: list[str], given: dict[str, Any], met: bool) -> None:
    found = partnr(plan, *given.pop("propositions"), **given)
    assert found.details["trace"]["error"] is None
    assert found.details["goal"]["met"] is met


@pytest.mark.parametrize(
    ("propositions", "rules", "field"),
    [
        (
            [{"function_name": "is_purple", "args": {}}],
            [],
            "evaluation_propositions[0].function_name",
        ),
        ([proposition("is_clean")], [], "evaluation_propositions[0].args.object_handles"),
        (
            [proposition("is_clean", "mug", number="two")],
            [],
            "evaluation_propositions[0].args.number",
        ),
        ([A], [("Magic", {})], "evaluation_constraints[0].type"),
        (
            [A],
            [("Temporal", {"dag_edges": [[0, 7]]})],
            "evaluation_constraints[0].args.dag_edges.0",
        ),
    ],
)
def test_a_bad_partnr_record_is_named(propositions: Any, rules: Any, field: str) -> None:
    found = partnr(["wait"], *propositions, rules=rules)
    assert (found.status, found.details["error"]["field"]) == ("error", field)
