"""The shortest way on a scene graph: as brute force finds it, and never bounded too high."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from adjudge.judges.robot.domains import ROBOT, load_domain
from adjudge.judges.robot.goals import Goal, Node
from adjudge.judges.robot.graph import SceneGraph
from adjudge.judges.robot.graph_search import GraphSearch
from adjudge.judges.robot.graph_world import GraphWorld, graph_world
from adjudge.judges.robot.ground import Ground, ground
from adjudge.judges.robot.purpose import given_purpose
from adjudge.judges.robot.world import State
from virtualhome_home import home, judged

DOMAIN = load_domain("virtualhome")
DEEPEST = 4
HANDLED = ["cup_15", "table_16", "fridge_13", "milk_14", "television_12", "sofa_10"]


def every_action(world: GraphWorld) -> list[Ground]:
    """Every action of the table on the things that the plans handle."""
    found = []
    for action in DOMAIN.actions.values():
        for values in product(HANDLED, repeat=len(action.arguments[0])):
            one = ground(DOMAIN, action.name, action.arguments[0], values)
            able = [b for b in one.requires if b.word == "is"]
            if len(set(values)) == len(values) and not any(fails(world, {}, b) for b in able):
                found.append(one)
    return found


def fails(world: GraphWorld, state: State, bound: Any) -> bool:
    if bound.condition is None:
        return bool(state.get((bound.word, bound.a))) is not bound.wanted
    return bound.condition(world, state, bound.a, bound.b, None) is not None


def step(world: GraphWorld, state: State, action: Ground) -> State | None:
    """The next state, written from what the table says."""
    if any(fails(world, state, bound) for bound in action.requires):
        return None
    after = dict(state)
    for bound in action.effects:
        if bound.effect is None:
            after[bound.word, bound.a] = bound.wanted
        else:
            bound.effect(world, after, bound.a, bound.b, after.__setitem__)
    return after


def seen(state: State) -> frozenset[Any]:
    return frozenset(item for item in state.items() if item[1])


def brute(world: GraphWorld, goal: Goal, node: Node, start: State) -> int | None:
    """The fewest steps by breadth-first search, down to ``DEEPEST``."""
    actions = every_action(world)
    latches = goal.begin(world, start)
    level, known = [(start, latches)], {(seen(start), latches)}
    for depth in range(DEEPEST + 1):
        if any(node.holds(world, state, now) for state, now in level):
            return depth
        following = []
        for state, now in level if depth < DEEPEST else ():
            for action in actions:
                after = step(world, state, action)
                if after is None:
                    continue
                then = goal.after(world, after, now, action)
                key = (seen(after), then)
                if key not in known:
                    known.add(key)
                    following.append((after, then))
        level = following
    return None


FACTS: list[dict[str, Any]] = [
    {"on": ["cup_15", "fridge_13"]},
    {"in": ["cup_15", "fridge_13"]},
    {"right_hand": ["cup_15"]},
    {"left_hand": ["milk_14"]},
    {"holding": ["milk_14"]},
    {"near": ["television_12"]},
    {"facing": ["television_12"]},
    {"in_room": ["bedroom_3"]},
    {"state": ["television_12", "on"]},
    {"state": ["fridge_13", "open"]},
    {"state": ["cup_15", "clean"]},
    {"state": ["character_1", "sitting"]},
    {"on": ["milk_14", "table_16"]},
    {"not": {"on": ["cup_15", "table_16"]}},
    {"not": {"facing": ["television_12"]}},
    {"not": {"near": ["table_16"]}},
    {"in": ["cup_15", "bedroom_3"]},
    {"did": "touch(cup_15)"},
    {"in_order": [{"did": "open(fridge_13)"}, {"did": "close(fridge_13)"}]},
    {"any": [{"near": ["sofa_10"]}, {"holding": ["cup_15"]}]},
    {"once": {"state": ["fridge_13", "open"]}},
]


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.sampled_from(FACTS), min_size=1, max_size=2, unique_by=str),
    st.sampled_from(["", "SITTING"]),
    st.sampled_from(["CLOSED", "OPEN"]),
    st.sampled_from(
        ["", "character HOLDS_RH cup", "character FACING television", "character CLOSE table"]
    ),
)
def test_the_search_agrees_with_brute_force(
    facts: list[Any], posture: str, door: str, more: str
) -> None:
    scene = home(*([more] if more else []), character=posture, fridge=door)
    world = graph_world(SceneGraph.model_validate(scene), DOMAIN).part(HANDLED)
    purpose = given_purpose(world, {"all": facts}, [], "case")
    start = dict(world.start)
    fewest = brute(world, purpose.goal, purpose.gate, start)
    search = GraphSearch(world, purpose.goal, (purpose.gate,), start, HANDLED)
    latches = purpose.goal.begin(world, start)
    if fewest is None:
        assert search.steps(start, latches, DEEPEST, 20_000).length is None
        return
    assert search.at_least(start, latches) <= fewest
    found = search.steps(start, latches, None, 20_000)
    assume(found.known)
    assert found.length == fewest
    if fewest:
        assert search.steps(start, latches, fewest - 1, 20_000).length is None
    assume(not any("near" in f or "facing" in f or "in_room" in f for f in facts))
    assert (search.interactions(start, latches, 20_000).length or 0) <= fewest


@pytest.mark.parametrize(
    ("steps", "goal", "score", "optimal"),
    [
        (["walk television", "switchon television"], ["television ON"], 4, 2),
        (["walk sofa", "walk television", "switchon television"], ["television ON"], 3, 2),
        (
            ["walk fridge", "open fridge", "grab milk", "close fridge"],
            ["character HOLDS_RH milk"],
            4,
            3,
        ),
        (["walk cup", "grab cup", "walk table", "putback cup table"], ["cup CLOSE table"], 3, 0),
    ],
)
def test_the_fewest_steps_of_a_plan(
    steps: list[str], goal: list[str], score: int, optimal: int
) -> None:
    verdict = judged(steps, *goal)
    assert verdict.scores == {"score": score}
    if optimal:
        assert verdict.details["optimal_length"] == optimal


def test_a_plan_that_falls_short_is_measured() -> None:
    goal = ["milk ON table", "fridge CLOSED"]
    half = judged(["walk fridge", "open fridge", "grab milk"], *goal)
    assert (half.scores, half.rules) == ({"score": 2}, ("incomplete",))
    assert half.details["progress"]["semantic"] == pytest.approx(0.5)
    less = judged(["walk fridge", "open fridge"], *goal)
    assert less.scores == {"score": 1}


def test_the_robot_is_no_object_of_a_plan() -> None:
    verdict = judged(["walk sofa", "sit sofa"], "character SITTING")
    assert ROBOT not in str(verdict.details)
    assert verdict.details["goal"]["text"] == "robot sitting"
