"""What a case says of its world: names, kinds, rooms, and the stated part of the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Literal

from adjudge.judges.robot.case import Relation, RobotCase, Scene, default_category, normal
from adjudge.judges.robot.domains import Domain, Kind
from adjudge.judges.robot.lexicon import Lexicon

Key = tuple[str, str]
Reach = Literal["near", "room"]
"""What the robot reaches: what it is near, or everything in its room."""
State = dict[Key, Any]
"""Fluents and their values. ``("place", x)`` is a relation and a target, ``HELD`` for what is in
a hand; ``(fluent, x)`` a bool; a key that is absent is unknown."""

NEAR: Key = ("near", "")
"""Where the robot stands: an anchor (see ``Simulator.root``), ``*`` and a room name for somewhere
in that room, ``*`` alone for anywhere, ``None`` for near nothing."""
ROOM: Key = ("room", "")
HANDS: Key = ("hands", "")
MOVED: Key = ("moved", "")
HELD = ("held", "")

_MOST_ABLE = 20
"""Tools and places of one kind that are looked at."""


class World:
    """Names and kinds (fixed), and the stated start.

    ``closed``: the scene lists everything that exists. ``hands_stated``: the scene says what the
    robot holds. ``known``: nothing about the start is left to assume. ``graph``: its relations
    are edges, see ``GraphWorld``.
    """

    graph: ClassVar[bool] = False

    def __init__(
        self,
        domain: Domain,
        *,
        closed: bool,
        categories: Mapping[str, str],
        rooms: Iterable[str] = (),
        doors: Iterable[tuple[str, str]] = (),
        affordances: Mapping[str, frozenset[str]] | None = None,
        start: State | None = None,
        hands_stated: bool = False,
        known: bool = False,
        reach: Reach = "near",
    ) -> None:
        self.domain = domain
        self.closed = closed
        self.categories = dict(categories)
        self.rooms = frozenset(rooms)
        self.affordances = dict(affordances or {})
        self.start: State = start if start is not None else {}
        self.hands_stated = hands_stated
        self.known = known
        self.reach = reach
        self._walls = _components(self.rooms, doors)
        self._able: dict[str, tuple[str, ...]] = {}

    @cached_property
    def by_category(self) -> Mapping[str, tuple[str, ...]]:
        """Category to its objects, in the order given."""
        return self.lexicon.by_category

    @cached_property
    def lexicon(self) -> Lexicon:
        """The names, for those who read words."""
        places: dict[str, tuple[Relation, str]] = {
            key[1]: value
            for key, value in self.start.items()
            if key[0] == "place" and value != HELD
        }
        return Lexicon(self.closed, self.categories, self.rooms, places)

    def exists(self, name: str) -> bool:
        """Whether an object or room has this id."""
        return name in self.categories or name in self.rooms

    def exact(self, name: str) -> str | None:
        """The one object or room that a name in compared form is the id of."""
        return name if self.exists(name) else None

    def add(self, name: str) -> None:
        """Let an open world (or a believed trace) have one more object."""
        if not self.exists(name):
            self.categories[name] = default_category(name)
            self._able.clear()
            self.__dict__.pop("by_category", None)
            self.__dict__.pop("lexicon", None)

    def resolve(self, name: str) -> tuple[str, ...]:
        """The objects that a name in a plan can mean: the id itself, or a category's objects."""
        if self.exists(name):
            return (name,)
        return self.by_category.get(name, ())

    def kind(self, name: str) -> Kind | None:
        """What the domain knows of the object's category."""
        return self.domain.kind(self.categories.get(name, name))

    def can(self, name: str, affordance: str) -> bool | None:
        """Whether the object affords it; ``None`` where nobody says."""
        if name in self.affordances:
            return affordance in self.affordances[name]
        if name in self.rooms:
            return False
        return self.domain.can(self.categories.get(name, name), affordance)

    def able(self, affordance: str) -> tuple[str, ...]:
        """The objects that are known to afford it."""
        if affordance not in self._able:
            able = self.domain.able(affordance)
            found = (
                name
                for name, category in self.categories.items()
                if (able[category] if name not in self.affordances else self.can(name, affordance))
            )
            self._able[affordance] = tuple(islice(found, _MOST_ABLE))
        return self._able[affordance]

    def usual(self, fluent: str, name: str) -> bool:
        """The value that a fluent usually has for this object."""
        kind = self.kind(name)
        if kind is not None and fluent in kind.usual:
            return kind.usual[fluent]
        return self.domain.usual[fluent]

    def starts_closed(self, name: str) -> bool:
        """Whether the object only runs while it is closed."""
        kind = self.kind(name)
        return kind is not None and kind.starts_closed

    def connected(self, one: str, other: str) -> bool:
        """Whether a robot can get from one room to another; yes where no doors were given."""
        return not self._walls or self._walls.get(one) == self._walls.get(other)


def build_world(
    case: RobotCase,
    domain: Domain,
    named: Iterable[str],
    *,
    strict: bool = False,
    reach: Reach = "near",
) -> World:
    """The world of a case. ``named`` are the objects that the plan names: in an open world they
    exist. ``strict``: what its scene leaves unsaid of places is not assumed."""
    if case.scene is None:
        categories = {name: default_category(name) for name in named}
        return World(domain, closed=False, categories=categories, known=strict, reach=reach)
    return _closed(case.scene, domain, strict, reach)


def _closed(scene: Scene, domain: Domain, strict: bool, reach: Reach) -> World:
    start: State = {}
    categories: dict[str, str] = {}
    affordances: dict[str, frozenset[str]] = {}
    for thing in scene.objects:
        name = normal(thing.id)
        categories[name] = thing.kind
        place = thing.place()
        if place is not None:
            start["place", name] = (place[0], normal(place[1]))
        if thing.affordances is not None:
            affordances[name] = frozenset(normal(a) for a in thing.affordances)
        for word in thing.states:
            fluent = domain.states.get(normal(word))
            if fluent is not None:
                start[fluent[0], name] = fluent[1]
    robot = scene.robot
    held = tuple(normal(h) for h in robot.holding or ())
    start[HANDS] = held
    for name in held:
        start["place", name] = HELD
    if robot.room is not None:
        start[ROOM] = normal(robot.room)
    world = World(
        domain,
        closed=True,
        categories=categories,
        rooms=[normal(r) for r in scene.rooms],
        doors=[(normal(door[0]), normal(door[1])) for door in scene.doors],
        affordances=affordances,
        start=start,
        hands_stated=robot.holding is not None,
        known=strict,
        reach=reach,
    )
    if robot.near is not None:
        near = normal(robot.near)
        start[NEAR] = "*" + near if near in world.rooms else root(start, near)
        start[MOVED] = True
    return world


def root(state: State, name: str) -> str:
    """The thing that stands by itself at the end of the chain in, on, under, at; ``@robot`` for
    what is held. Being near a root reaches all that hangs on it."""
    while True:
        place = state.get(("place", name))
        if place is None or place[0] == "room":
            return name
        if place[0] == "held":
            return "@robot"
        name = place[1]


def room_of(state: State, name: str) -> str | None:
    """The room at the end of an object's chain, ``None`` where unknown."""
    while True:
        place = state.get(("place", name))
        if place is None:
            return None
        if place[0] == "held":
            return state.get(ROOM)
        if place[0] == "room":
            return str(place[1])
        name = place[1]


def unplaced(world: World, state: State, name: str) -> bool:
    """Whether places have to be known and nobody says where this object is."""
    if not world.known or not world.rooms or name in world.rooms:
        return False
    at = root(state, name)
    return at != "@robot" and ("place", at) not in state


def _components(rooms: Iterable[str], doors: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Room to the name of its connected part; empty where no doors were given."""
    parent = {room: room for room in rooms}
    given = False

    def find(room: str) -> str:
        while parent[room] != room:
            room = parent[room]
        return room

    for one, other in doors:
        given = True
        parent.setdefault(one, one)
        parent.setdefault(other, other)
        parent[find(one)] = find(other)
    return {room: find(room) for room in parent} if given else {}
