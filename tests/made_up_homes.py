"""Hypothesis strategies: homes whose start is fully stated, plans in them, and goals."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

FURNITURE = ("counter", "table", "shelf", "sofa", "bed")
CONTAINERS = ("fridge", "drawer", "cabinet", "microwave")
DEVICES = ("lamp", "tv", "stove")
ITEMS = ("apple", "mug", "book", "plate", "knife", "bread", "cup", "ball")
ROOMS = ("kitchen", "bedroom")


@st.composite
def homes(draw: st.DrawFn, *, tiny: bool = False) -> dict[str, Any]:
    """A scene with everything said: places, states, where the robot stands, what it holds."""
    most = 1 if tiny else 2
    things: list[dict[str, Any]] = []
    spots: list[tuple[str, str]] = []
    for name in draw(
        st.lists(st.sampled_from(FURNITURE), min_size=2, max_size=most + 1, unique=True)
    ):
        things.append({"id": name, "room": draw(st.sampled_from(ROOMS))})
        spots.append(("on", name))
    for name in draw(st.lists(st.sampled_from(CONTAINERS), min_size=1, max_size=most, unique=True)):
        states = [draw(st.sampled_from(["open", "closed"])), "off", "plugged_in"]
        things.append({"id": name, "room": draw(st.sampled_from(ROOMS)), "states": states})
        spots.append(("in", name))
    for name in draw(st.lists(st.sampled_from(DEVICES), min_size=1, max_size=most, unique=True)):
        states = [draw(st.sampled_from(["on", "off"])), "plugged_in"]
        things.append({"id": name, "room": draw(st.sampled_from(ROOMS)), "states": states})
    for name in draw(st.lists(st.sampled_from(ITEMS), min_size=2, max_size=most * 2, unique=True)):
        relation, spot = draw(st.sampled_from(spots))
        things.append({"id": name, relation: spot, "states": ["clean", "whole", "empty"]})
    near = draw(st.sampled_from([t["id"] for t in things if "room" in t]))
    room = next(t["room"] for t in things if t["id"] == near)
    for thing in things:
        thing["category"] = thing["id"]
    return {
        "rooms": list(ROOMS),
        "doors": [list(ROOMS)],
        "objects": things,
        "robot": {"room": room, "near": near, "holding": []},
    }


def plans(scene: dict[str, Any], most: int = 9) -> st.SearchStrategy[list[str]]:
    """Steps on the scene's objects; many execute, many do not."""
    names = [t["id"] for t in scene["objects"]]
    items = [n for n in names if n in ITEMS] or names
    spots = [n for n in names if n in FURNITURE]
    boxes = [n for n in names if n in CONTAINERS]
    devices = [n for n in names if n in (*DEVICES, "microwave")] or names
    one = st.sampled_from
    step = st.one_of(
        one(names).map(lambda n: f"navigate({n})"),
        one(names).map(lambda n: f"navigate({n})"),
        one(items).map(lambda n: f"pick({n})"),
        one(items).map(lambda n: f"pick({n})"),
        st.tuples(one(items), one(spots)).map(lambda p: f"place_on({p[0]}, {p[1]})"),
        st.tuples(one(items), one(boxes)).map(lambda p: f"place_in({p[0]}, {p[1]})"),
        one(boxes).map(lambda n: f"open({n})"),
        one(boxes).map(lambda n: f"close({n})"),
        one(devices).map(lambda n: f"toggle_on({n})"),
        one(devices).map(lambda n: f"toggle_off({n})"),
        one(items).map(lambda n: f"drop({n})"),
        one(items).map(lambda n: f"slice({n})"),
    )
    return st.lists(step, min_size=1, max_size=most)


def goals(scene: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """One or two facts about the scene's objects."""
    names = [t["id"] for t in scene["objects"]]
    items = [n for n in names if n in ITEMS]
    spots = [n for n in names if n in FURNITURE]
    boxes = [n for n in names if n in CONTAINERS]
    devices = [n for n in names if n in DEVICES]
    one = st.sampled_from
    fact = st.one_of(
        st.tuples(one(items), one(spots)).map(lambda p: {"on": list(p)}),
        st.tuples(one(items), one(boxes)).map(lambda p: {"in": list(p)}),
        st.tuples(one(devices), one(["on", "off"])).map(lambda p: {"state": list(p)}),
        st.tuples(one(boxes), one(["open", "closed"])).map(lambda p: {"state": list(p)}),
        one(items).map(lambda n: {"holding": [n]}),
        one(items).map(lambda n: {"once": {"holding": [n]}}),
    )
    return st.lists(fact, min_size=1, max_size=2).map(lambda facts: {"all": facts})


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    """A case with a fully stated start, a goal and a plan."""
    scene = draw(homes())
    return {
        "id": "made-up",
        "instruction": "Do as the goal says.",
        "scene": scene,
        "plan": draw(plans(scene)),
        "goal": draw(goals(scene)),
    }


@st.composite
def solved_cases(draw: st.DrawFn) -> dict[str, Any]:
    """A case whose plan moves one thing where the goal wants it, with spare steps strewn in."""
    scene = draw(homes())
    items = [t for t in scene["objects"] if t["id"] in ITEMS]
    item = draw(st.sampled_from(items))
    spots = [t["id"] for t in scene["objects"] if t["id"] in FURNITURE]
    spot = draw(st.sampled_from(spots))
    place = item.get("on") or item["in"]
    steps = [f"navigate({place})"]
    if "in" in item:
        steps.append(f"open({place})")
    steps += [f"pick({item['id']})", f"navigate({spot})", f"place_on({item['id']}, {spot})"]
    for extra in draw(st.lists(plans(scene, most=2), max_size=2)):
        at = draw(st.integers(0, len(steps)))
        steps[at:at] = extra
    return {
        "id": "made-up",
        "instruction": "Do as the goal says.",
        "scene": scene,
        "plan": steps,
        "goal": {"on": [item["id"], spot]},
    }
