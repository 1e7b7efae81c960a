"""The shortest way: never longer than a brute search finds, and never claimed shorter."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from adjudge.judges.robot.domains import load_domain
from adjudge.judges.robot.goal_reader import GoalReader
from adjudge.judges.robot.goals import Goal, Node
from adjudge.judges.robot.ground import Ground, ground
from adjudge.judges.robot.readers.native import read_case
from adjudge.judges.robot.search import Search
from adjudge.judges.robot.stepping import advance
from adjudge.judges.robot.world import MOVED, State, World, build_world
from made_up_homes import homes
from robot_cases import HOME, plan_verdict

HOUSEHOLD = load_domain("household")
DEEPEST = 4


def every_action(world: World) -> list[Ground]:
    """Every action of the household on every object that affords it."""
    found = []
    for action in HOUSEHOLD.actions.values():
        if action.waiting or action.name in ("push", "wash", "wipe"):
            continue
        names = next(n for n in action.arguments if n and not n[0].startswith("_"))
        for values in product(world.categories, repeat=len(names)):
            one = ground(HOUSEHOLD, action.name, names, values)
            if all(world.can(b.a, b.word) is not False for b in one.affordances):
                found.append(one)
    return found


def brute(world: World, start: State, goal: Goal, node: Node) -> int | None:
    """The fewest steps by breadth-first search over everything, down to ``DEEPEST``."""
    actions = every_action(world)
    latches = goal.begin(world, start)
    seen = {(frozenset(start.items()), latches)}
    level = [(start, latches)]
    for depth in range(DEEPEST + 1):
        if any(node.holds(world, state, now) for state, now in level):
            return depth
        following = []
        for state, now in level if depth < DEEPEST else ():
            for action in actions:
                after = advance(world, state, action)
                if after is None or after is state:
                    continue
                then = goal.after(world, after, now, action)
                key = (frozenset(after.items()), then)
                if key not in seen:
                    seen.add(key)
                    following.append((after, then))
        level = following
    return None


@st.composite
def reachable_goals(draw: st.DrawFn) -> dict[str, Any]:
    """A tiny home and a goal that a few random actions brought about in it."""
    scene = draw(homes(tiny=True))
    world = build_world(read_case({"instruction": "", "scene": scene, "plan": []}), HOUSEHOLD, [])
    start = state = {**world.start, MOVED: True}
    actions = every_action(world)
    for _ in range(draw(st.integers(2, DEEPEST))):
        able = [a for a in actions if advance(world, state, a) not in (None, state)]
        after = advance(world, state, draw(st.sampled_from(able)))
        assert after is not None
        state = after
    facts: list[dict[str, Any]] = []
    for key, value in state.items():
        if start.get(key) != value:
            word, name = key
            if word == "place" and value[0] in ("in", "on"):
                facts.append({value[0]: [name, value[1]]})
            elif word == "place" and value[0] == "held":
                facts.append({"holding": [name]})
            elif word in ("open", "on") and isinstance(value, bool):
                words = {"open": ("open", "closed"), "on": ("on", "off")}[word]
                facts.append({"state": [name, words[0] if value else words[1]]})
    assume(facts)
    some = st.lists(st.sampled_from(facts), min_size=1, max_size=2, unique_by=str)
    return {"instruction": "", "scene": scene, "plan": [], "goal": {"all": draw(some)}}


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(reachable_goals())
def test_the_search_agrees_with_brute_force(case: dict[str, Any]) -> None:
    world = build_world(read_case(case), HOUSEHOLD, [])
    start: State = {**world.start, MOVED: True}
    reader = GoalReader(world, start)
    node = reader.read(case["goal"])
    goal = reader.goal(node)
    fewest = brute(world, start, goal, node)
    assert fewest is not None
    search = Search(world, goal, (node,), start, (), list(world.categories))
    latches = goal.begin(world, start)
    assert search.at_least(start, latches) <= fewest
    assert search.steps(start, latches, None, 20_000).length == fewest
    assert search.steps(start, latches, fewest - 1, 20_000).length is None


@pytest.mark.parametrize(
    ("instruction", "fewest", "plan"),
    [
        (
            "Put the milk and the juice on the table.",
            8,
            [
                "navigate(counter)",
                "pick(milk)",
                "navigate(fridge)",
                "open(fridge)",
                "pick(juice)",
                "navigate(table)",
                "place_on(milk, table)",
                "place_on(juice, table)",
            ],
        ),
        (
            "Put both apples in the bowl and turn on the lamp.",
            8,
            [
                "navigate(lamp)",
                "toggle_on(lamp)",
                "navigate(table)",
                "pick(apple_1)",
                "pick(apple_2)",
                "navigate(bowl)",
                "place_in(apple_1, bowl)",
                "place_in(apple_2, bowl)",
            ],
        ),
    ],
)
def test_the_fewest_steps_of_a_plan(instruction: str, fewest: int, plan: list[str]) -> None:
    verdict = plan_verdict(instruction, *plan, scene=HOME)
    assert verdict.scores == {"score": 4}
    assert verdict.details["optimal_length"] == fewest


def test_going_twice_is_one_time_too_many() -> None:
    verdict = plan_verdict(
        "Put both apples in the bowl.",
        "navigate(table)",
        "pick(apple_1)",
        "navigate(bowl)",
        "place_in(apple_1, bowl)",
        "navigate(table)",
        "pick(apple_2)",
        "navigate(bowl)",
        "place_in(apple_2, bowl)",
        scene=HOME,
    )
    assert verdict.scores == {"score": 3}
    assert "inefficient" in verdict.rules
    assert verdict.details["optimal_length"] == 6


def test_a_goal_that_is_too_large_to_search_is_unknown_not_perfect() -> None:
    things = [{"id": f"ball_{i}", "on": "table"} for i in range(9)]
    scene = {
        "rooms": ["hall"],
        "objects": [{"id": "table", "room": "hall"}, {"id": "shelf", "room": "hall"}, *things],
        "robot": {"room": "hall", "near": "table", "holding": []},
    }
    plan = []
    for i in range(9):
        walk = ["navigate(table)"] if i else []
        plan += [*walk, f"pick(ball_{i})", "navigate(shelf)", f"place_on(ball_{i}, shelf)"]
    goal = {"all": [{"on": [f"ball_{i}", "shelf"]} for i in range(9)]}
    verdict = plan_verdict("Move them.", *plan, scene=scene, goal=goal)
    assert verdict.scores == {"score": 3}
    assert set(verdict.rules) & {"inefficient", "efficiency_unknown"}
