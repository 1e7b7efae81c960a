"""Simulator steps a second, beside unified-planning's sequential simulator, on one problem.

    python benchmarks/robot_simulator.py

Fifty objects: 4 rooms, 14 places (4 of them open), 32 items. The plan carries three items, twelve
steps each time. Both simulators run the same steps; the peer is measured warm, with its actions
looked up once.
"""

from __future__ import annotations

import time
from typing import Any

from adjudge.judges.robot.domains import load_domain
from adjudge.judges.robot.readers.native import read_case
from adjudge.judges.robot.simulator import execute
from adjudge.judges.robot.world import build_world

ROOMS = [f"room_{i}" for i in range(4)]
BOXES = [f"fridge_{i}" for i in range(4)]
PLACES = [*BOXES, *(f"table_{i}" for i in range(10))]
ITEMS = [f"mug_{i}" for i in range(32)]
HOME = {item: PLACES[i % len(PLACES)] for i, item in enumerate(ITEMS)}


def plan() -> list[tuple[str, ...]]:
    """Three items, each from its place to a table; what opens is opened."""
    steps: list[tuple[str, ...]] = []
    for item, target in (("mug_0", "table_5"), ("mug_1", "table_6"), ("mug_7", "table_2")):
        source = HOME[item]
        steps.append(("navigate", source))
        if source in BOXES:
            steps.append(("open", source))
        steps += [("pick", item), ("navigate", target), ("place_on", item, target)]
    return steps[:12]


def scene() -> dict[str, Any]:
    """The problem as a native scene."""
    objects: list[dict[str, Any]] = []
    for i, place in enumerate(PLACES):
        states = ["closed"] if place in BOXES else []
        objects.append({"id": place, "room": ROOMS[i % 4], "states": states})
    for item, place in HOME.items():
        objects.append({"id": item, "in" if place in BOXES else "on": place})
    robot = {"room": ROOMS[0], "near": "table_0", "holding": []}
    return {"rooms": ROOMS, "objects": objects, "robot": robot}


def ours(seconds: float) -> float:
    """Steps a second."""
    text = [f"{name}({', '.join(arguments)})" for name, *arguments in plan()]
    domain = load_domain("household")
    case = read_case({"instruction": "", "scene": scene(), "plan": text})
    world = build_world(case, domain, [])
    run = execute(world, text)
    assert run.failure is None, run.error
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        execute(world, text)
        done += len(text)
    return done / (time.perf_counter() - started)


def peer(seconds: float) -> float | None:
    """Steps a second of unified-planning's UPSequentialSimulator, or ``None`` without it."""
    try:
        import unified_planning as up
        from unified_planning.engines import UPSequentialSimulator
        from unified_planning.shortcuts import (
            BoolType,
            Fluent,
            InstantaneousAction,
            Not,
            Object,
            Problem,
            UserType,
        )
    except ImportError:
        return None
    place, item = UserType("place"), UserType("item")
    at = Fluent("at", BoolType(), p=place)
    is_open = Fluent("is_open", BoolType(), p=place)
    inside = Fluent("inside", BoolType(), i=item, p=place)
    holding = Fluent("holding", BoolType(), i=item)
    free = Fluent("free", BoolType())
    problem = Problem("home")
    for fluent in (at, is_open, inside, holding):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_fluent(free, default_initial_value=True)
    go = InstantaneousAction("navigate", a=place, b=place)
    go.add_precondition(at(go.a))
    go.add_effect(at(go.a), False)
    go.add_effect(at(go.b), True)
    opening = InstantaneousAction("open", p=place)
    opening.add_precondition(at(opening.p))
    opening.add_precondition(Not(is_open(opening.p)))
    opening.add_effect(is_open(opening.p), True)
    pick = InstantaneousAction("pick", i=item, p=place)
    for condition in (at(pick.p), inside(pick.i, pick.p), is_open(pick.p), free()):
        pick.add_precondition(condition)
    pick.add_effect(holding(pick.i), True)
    pick.add_effect(inside(pick.i, pick.p), False)
    pick.add_effect(free(), False)
    put = InstantaneousAction("place_on", i=item, p=place)
    put.add_precondition(at(put.p))
    put.add_precondition(holding(put.i))
    put.add_effect(holding(put.i), False)
    put.add_effect(inside(put.i, put.p), True)
    put.add_effect(free(), True)
    problem.add_actions([go, opening, pick, put])
    places = {p: Object(p, place) for p in PLACES}
    items = {i: Object(i, item) for i in ITEMS}
    problem.add_objects([*places.values(), *items.values()])
    problem.set_initial_value(at(places["table_0"]), True)
    for name in PLACES:
        problem.set_initial_value(is_open(places[name]), name not in BOXES)
    for name, home in HOME.items():
        problem.set_initial_value(inside(items[name], places[home]), True)
    problem.add_goal(inside(items["mug_0"], places["table_5"]))
    up.shortcuts.get_environment().credits_stream = None
    steps: list[tuple[Any, tuple[Any, ...]]] = []
    near = "table_0"
    for name, *arguments in plan():
        if name == "navigate":
            steps.append((go, (places[near], places[arguments[0]])))
            near = arguments[0]
        elif name == "open":
            steps.append((opening, (places[arguments[0]],)))
        elif name == "pick":
            steps.append((pick, (items[arguments[0]], places[near])))
        else:
            steps.append((put, (items[arguments[0]], places[arguments[1]])))
    with UPSequentialSimulator(problem) as simulator:
        done, started = 0, 0.0
        for lap in range(1_000_000):
            if lap == 2:
                done, started = 0, time.perf_counter()
            state = simulator.get_initial_state()
            for action, parameters in steps:
                following = simulator.apply(state, action, parameters)
                assert following is not None, action.name
                state = following
            done += len(steps)
            if lap > 2 and time.perf_counter() - started > seconds:
                break
        return done / (time.perf_counter() - started)


def main() -> None:
    """Print both figures and their ratio, as medians of three turns each."""
    turns = [(ours(1.0), peer(1.0)) for _ in range(3)]
    mine = sorted(a for a, _ in turns)[1]
    print(f"adjudge simulator            {mine:>10,.0f} steps/s")
    theirs = [b for _, b in turns if b is not None]
    if not theirs:
        print("unified-planning             not installed: pip install unified-planning")
        return
    other = sorted(theirs)[1]
    print(f"unified-planning simulator   {other:>10,.0f} steps/s (warm)")
    print(f"ratio                        {mine / other:>10.1f} x")


if __name__ == "__main__":
    main()
