"""The goal language: facts, events, and what combines them, on a world.

As JSON: ``{"on": ["book", "bed"]}``, ``{"in": …}``, ``{"under": …}``, ``{"near": ["bed"]}`` (the
robot) or ``{"near": ["chair", "table"]}``, ``{"facing": ["tv"]}``, ``{"holding": ["mug"]}``,
``{"in_room": ["mug", "kitchen"]}`` or ``{"in_room": ["kitchen"]}`` (the robot),
``{"state": ["lamp", "on"]}``; ``{"did": "toggle_on(faucet)", "while": {…}}``; ``{"all": […]}``,
``{"any": […]}``, ``{"not": {…}}``, ``{"exists": ["x", "?apple", {…}]}``, ``{"forall": […]}``,
``{"count": ["x", "?apple", 2, {…}]}`` (at least), ``{"in_order": […]}`` (each in turn held at some
time; an event counts when it happens, after those before it), ``{"once": {…}}`` (held at some
time). ``?apple`` stands for any apple, ``?mug|cup`` for any of several categories, ``$x`` for a
bound variable. On a scene graph its other relations are facts as well: ``{"left_hand": ["mug"]}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from adjudge.judges.robot.case import normal
from adjudge.judges.robot.conditions import chain, fluent
from adjudge.judges.robot.domains import ROBOT
from adjudge.judges.robot.edges import IN, held, relation, targets
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.steps import read_step
from adjudge.judges.robot.world import HANDS, NEAR, ROOM, State, World, room_of, root

Latches = tuple[int, ...]
"""What a goal remembers of earlier states: one number a temporal node."""

RELATIONS = ("on", "in", "under", "near", "facing", "holding", "in_room", "state")
_ARITY = {"on": (2,), "in": (2,), "under": (2,), "near": (1, 2), "facing": (1,), "holding": (1,)}
_GRAPH_ARITY = {"holding": (1,)}
_MOST_CANDIDATES = 200
_MOST_NODES = 4096
_DEEPEST = 40


class GoalError(ValueError):
    """A goal that cannot be read: where in it, what was expected, what was found."""


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
        return f"not {_inner(self.parts[0])}"


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
        return f"once {_inner(self.parts[0])}"


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


class GoalReader:
    """Reads goals onto one world; several goals of a case share its latches.

    ``named`` are the objects that the plan names: where a category has very many objects, they
    are looked at first, then those that already fit in ``start``.
    """

    def __init__(self, world: World, start: State, named: Iterable[str] = ()) -> None:
        self._world = world
        self._start = start
        self._named = dict.fromkeys(named)
        self._latched: list[Node] = []
        self._nodes = 0

    def read(self, raw: object, where: str = "goal") -> Node:
        """A goal's tree. Raises ``GoalError``."""
        return self._read(raw, where, {}, 0)

    def goal(self, node: Node) -> Goal:
        """The goal with everything that was read so far remembered."""
        return Goal(node, tuple(self._latched))

    def _read(self, raw: object, where: str, bound: Mapping[str, str], depth: int) -> Node:
        self._nodes += 1
        if self._nodes > _MOST_NODES or depth > _DEEPEST:
            raise GoalError(f"{where}: expected a goal of at most {_MOST_NODES} facts, found more")
        if not isinstance(raw, Mapping):
            raise GoalError(f"{where}: expected an object, found {type(raw).__name__}")
        words = [w for w in raw if w != "while"]
        if len(words) != 1:
            raise GoalError(
                f"{where}: expected exactly one of {_WORDS}, found {sorted(map(str, raw))}"
            )
        word = words[0]
        body = raw[word]
        inner = f"{where}.{word}"
        if word in RELATIONS or word in self._world.domain.relations:
            return self._fact(word, body, inner, bound)
        if word in ("all", "any", "in_order"):
            if not isinstance(body, list):
                raise GoalError(f"{inner}: expected a list, found {type(body).__name__}")
            parts = tuple(
                self._read(p, f"{inner}[{i}]", bound, depth + 1) for i, p in enumerate(body)
            )
            if word == "in_order":
                return self._latch(InOrder(parts, len(self._latched)))
            if len(parts) == 1:
                return parts[0]
            return All(parts) if word == "all" else Any_(parts)
        if word == "not":
            return Not((self._read(body, inner, bound, depth + 1),))
        if word == "once":
            part = self._read(body, inner, bound, depth + 1)
            return self._latch(Once((part,), len(self._latched)))
        if word in ("exists", "forall", "count"):
            return self._quantified(word, body, inner, bound, depth)
        if word == "did":
            return self._did(body, raw.get("while"), inner, bound, depth)
        raise GoalError(f"{where}: expected one of {_WORDS}, found {word!r}")

    def _latch(self, node: Node) -> Node:
        self._latched.append(node)
        return node

    def _fact(self, word: str, body: object, where: str, bound: Mapping[str, str]) -> Node:
        if isinstance(body, str):
            body = [body]
        if not isinstance(body, list) or not all(isinstance(b, str) for b in body):
            raise GoalError(f"{where}: expected a list of names, found {type(body).__name__}")
        if word == "state":
            return self._state(body, where, bound)
        lengths = (_GRAPH_ARITY if self._world.graph else _ARITY).get(word, (1, 2))
        if len(body) not in lengths:
            raise GoalError(
                f"{where}: expected {' or '.join(map(str, lengths))} names, found {len(body)}"
            )
        if word == "in_room":
            *things, room = body
            names = self._names(things[0], bound) if things else ("",)
            return self._any(Fact(word, a, r) for a in names for r in self._names(room, bound))
        choices = [self._names(name, bound) for name in body]
        if len(choices) == 2:
            return self._any(Fact(word, a, b) for a, b in product(*choices) if a != b)
        return self._any(Fact(word, a) for a in choices[0])

    def _state(self, body: list[str], where: str, bound: Mapping[str, str]) -> Node:
        if len(body) != 2:
            raise GoalError(f"{where}: expected an object and a state, found {len(body)} names")
        known = self._world.domain.states.get(normal(body[1]))
        if known is None:
            words = ", ".join(sorted(self._world.domain.states))
            raise GoalError(f"{where}: expected a state ({words}), found {body[1]!r}")
        name, value = known
        return self._any(Fact("state", a, name, value) for a in self._names(body[0], bound))

    def _any(self, facts: Iterable[Fact]) -> Node:
        found = tuple(facts)
        self._nodes += len(found)
        if self._nodes > _MOST_NODES:
            raise GoalError(f"expected a goal of at most {_MOST_NODES} facts, found more")
        return found[0] if len(found) == 1 else Any_(found)

    def _names(self, name: str, bound: Mapping[str, str]) -> tuple[str, ...]:
        if name.startswith("$"):
            if name[1:] not in bound:
                raise GoalError(f"expected a bound variable, found {name!r}")
            return (bound[name[1:]],)
        if name.startswith("?"):
            return self._candidates(name)
        plain = normal(name)
        exact = self._world.exact(plain)
        if exact is not None:
            return (exact,)
        if self._world.by_category.get(plain):
            return self._candidates("?" + plain)
        if not self._world.closed:
            self._world.add(plain)
        return (plain,)

    def _candidates(self, query: str, most: int = _MOST_CANDIDATES) -> tuple[str, ...]:
        categories = [normal(c) for c in query.lstrip("?").split("|")]
        found = [n for c in categories for n in self._world.by_category.get(c, ())]
        if not found and not self._world.closed:
            self._world.add(categories[0])
            return (categories[0],)
        if len(found) <= most:
            return tuple(found)
        first = [n for n in found if n in self._named]
        touched = {n for n in found if ("place", n) in self._start}
        rest = sorted((n for n in found if n not in self._named), key=lambda n: n not in touched)
        return tuple([*first, *rest][:most])

    def _quantified(
        self, word: str, body: object, where: str, bound: Mapping[str, str], depth: int
    ) -> Node:
        size = 4 if word == "count" else 3
        if not isinstance(body, list) or len(body) != size or not isinstance(body[0], str):
            form = '["x", "?category", 2, {…}]' if word == "count" else '["x", "?category", {…}]'
            raise GoalError(f"{where}: expected {form}")
        if not isinstance(body[1], str):
            raise GoalError(f"{where}[1]: expected '?category', found {type(body[1]).__name__}")
        most = _MOST_CANDIDATES if word == "exists" else _MOST_NODES
        names = self._candidates(body[1], most)
        parts = tuple(
            self._read(body[-1], f"{where}[{size - 1}]", {**bound, body[0]: name}, depth + 1)
            for name in names
        )
        if word == "exists":
            return Any_(parts) if len(parts) != 1 else parts[0]
        if word == "forall":
            return All(parts)
        least = body[2]
        if not isinstance(least, int) or isinstance(least, bool) or least < 0:
            raise GoalError(f"{where}[2]: expected a count, found {least!r}")
        return Count(parts, least)

    def _did(
        self, body: object, meanwhile: object, where: str, bound: Mapping[str, str], depth: int
    ) -> Node:
        if not isinstance(body, str):
            raise GoalError(f"{where}: expected a step such as 'wash(mug)'")
        pattern = body
        wanted: list[frozenset[str] | None] = []
        head, _, rest = pattern.partition("(")
        given = [a.strip() for a in rest.rstrip(") ").split(",") if a.strip()]
        step = read_step(head.strip(), self._world.domain)
        if step is None or step.action not in self._world.domain.actions:
            known = ", ".join(sorted(self._world.domain.actions))
            raise GoalError(f"{where}: expected an action of the domain ({known}), found {head!r}")
        for argument in given:
            wanted.append(None if argument == "_" else frozenset(self._names(argument, bound)))
        parts: tuple[Node, ...] = ()
        if meanwhile is not None:
            parts = (self._read(meanwhile, f"{where}.while", bound, depth + 1),)
        return self._latch(Did(step.action, tuple(wanted), parts, len(self._latched), pattern))


_WORDS = ", ".join(
    [*RELATIONS, "all", "any", "not", "exists", "forall", "count", "in_order", "once", "did"]
)
