"""Goals from JSON onto a world; see ``goals`` for the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from adjudge.judges.robot.case import normal
from adjudge.judges.robot.goals import (
    All,
    Any_,
    Count,
    Did,
    Fact,
    Goal,
    InOrder,
    Node,
    Not,
    Once,
)
from adjudge.judges.robot.steps import read_step
from adjudge.judges.robot.world import State, World

RELATIONS = ("on", "in", "under", "near", "facing", "holding", "in_room", "state")
_ARITY = {"on": (2,), "in": (2,), "under": (2,), "near": (1, 2), "facing": (1,), "holding": (1,)}
_GRAPH_ARITY = {"holding": (1,)}
_MOST_CANDIDATES = 200
_MOST_NODES = 4096
_DEEPEST = 40


class GoalError(ValueError):
    """A goal that cannot be read: where in it, what was expected, what was found."""


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
        if word == "at_least":
            return self._at_least(body, inner, bound, depth)
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

    def _at_least(self, body: object, where: str, bound: Mapping[str, str], depth: int) -> Node:
        if not isinstance(body, list) or len(body) != 2 or not isinstance(body[1], list):
            raise GoalError(f"{where}: expected a number and a list of goals, as [2, [{{…}}]]")
        least = body[0]
        if not isinstance(least, int) or isinstance(least, bool) or least < 0:
            raise GoalError(f"{where}[0]: expected a count, found {least!r}")
        parts = (self._read(p, f"{where}[1][{i}]", bound, depth + 1) for i, p in enumerate(body[1]))
        return Count(tuple(parts), least)

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
    [
        *(*RELATIONS, "all", "any", "not", "exists", "forall", "count", "at_least"),
        *("in_order", "once", "did"),
    ]
)
