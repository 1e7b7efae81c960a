"""What must hold whatever the home, the plan and the goal, where the start is fully stated."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from adjudge.judges.robot.domains import load_domain
from adjudge.judges.robot.readers.native import read_case
from adjudge.judges.robot.simulator import Run, execute
from adjudge.judges.robot.steps import names_in
from adjudge.judges.robot.world import build_world
from made_up_homes import cases, solved_cases
from robot_cases import roles, verdict_on

HOUSEHOLD = load_domain("household")
often = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def run(case: dict[str, Any], plan: list[str]) -> Run:
    read = read_case({**case, "plan": plan})
    world = build_world(read, HOUSEHOLD, names_in(plan, HOUSEHOLD))
    return execute(world, plan)


@often
@given(cases())
def test_a_failed_step_changes_no_state(case: dict[str, Any]) -> None:
    whole = run(case, case["plan"])
    assume(whole.failed_at is not None)
    assert whole.failed_at is not None
    before = run(case, case["plan"][: whole.failed_at])
    assert whole.state == before.state


@often
@given(cases())
def test_replaying_part_1_gives_the_same_state(case: dict[str, Any]) -> None:
    whole = run(case, case["plan"])
    again = run(case, case["plan"][: len(whole.done)])
    assert again.failure is None
    assert again.state == whole.state


@often
@given(cases())
def test_a_thing_that_nobody_uses_changes_no_score(case: dict[str, Any]) -> None:
    more = copy.deepcopy(case)
    more["scene"]["objects"].append({"id": "vase", "room": "kitchen"})
    assert verdict_on(more).scores == verdict_on(case).scores
    assert verdict_on(more).rules == verdict_on(case).rules


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Every word of every text that is an object's id, replaced; categories stay."""
    if isinstance(value, str):
        for old, new in names.items():
            for before, after in (("(", ")"), ("(", ","), (" ", ")")):
                value = value.replace(before + old + after, before + new + after)
        return names.get(value, value)
    if isinstance(value, list):
        return [renamed(v, names) for v in value]
    if isinstance(value, dict):
        return {k: v if k == "category" else renamed(v, names) for k, v in value.items()}
    return value


@often
@given(cases())
def test_renaming_all_objects_changes_no_score(case: dict[str, Any]) -> None:
    names = {t["id"]: f"zz{i}q" for i, t in enumerate(case["scene"]["objects"])}
    other = renamed(case, names)
    first, second = verdict_on(case), verdict_on(other)
    assert (first.scores, first.rules) == (second.scores, second.rules)


@often
@given(solved_cases(), st.sampled_from(["Put the {} on the {}.", "Move the {} onto the {}"]))
def test_renaming_in_the_instruction_too(case: dict[str, Any], form: str) -> None:
    item, spot = case["goal"]["on"]
    del case["goal"]
    case["instruction"] = form.replace("{}", item, 1).replace("{}", spot, 1)
    names = {t["id"]: f"zz{i}q" for i, t in enumerate(case["scene"]["objects"])}
    other = renamed(case, names)
    other["instruction"] = form.replace("{}", names[item], 1).replace("{}", names[spot], 1)
    first, second = verdict_on(case), verdict_on(other)
    assert (first.status, first.scores, first.rules) == (
        second.status,
        second.scores,
        second.rules,
    )


@often
@given(solved_cases())
def test_without_a_necessary_step_no_plan_is_perfect(case: dict[str, Any]) -> None:
    verdict = verdict_on(case)
    assume(verdict.success and verdict.details["trace"]["status"] == "success")
    necessary = [i for i, role in enumerate(roles(verdict)) if role == "necessary"]
    assume(necessary)
    for index in necessary:
        fewer = {**case, "plan": case["plan"][:index] + case["plan"][index + 1 :]}
        if fewer["plan"]:
            assert verdict_on(fewer).scores["score"] != 4


@often
@given(cases(), st.lists(st.sampled_from(["open(fridge)", "pick(moon)", "wait"]), max_size=3))
def test_part_3_never_matters(case: dict[str, Any], tail: list[str]) -> None:
    verdict = verdict_on(case)
    done = len(verdict.details["trace"]["executed"])
    assume(done < len(case["plan"]))
    other = verdict_on({**case, "plan": case["plan"][: done + 1] + tail})
    assert (other.scores, other.rules) == (verdict.scores, verdict.rules)


@often
@given(solved_cases())
def test_a_perfect_plan_has_no_shorter_way(case: dict[str, Any]) -> None:
    verdict = verdict_on(case)
    assume(verdict.scores.get("score") == 4)
    # every plan that leaves out any set of steps falls short of the goal
    plan = case["plan"]
    spared = [i for i, role in enumerate(roles(verdict)) if role != "tidy"]
    for index in spared:
        fewer = {**case, "plan": plan[:index] + plan[index + 1 :]}
        if fewer["plan"]:
            assert verdict_on(fewer).scores["score"] != 4
