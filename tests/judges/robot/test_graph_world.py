"""Scene graphs as worlds: what is left out of them makes no difference, what is first is first."""

from __future__ import annotations

import pickle
import platform
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.domains import load_domain
from adjudge.judges.robot.graph import SceneGraph
from adjudge.judges.robot.graph_world import graph_world
from adjudge.judges.robot.hash_order import hash_order
from adjudge.judges.robot.simulator import execute
from adjudge.judges.robot.steps import names_in
from virtualhome_home import THINGS, home, line

DOMAIN = load_domain("virtualhome")
VERBS = {
    1: "walk run find turnto lookat sit lie grab putobjback drop open close switchon wash touch",
    2: "putback putin pour",
}
MORE = [
    "cup CLOSE knife",
    "knife CLOSE cup",
    "sofa CLOSE hat",
    "hat CLOSE sofa",
    "novel CLOSE hat",
    "hat CLOSE novel",
    "character CLOSE chair",
    "chair CLOSE character",
    "bread INSIDE fridge",
]

names = st.sampled_from([name for name in THINGS if name != "character"])
steps = st.one_of(
    st.tuples(st.sampled_from(VERBS[1].split()), names),
    st.tuples(st.sampled_from(VERBS[2].split()), names, names),
).map(" ".join)
edges = st.lists(st.sampled_from(MORE), unique=True)


@settings(max_examples=120, deadline=None)
@given(st.lists(steps, min_size=1, max_size=10), edges)
def test_what_a_plan_does_not_touch_makes_no_difference(plan: list[str], more: list[str]) -> None:
    script = [line(step) for step in plan]
    world = graph_world(SceneGraph.model_validate(home(*more)), DOMAIN)
    asked = [name for text in names_in(script, DOMAIN) for name in world.resolve(text)]
    whole, part = execute(world, script), execute(world.part(asked), script)
    assert [d.index for d in part.done] == [d.index for d in whole.done]
    assert (part.error, part.failed_at) == (whole.error, whole.failed_at)
    kept = world.part(asked).categories
    for key, value in part.state.items():
        if key[1] in asked:
            full = whole.state.get(key)
            shown: Any = full & kept.keys() if isinstance(full, frozenset) else full
            assert (value or None) == (shown or None)


@pytest.mark.skipif(platform.python_implementation() != "CPython", reason="sets differ there")
@given(st.lists(st.integers(0, 5000), max_size=80))
def test_numbers_come_in_the_order_of_a_set(numbers: list[int]) -> None:
    found: set[int] = set()
    for number in numbers:
        found.add(number)
    assert hash_order(tuple(numbers)) == tuple(found)


def test_a_world_serves_all_plans_on_its_graph() -> None:
    graph = SceneGraph.model_validate(home())
    assert graph_world(graph, DOMAIN) is graph_world(graph, DOMAIN)
    before = dict(graph_world(graph, DOMAIN).start)
    execute(graph_world(graph, DOMAIN), [line("walk cup"), line("grab cup")])
    assert graph_world(graph, DOMAIN).start == before


def test_a_graph_goes_to_another_process_and_to_json_without_what_was_worked_out() -> None:
    graph = SceneGraph.model_validate(home())
    graph_world(graph, DOMAIN)
    sent: SceneGraph = pickle.loads(pickle.dumps(graph))  # noqa: S301
    assert (sent, sent.memo) == (graph, {})
    case = RobotCase(instruction="Wash up.", graph=graph, plan=["[SLEEP]"])
    assert RobotCase.model_validate_json(case.model_dump_json()) == case
