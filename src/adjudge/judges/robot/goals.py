"""The goal language: facts, events, and what combines them, on a world.

As JSON: ``{"on": ["book", "bed"]}``, ``{"in": …}``, ``{"under": …}``, ``{"near": ["bed"]}`` (the
robot) or ``{"near": ["chair", "table"]}``, ``{"facing": ["tv"]}``, ``{"holding": ["mug"]}``,
``{"in_room": ["mug", "kitchen"]}`` or ``{"in_room": ["kitchen"]}`` (the robot),
``{"state": ["lamp", "on"]}``; ``{"did": "toggle_on(faucet)", "while": {…}}``; ``{"all": […]}``,
``{"any": […]}``, ``{"not": {…}}``, ``{"exists": ["x", "?apple", {…}]}``, ``{"forall": […]}``,
``{"count": ["x", "?apple", 2, {…}]}`` (at least), ``{"at_least": [2, [{…}, …]]}``,
``{"in_order": […]}`` (each in turn held at some time; an event counts when it happens, after those
before it), ``{"once": {…}}`` (held at some time). ``?apple`` stands for any apple, ``?mug|cup``
for any of several categories, ``$x`` for a bound variable. On a scene graph its other relations
are facts as well: ``{"left_hand": ["mug"]}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adjudge.judges.robot.conditions import chain, fluent
from adjudge.judges.robot.domains import ROBOT
from adjudge.judges.robot.edges import IN, held, relation, targets
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.world import HANDS, NEAR, ROOM, State, World, room_of, root

Latches = tuple[int, ...]
"""What a goal remembers of earlier states: one number a temporal node."""


class Node:
    """A part of a goal. ``holds`` asks a state and what the goal remembers."""

    __slots__ = ()
    parts: tuple[Node, ...]

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        raise NotImplementedError

    def share(self, world: World, state: State, latches: Latches) -> float:
        """How much of it holds, 0 to 1."""
        return float(self.holds(world, state, latches))

    def facts(self) -> Iterator[Fact]:
        """Every fact in it."""
        for part in self.parts:
            yield from part.facts()

    def events(self) -> Iterator[Did]:
        """Every event in it."""
        for part in self.parts:
            yield from part.events()


@dataclass(frozen=True, slots=True)
class Fact(Node):
    """One relation or state. ``value`` is the wanted value of a state."""

    word: str
    a: str
    b: str = ""
    value: bool = True
    parts: tuple[Node, ...] = ()

    def facts(self) -> Iterator[Fact]:
        yield self

    def holds(self, world: World, state: State, latches: Latches = ()) -> bool:
        word, a, b = self.word, self.a, self.b
        if word == "state":
            known = a in world.categories
            return known and fluent(world, state, b, a, self.value, None)
        if world.graph:
            return self._edge(state)
        if word == "on" or word == "under":
            return bool(state.get(("place", a)) == (word, b))
        if word == "in":
            return any(r == "in" and t == b for _, r, t in chain(state, a))
        if word == "holding":
            return a in state[HANDS]
        if word == "in_room":
            return self._in_room(state)
        if word == "facing" and ("facing", "") in state:
            return bool(state["facing", ""] == a)
        return self._near(state)

    def _edge(self, state: State) -> bool:
        """On a scene graph every relation is an edge, and only what it says."""
        if self.word == "holding":
            return self.a in held(state, ROBOT)
        if self.word == "in_room":
            return self.b in targets(state, IN, self.a or ROBOT)
        a, b = (self.a, self.b) if self.b else (ROBOT, self.a)
        return b in targets(state, relation(self.word), a)

    def _in_room(self, state: State) -> bool:
        if not self.a:
            near = state.get(NEAR)
            return state.get(ROOM) == self.b or (near is not None and near == root(state, self.b))
        return room_of(state, self.a) == self.b or root(state, self.a) == root(state, self.b)

    def _near(self, state: State) -> bool:
        at = root(state, self.a)
        if self.b:
            return at == root(state, self.b)
        return at == "@robot" or at == state.get(NEAR)

    def __str__(self) -> str:
        a, b = self.a.lstrip("@"), self.b.lstrip("@")
        if self.word == "state":
            return f"{a} {b}" if self.value else f"{a} not {b}"
        if self.word == "in_room":
            return f"{a or 'robot'} in {b}"
        if self.word == "holding":
            return f"holding {a}"
        if self.word == "near":
            return f"{a} near {b}" if b else f"near {a}"
        word = self.word.replace("_", " ")
        return f"{a} {word} {b}" if b else f"{word} {a}"


@dataclass(frozen=True, slots=True)
class All(Node):
    """Every part holds."""

    parts: tuple[Node, ...]

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        return all(part.holds(world, state, latches) for part in self.parts)

    def share(self, world: World, state: State, latches: Latches) -> float:
        if not self.parts:
            return 1.0
        return sum(p.share(world, state, latches) for p in self.parts) / len(self.parts)

    def __str__(self) -> str:
        return " and ".join(_inner(p) for p in self.parts) or "nothing"


@dataclass(frozen=True, slots=True)
class Any_(Node):
    """Some part holds."""

    parts: tuple[Node, ...]

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        return any(part.holds(world, state, latches) for part in self.parts)

    def share(self, world: World, state: State, latches: Latches) -> float:
        return max((p.share(world, state, latches) for p in self.parts), default=0.0)

    def __str__(self) -> str:
        shown = " or ".join(_inner(p) for p in self.parts[:4])
        return shown + (" or …" if len(self.parts) > 4 else "") or "something that is not there"


@dataclass(frozen=True, slots=True)
class Not(Node):
    """Its part does not hold."""

    parts: tuple[Node, ...]

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        return not self.parts[0].holds(world, state, latches)

    def facts(self) -> Iterator[Fact]:
        for fact in self.parts[0].facts():
            if fact.word == "state":
                yield Fact("state", fact.a, fact.b, not fact.value)

    def __str__(self) -> str:
        return f"not {_whole(self.parts[0])}"


@dataclass(frozen=True, slots=True)
class Count(Node):
    """At least ``least`` of the parts hold."""

    parts: tuple[Node, ...]
    least: int

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        return sum(p.holds(world, state, latches) for p in self.parts) >= self.least

    def share(self, world: World, state: State, latches: Latches) -> float:
        best = sorted((p.share(world, state, latches) for p in self.parts), reverse=True)
        return sum(best[: self.least]) / self.least if self.least else 1.0

    def __str__(self) -> str:
        shown = ", ".join(str(p) for p in self.parts[:4])
        return f"at least {self.least} of: {shown}" + (", …" if len(self.parts) > 4 else "")


@dataclass(frozen=True, slots=True)
class Once(Node):
    """Its part held in some state."""

    parts: tuple[Node, ...]
    slot: int

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        return bool(latches[self.slot])

    def share(self, world: World, state: State, latches: Latches) -> float:
        return 1.0 if latches[self.slot] else self.parts[0].share(world, state, latches)

    def __str__(self) -> str:
        return f"once {_whole(self.parts[0])}"


@dataclass(frozen=True, slots=True)
class InOrder(Node):
    """Each part in turn held in some state; the latch counts how many did."""

    parts: tuple[Node, ...]
    slot: int

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        return latches[self.slot] >= len(self.parts)

    def share(self, world: World, state: State, latches: Latches) -> float:
        return latches[self.slot] / len(self.parts) if self.parts else 1.0

    def __str__(self) -> str:
        return ", then ".join(str(p) for p in self.parts)


@dataclass(frozen=True, slots=True)
class Did(Node):
    """A step of this form executed, with ``parts[0]`` (if any) true after it. ``_`` is any
    argument; an argument that is a set is any of its objects."""

    action: str
    arguments: tuple[frozenset[str] | None, ...]
    parts: tuple[Node, ...]
    slot: int
    text: str

    def events(self) -> Iterator[Did]:
        yield self
        yield from Node.events(self)

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        return bool(latches[self.slot])

    def matches(self, ground: Ground) -> bool:
        """Whether a step is of this form."""
        if ground.action.name != self.action:
            return False
        used = [
            v for n, v in zip(ground.names, ground.arguments, strict=True) if not n.startswith("_")
        ]
        return len(used) >= len(self.arguments) and all(
            wanted is None or value in wanted
            for wanted, value in zip(self.arguments, used, strict=False)
        )

    def __str__(self) -> str:
        return f"did {self.text}"


def _whole(node: Node) -> str:
    """As ``_inner``, and a conjunction in brackets as well."""
    several = isinstance(node, All | InOrder) and len(node.parts) > 1
    return f"({node})" if several else _inner(node)


def _inner(node: Node) -> str:
    text = str(node)
    return f"({text})" if isinstance(node, Any_ | Count) and len(node.parts) > 1 else text


@dataclass(frozen=True)
class Goal:
    """A goal on a world: its tree, and the temporal nodes, inner ones first."""

    root: Node
    latched: tuple[Node, ...]

    def begin(self, world: World, state: State) -> Latches:
        """What is remembered before any step."""
        return self._update(world, state, (0,) * len(self.latched), None)

    def after(self, world: World, state: State, latches: Latches, ground: Ground | None) -> Latches:
        """What is remembered after a step that led to ``state``."""
        return self._update(world, state, latches, ground) if self.latched else latches

    def holds(self, world: World, state: State, latches: Latches) -> bool:
        """Whether the goal holds now."""
        return self.root.holds(world, state, latches)

    def _update(
        self, world: World, state: State, latches: Latches, ground: Ground | None
    ) -> Latches:
        now = list(latches)
        happened: set[int] = set()
        for slot, node in enumerate(self.latched):
            if isinstance(node, Once):
                if not now[slot] and node.parts[0].holds(world, state, tuple(now)):
                    now[slot] = 1
            elif isinstance(node, Did):
                if (
                    ground is not None
                    and node.matches(ground)
                    and all(p.holds(world, state, tuple(now)) for p in node.parts)
                ):
                    now[slot] = 1
                    happened.add(slot)
            elif isinstance(node, InOrder):
                now[slot] = _reached(node, world, state, now, happened)
        return tuple(now)


def _reached(node: InOrder, world: World, state: State, now: list[int], happened: set[int]) -> int:
    """How many parts have held in turn. What happened before its turn does not count, and one
    step is one event."""
    fresh = list(now)
    for event in node.events():
        fresh[event.slot] = int(event.slot in happened)
    reached = now[node.slot]
    while reached < len(node.parts) and node.parts[reached].holds(world, state, tuple(fresh)):
        if any(node.parts[reached].events()):
            for event in node.events():
                fresh[event.slot] = 0
        reached += 1
    return reached
