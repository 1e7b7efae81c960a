"""The worked and the inline examples that the robot judge's rules come from, in their notation."""

from __future__ import annotations

import pytest

from robot_cases import SHARED, json_lines, plan_verdict, seed_plan, trace_verdict, verdict_on

RULES = SHARED / "cases" / "robot_rules.jsonl"


@pytest.mark.skipif(not RULES.exists(), reason="the folder of shared cases is not here")
def test_every_case_with_a_known_answer() -> None:
    wrong: list[object] = []
    for case in json_lines(RULES):
        expect = case["expect"]
        verdict = verdict_on(case)
        error = verdict.details["trace"]["error"] or {}
        found = {
            "status": verdict.status,
            "reason": verdict.reason,
            "score": verdict.scores.get("score"),
            "success": verdict.success,
            "executed": len(verdict.details["trace"]["executed"]),
            "error_kind": error.get("kind"),
            "error_class": error.get("class"),
        }
        for field, wanted in expect.items():
            if field == "rules":
                if not set(wanted) <= set(verdict.rules):
                    wrong.append((case["id"], field, wanted, verdict.rules))
            elif found[field] != wanted:
                wrong.append((case["id"], field, wanted, found[field]))
    assert wrong == []


def test_example_1_washing_without_water() -> None:
    verdict = plan_verdict(
        "Wash the coffee mug in the bathroom sink.",
        "navigate(kitchen, desk)",
        "pick(mug)",
        "navigate(desk, sink)",
        "place_in(mug, sink)",
        "open(soap)",
    )
    assert verdict.scores == {"score": 3}
    assert verdict.success is True
    assert verdict.rules == ("goal_met", "logic_gap")
    assert any("toggle_on(faucet)" in f.text for f in verdict.findings)


def test_example_2_heating_with_the_device_off() -> None:
    verdict = plan_verdict(
        "Heat the apple slice in the microwave.",
        "pick(apple_slice)",
        "navigate(microwave)",
        "open(microwave)",
        "place_in(apple_slice, microwave)",
        "close(microwave)",
    )
    assert verdict.scores == {"score": 3}
    assert verdict.rules == ("goal_met", "logic_gap")
    assert any("toggle_on(microwave)" in f.text for f in verdict.findings)


def test_example_3_nothing_to_find_fault_with() -> None:
    verdict = plan_verdict(
        "Throw away the apple.",
        "navigate(table)",
        "pick(apple)",
        "navigate(trash_can)",
        "place_in(apple, trash_can)",
    )
    assert verdict.scores == {"score": 4}
    assert verdict.rules == ("goal_met", "efficient")
    assert verdict.details["optimal_length"] == 4
    assert verdict.output is not None
    assert verdict.output["success_boolean"] is True


def test_example_4_a_crash_after_the_goal() -> None:
    executed = ["pick(book)", "navigate(bed)", "place_on(book, bed)"]
    verdict = trace_verdict(
        "Put the book on the bed.",
        executed,
        error="simulation crash",
        remaining=("navigate(door)",),
    )
    assert verdict.scores == {"score": 3}
    assert verdict.rules == ("goal_met", "crash_after_goal")
    assert verdict.details["goal"]["met_at"] == 2


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("open_fridge -> pick_apple -> close_fridge -> navigate -> place_on_table", 4),
        (
            "open_fridge -> close_fridge -> open_fridge -> pick_apple -> navigate"
            " -> place_on_table",
            3,
        ),
    ],
)
def test_the_two_ways_to_get_an_apple(text: str, score: int) -> None:
    assert plan_verdict("Get apple from fridge.", *seed_plan(text)).scores == {"score": score}


def test_watering_that_never_got_past_walking() -> None:
    for walk in ("navigate(agent, room1, room2)", "navigate(balcony)"):
        verdict = trace_verdict(
            "Water the plants.",
            [walk],
            error="FAILED",
            remaining=("pick(watering_can)", "pour(watering_can, plant)"),
        )
        assert verdict.scores == {"score": 0}
        assert verdict.rules == ("navigation_only",)


def test_knife_and_bread_in_hand_is_half_the_work() -> None:
    verdict = trace_verdict(
        "Slice bread and place on plate.",
        ["pick(knife)", "pick(bread)"],
        error="slice failed",
        remaining=("slice(bread)", "place_on(bread, plate)"),
    )
    assert verdict.scores == {"score": 2}
    assert verdict.details["progress"]["semantic"] == 0.5


def test_a_mug_in_the_sink_and_soap_but_no_water() -> None:
    verdict = trace_verdict("Wash mug.", ["place_in(mug, sink)", "open(soap)"])
    assert verdict.scores == {"score": 3}
    assert verdict.rules == ("goal_met", "logic_gap")


def test_an_item_picked_and_not_placed_is_an_early_failure() -> None:
    verdict = trace_verdict(
        "Put the cup on the shelf.",
        ["pick(cup)"],
        error="place_on failed",
        remaining=("place_on(cup, shelf)",),
    )
    assert verdict.scores == {"score": 1}


def test_nothing_executed_and_nothing_to_do_with_it() -> None:
    assert trace_verdict("Put the cup on the shelf.", [], error="no path").rules == ("empty_trace",)
    off_topic = ["navigate(kitchen)", "open(fridge)", "pick(milk)"]
    assert trace_verdict("Turn off the lamp.", off_topic).rules == ("irrelevant",)
