"""The world of a scene graph: all of it is known, and one world serves every plan on it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from adjudge.judges.robot.case import Relation as Place
from adjudge.judges.robot.domains import ROBOT, Domain
from adjudge.judges.robot.edges import (
    IN,
    NEAR,
    ON,
    Relation,
    held,
    reached_from,
    relation,
    sources,
    targets,
)
from adjudge.judges.robot.graph import RELATIONS, SceneGraph, plain
from adjudge.judges.robot.hash_order import hash_order
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.world import HANDS, Key, Reach, State, World

_NUMBER = re.compile(r"_(\d+)$")
_MOST_FIRST = 3
_MOST_PARTS = 64


class GraphWorld(World):
    """Names are ``class_id``; the robot is ``ROBOT`` in states, whatever its node is called.

    ``numbers`` are the ids that are numbers, ``orders`` the graph's edges as they came in.
    """

    graph = True

    def __init__(
        self,
        domain: Domain,
        *,
        categories: Mapping[str, str],
        rooms: Iterable[str],
        affordances: Mapping[str, frozenset[str]],
        start: State,
        robot: str,
        numbers: Mapping[str, int],
        by_number: Mapping[int, str],
        orders: Mapping[Key, tuple[str, ...]],
        reach: Reach = "near",
    ) -> None:
        super().__init__(
            domain,
            closed=True,
            categories=categories,
            rooms=rooms,
            affordances=affordances,
            start=start,
            hands_stated=True,
            known=True,
            reach=reach,
        )
        self.robot = robot
        self.numbers = numbers
        self.by_number = by_number
        self.orders = orders
        self._parts: dict[frozenset[str], GraphWorld] = {}

    def exact(self, name: str) -> str | None:
        """The whole name, else the number at its end, whatever stands before it."""
        whole = plain(name)
        if whole == self.robot:
            return ROBOT
        if self.exists(whole):
            return whole
        found = _NUMBER.search(whole)
        return self.by_number.get(int(found[1][:18])) if found is not None else None

    def resolve(self, name: str) -> tuple[str, ...]:
        """The object that a name in a plan means, or every object of a class."""
        one = self.exact(name)
        return (one,) if one is not None else self.by_category.get(plain(name), ())

    @cached_property
    def lexicon(self) -> Lexicon:
        """The names, and where things stand: on something, else in something, else in a room."""
        places: dict[str, tuple[Place, str]] = {}
        for name in self.categories:
            on, inside = (targets(self.start, kind, name) for kind in (ON, IN))
            if on:
                places[name] = ("on", min(on))
            elif inside:
                around = min(inside, key=lambda n: (n in self.rooms, n))
                places[name] = ("room" if around in self.rooms else "in", around)
        return Lexicon(True, self.categories, self.rooms, places)

    def usual(self, fluent: str, name: str) -> bool:
        """What a graph leaves unsaid is not so."""
        return False

    def shown(self, name: str) -> str:
        """A name as scenes and plans write it."""
        return self.robot if name == ROBOT else name

    def room_of(self, state: State, name: str) -> str | None:
        """The room that an object is in, by its own edges or those of what it is in."""
        if name in self.rooms:
            return name
        inside = targets(state, IN, name)
        if len(inside) > 1:
            return self.first(state, IN, name, inside & self.rooms)
        seen = {name}
        while inside:
            around = self.first(state, IN, name, inside)
            if around is None or around in seen:
                return None
            if around in self.rooms:
                return around
            seen.add(around)
            name = around
            inside = targets(state, IN, name)
        return None

    def first(self, state: State, kind: Relation, name: str, names: Collection[str]) -> str | None:
        """The one of ``names`` that the reference executor comes upon first among what ``name``
        stands in a relation to; it keeps those in a hash set of their numbers."""
        if len(names) < 2:
            return next(iter(names), None)
        before = self.orders.get((kind.out, name), ())
        since = sorted(targets(state, kind, name).difference(before))
        known = [(self.numbers.get(n, -1), n) for n in (*since, *before)]
        if any(number < 0 for number, _ in known):
            return min(names)
        by_number = dict(known)
        order = hash_order(tuple(by_number))
        return next((by_number[n] for n in order if by_number[n] in names), None)

    def first_beside(self, state: State, name: str) -> tuple[str, str] | None:
        """What an object is on, in or near (in this order), rooms apart, and the relation."""
        for kind, word in ((ON, "on"), (IN, "in"), (NEAR, "near")):
            found = self.first(state, kind, name, targets(state, kind, name) - self.rooms)
            if found is not None:
                return found, word
        return None

    def part(self, names: Iterable[str]) -> GraphWorld:
        """The same world with only what can matter to plans and goals about ``names``.

        Kept are the names, what they are in or on, what is in or on them, what is near the robot,
        body parts, and what a hand that grabs one of them comes near to.
        """
        asked = frozenset(names)
        known = self._parts.get(asked)
        if known is None:
            if len(self._parts) >= _MOST_PARTS:
                self._parts.clear()
            known = self._parts[asked] = self._part(asked)
        return known

    def _part(self, names: frozenset[str]) -> GraphWorld:
        start = self.start
        about = dict.fromkeys([ROBOT, *sorted(names), *sorted(held(start, ROBOT))])
        kept = reached_from(start, (IN, ON), about)
        for name in list(kept):
            if name not in self.rooms:
                kept.update(dict.fromkeys(sources(start, IN, name) | sources(start, ON, name)))
        kept.update(dict.fromkeys(targets(start, NEAR, ROBOT)))
        kept.update(dict.fromkeys(self.body_parts))
        for name in about:
            left = set(targets(start, NEAR, name) - self.rooms)
            for _ in range(min(_MOST_FIRST, len(left))):
                first = self.first(start, NEAR, name, left)
                if first is not None:
                    left.discard(first)
                    kept[first] = None
        only = frozenset(kept)
        said: State = {
            key: value & only if isinstance(value, frozenset) else value
            for name in ("", *sorted(only))
            for key, value in self._said_of.get(name, ())
        }
        categories = {name: c for name, c in self.categories.items() if name in only}
        return self._with(categories, self.rooms & only, said)

    @cached_property
    def _said_of(self) -> Mapping[str, list[tuple[Key, object]]]:
        """What the start says of each object."""
        found: dict[str, list[tuple[Key, object]]] = {}
        for key, value in self.start.items():
            found.setdefault(key[1], []).append((key, value))
        return found

    def copy(self) -> GraphWorld:
        """The same world, free to have more objects."""
        return self._with(self.categories, self.rooms, dict(self.start))

    def _with(
        self, categories: Mapping[str, str], rooms: Iterable[str], start: State
    ) -> GraphWorld:
        return GraphWorld(
            self.domain,
            categories=categories,
            rooms=rooms,
            affordances=self.affordances,
            start=start,
            robot=self.robot,
            numbers=self.numbers,
            by_number=self.by_number,
            orders=self.orders,
            reach=self.reach,
        )

    @cached_property
    def body_parts(self) -> frozenset[str]:
        """The parts of the robot's body: wherever it goes, they are near."""
        return frozenset(n for n in self.categories if self.can(n, "body_part"))


def graph_world(graph: SceneGraph, domain: Domain, reach: Reach = "near") -> GraphWorld:
    """The world of a graph; worked out once for a graph, domain and reach."""
    known = graph.memo.get((domain, reach))
    if not isinstance(known, GraphWorld):
        known = graph.memo[domain, reach] = _build(graph, domain, reach)
    return known


def _build(graph: SceneGraph, domain: Domain, reach: Reach) -> GraphWorld:
    acting = graph.robot
    names = dict(graph.names)
    robot = ""
    if acting is not None:
        robot = names[acting.id]
        names[acting.id] = ROBOT
    start: State = {HANDS: ()}
    categories: dict[str, str] = {}
    affordances: dict[str, frozenset[str]] = {}
    numbers: dict[str, int] = {}
    rooms: list[str] = []
    for node in graph.nodes:
        name = names[node.id]
        category = plain(node.class_name)
        categories[name] = category
        if isinstance(node.id, int):
            numbers[name] = node.id
        if (node.category or "").lower() == "rooms":
            rooms.append(name)
        more = domain.kinds.get(category)
        affordances[name] = frozenset(plain(p) for p in node.properties) | frozenset(
            more.can if more else ()
        )
        for word in node.states:
            fluent = domain.states.get(plain(word))
            if fluent is not None:
                start[fluent[0], name] = fluent[1]
    kinds = {raw: relation(word) for raw, word in RELATIONS.items() if word in domain.relations}
    kinds.update({raw.upper(): kind for raw, kind in kinds.items()})
    links: dict[Key, dict[str, None]] = defaultdict(dict)
    for one, raw, other in graph.edges:
        kind = kinds.get(raw) or kinds.get(raw.lower())
        if kind is not None:
            a, b = names[one], names[other]
            links[kind.out, a][b] = None
            links[kind.back, b][a] = None
    start.update({key: frozenset(found) for key, found in links.items()})
    return GraphWorld(
        domain,
        categories=categories,
        rooms=rooms,
        affordances=affordances,
        start=start,
        robot=robot,
        numbers=numbers,
        by_number={number: name for name, number in numbers.items()},
        orders={key: tuple(found) for key, found in links.items() if len(found) > 1},
        reach=reach,
    )
