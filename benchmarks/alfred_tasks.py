"""ALFRED's tasks: their parameters, the types of AI2-THOR, and a reading as such parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.nouns import default_nouns, squash
from adjudge.judges.robot.reading import Reading

MOST = 3
"""The most categories an answer may give for one parameter."""


def _types(text: str) -> dict[str, str]:
    return {
        re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower(): name
        for name in text.split()
    }


# What a robot picks up, and where it puts things, in ALFRED's scenes.
FOOD = _types("Apple Bread Lettuce Potato Tomato")
DISHES = _types("Bowl Cup Mug Pan Plate Pot")
KITCHEN = _types(
    "ButterKnife DishSponge Egg Fork Knife Ladle PepperShaker SaltShaker Spatula Spoon"
)
THINGS = _types(
    """AlarmClock BaseballBat BasketBall Book Boots Box CD Candle CellPhone Cloth CreditCard
    Glassbottle HandTowel Kettle KeyChain Laptop Newspaper PaperTowelRoll Pen Pencil Pillow Plunger
    RemoteControl ScrubBrush SoapBar SoapBottle SprayBottle Statue TeddyBear TennisRacket TissueBox
    ToiletPaper Towel Vase Watch WateringCan WineBottle"""
)
PLACES = _types(
    """ArmChair BathtubBasin Bed Cabinet Cart Chair CoffeeMachine CoffeeTable CounterTop Desk
    DiningTable DogBed Drawer Dresser Fridge GarbageCan HandTowelHolder LaundryHamper Microwave
    Ottoman Safe Shelf SideTable SinkBasin Sofa StoveBurner TVStand Toilet ToiletPaperHanger
    TowelHolder"""
)
OTHERS = _types("DeskLamp FloorLamp Television Faucet Toaster HousePlant Painting")
LABELS: Mapping[str, str] = {**FOOD, **DISHES, **KITCHEN, **THINGS, **PLACES, **OTHERS}

_CARRIED = frozenset({**FOOD, **DISHES, **KITCHEN, **THINGS}.values())
_PLACES = frozenset(PLACES.values())
_FOOD = frozenset(FOOD.values())
_MOVABLE = frozenset(DISHES.values()) | {"Box"}
_LAMPS = frozenset(["DeskLamp", "FloorLamp"])
_HEATED = _FOOD - {"Lettuce"} | {"Cup", "Egg", "Mug", "Plate"}
_COOLED = _FOOD | _MOVABLE - {"Box"} | {"Egg", "WineBottle"}
_WORKED = frozenset({**FOOD, **DISHES, **KITCHEN}.values()) - {"PepperShaker", "SaltShaker"} | {
    "Cloth",
    "Kettle",
    "SoapBar",
}
_CLOSED = frozenset(["Cabinet", "Drawer", "Fridge", "GarbageCan", "Microwave", "Safe"])
_HEATING = frozenset(["Microwave", "StoveBurner", "Toaster"])
_COOLING = frozenset(["Fridge"])
_WASHING = frozenset(["SinkBasin", "BathtubBasin"])
_STATES = {"hot": "heated", "cooked": "heated", "cold": "cooled", "clean": "cleaned"}
# Living-room furniture that no kitchen has.
_NO_KITCHEN = frozenset(["CoffeeTable"])


@dataclass(frozen=True)
class Answer:
    """The parameters of a task; a label is an answer whose sets hold one type or none.

    ``truths`` holds those of ``sliced heated cooled cleaned two`` that are so.
    """

    thing: frozenset[str] = frozenset()
    receptacle: frozenset[str] = frozenset()
    movable: frozenset[str] = frozenset()
    lamp: frozenset[str] = frozenset()
    truths: frozenset[str] = frozenset()

    def sets(self) -> Iterator[frozenset[str]]:
        """The four sets of types."""
        yield from (self.thing, self.receptacle, self.movable, self.lamp)

    def contains(self, label: Answer) -> bool:
        """Whether each set holds the label's type and the truths are the label's."""
        return self.truths == label.truths and all(
            (said >= wanted) if wanted else not said
            for said, wanted in zip(self.sets(), label.sets(), strict=True)
        )

    def __str__(self) -> str:
        return " ".join("|".join(sorted(names)) or "-" for names in (*self.sets(), self.truths))


def label(task: Mapping[str, Any]) -> Answer:
    """A task's own parameters."""
    given, kind = task["pddl_params"], task["task_type"]
    truths = {
        "sliced": bool(given["object_sliced"]),
        "heated": "heat" in kind,
        "cooled": "cool" in kind,
        "cleaned": "clean" in kind,
        "two": "two" in kind,
    }
    names = ("object_target", "parent_target", "mrecep_target", "toggle_target")
    thing, place, movable, lamp = (frozenset(filter(None, [given[name]])) for name in names)
    true = frozenset(name for name, is_true in truths.items() if is_true)
    return Answer(thing, place, movable, lamp, true)


def world() -> Lexicon:
    """Two objects of every type, and perhaps more."""
    objects = {f"{name}_{number}": name for name in LABELS for number in (1, 2)}
    return Lexicon(closed=False, objects=objects)


@dataclass
class Facts:
    """What a goal says of which argument, bound variables included.

    ``ended`` maps a thing to the relations and places that it has at the end, ``passing`` are the
    places it has on the way.
    """

    ended: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    passing: set[str] = field(default_factory=set)
    states: set[tuple[str, str]] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    bound: dict[str, str] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)
    odd: bool = False

    def read(self, goal: Mapping[str, Any], ended: bool = True) -> None:
        """Takes in a goal."""
        for name, body in goal.items():
            if name in ("in", "on", "under"):
                if ended:
                    self.ended.setdefault(body[0], set()).add((name, body[1]))
                else:
                    self.passing.add(body[1])
            elif name in ("near", "in_room", "did"):
                self.odd = self.odd or (ended and name != "did")
            elif name == "state":
                self.states.add((body[0], body[1]))
            elif name == "holding":
                self.held.add(body[0])
            elif name in ("all", "any", "in_order"):
                for part in body:
                    self.read(part, ended and name != "in_order")
            elif name == "once":
                self.read(body, False)
            elif name in ("exists", "forall", "count"):
                self.bound["$" + body[0]] = body[1]
                self.count["$" + body[0]] = {"exists": 1, "forall": 2}.get(name) or body[2]
                self.read(body[-1], ended)

    def types(self, argument: str) -> frozenset[str]:
        """The types an argument may be, with what people also call so; none if more than three."""
        text = self.bound.get(argument, argument)
        names = text[1:].split("|") if text.startswith("?") else [re.sub(r"_\d+$", "", text)]
        known = [name for name in names if name in LABELS]
        if len(known) > MOST:
            return frozenset()
        chosen = list(dict.fromkeys([*known, *_loose(names)]))[:MOST]
        return frozenset(LABELS[name] for name in chosen)


def _loose(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        row = default_nouns().kind(name)
        for other in row.loose if row else ():
            yield from (known for known in LABELS if squash(known) == squash(other))


def answer(reading: Reading) -> Answer | None:
    """A reading as a task's parameters, ``None`` where it is none of ALFRED's or leaves one out."""
    facts = Facts()
    facts.read(reading.gate)
    if facts.odd:
        return None
    lamps = [a for a, state in facts.states if state == "on" and facts.types(a) & _LAMPS]
    said = _lit(facts, lamps, reading) if lamps else _placed(facts)
    return said if said is not None and _possible(said) else None


def _lit(facts: Facts, lamps: list[str], reading: Reading) -> Answer | None:
    held = facts.held or {re.sub(r"_\d+$", "", name) for name in reading.free_delivery}
    if facts.ended or len(lamps) != 1 or len(held) != 1:
        return None
    (thing,) = held
    return Answer(thing=facts.types(thing), lamp=facts.types(lamps[0]) & _LAMPS)


def _placed(facts: Facts) -> Answer | None:
    where = {thing: {place for _, place in found} for thing, found in facts.ended.items()}
    if any(len(places) != 1 for places in where.values()):
        return None
    places = {thing: next(iter(found)) for thing, found in where.items()}
    roles = _roles(facts, places)
    if roles is None:
        return None
    thing, movable = roles
    said = Answer(
        thing=facts.types(thing),
        receptacle=_receptacle(facts, movable or thing),
        movable=facts.types(movable) & _MOVABLE if movable else frozenset(),
        truths=frozenset(_truths(facts, thing)),
    )
    return None if movable and not said.movable else said


def _receptacle(facts: Facts, thing: str) -> frozenset[str]:
    """Where it ends; "on the sink" is beside the basin, "under" it in the cabinet below."""
    ((_, place), *_) = facts.ended[thing]
    relations = {relation for relation, _ in facts.ended[thing]}
    found = facts.types(place)
    if relations == {"under"}:
        return frozenset(["Cabinet"]) if "SinkBasin" in found else frozenset()
    if "SinkBasin" in found and "in" not in relations:
        found |= {"CounterTop"}
    if "in" not in relations:
        found -= _CLOSED
    if facts.types(thing) <= frozenset({**FOOD, **KITCHEN}.values()) | {"Pan", "Pot"}:
        found -= _NO_KITCHEN
    return found & _PLACES


def _roles(facts: Facts, places: Mapping[str, str]) -> tuple[str, str | None] | None:
    """The object and the movable receptacle among what is placed; a knife left over is neither."""
    things = list(places)
    if len(things) > 1 and any(state == "sliced" for _, state in facts.states):
        things = [t for t in things if "Knife" not in facts.types(t)]
    inner = [t for t in things if places[t] in places]
    if len(things) == 1 and not inner:
        return things[0], None
    if len(things) == 2 and len(inner) == 1:
        return inner[0], places[inner[0]]
    if len(things) == 2 and len({places[t] for t in things}) == 1:
        vessels = [t for t in things if facts.types(t) & _MOVABLE]
        if len(vessels) == 1:
            return next(t for t in things if t not in vessels), vessels[0]
    return None


def _truths(facts: Facts, thing: str) -> Iterator[str]:
    if facts.count.get(thing, 1) == 2:
        yield "two"
    for _, state in facts.states:
        if state == "sliced" or state in _STATES:
            yield _STATES.get(state, state)
    groups = ((_HEATING, "heated"), (_COOLING, "cooled"), (_WASHING, "cleaned"))
    for device in facts.passing:
        yield from (truth for group, truth in groups if facts.types(device) & group)


def _possible(said: Answer) -> bool:
    """Whether it is a task of one of the seven kinds, and says all that such a task needs.

    Told only where something goes that such tasks also slice, heat, chill or wash, one cannot tell
    whether that was left out, as people do.
    """
    done = said.truths & {"heated", "cooled", "cleaned"}
    if not said.thing or not said.thing <= _CARRIED or not (said.receptacle or said.lamp):
        return False
    if len(done) + ("two" in said.truths) + bool(said.movable) + bool(said.lamp) > 1:
        return False
    if "sliced" in said.truths and not (said.thing <= _FOOD and (done or said.movable)):
        return False
    if "heated" in done and not said.thing <= _HEATED:
        return False
    if "cooled" in done and not said.thing & _COOLED:
        return False
    if said.movable and said.thing & _FOOD:
        return "sliced" in said.truths
    if len(said.receptacle) == MOST or (
        done and said.thing == {"Lettuce"} and "sliced" not in said.truths
    ):
        return False
    plain = not (done or said.lamp or said.movable or "two" in said.truths)
    return not (plain and said.thing <= _WORKED)
