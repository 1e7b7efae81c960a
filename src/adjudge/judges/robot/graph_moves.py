"""Which actions on which objects can matter for a goal on a scene graph, read off the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from adjudge.judges.robot.domains import ROBOT, Action, Domain
from adjudge.judges.robot.edges import FACING, IN, ON, held, sources, targets
from adjudge.judges.robot.goals import Did, Fact, Node, Not
from adjudge.judges.robot.graph_world import GraphWorld
from adjudge.judges.robot.ground import BoundTerm, Ground, ground
from adjudge.judges.robot.words import WRITES
from adjudge.judges.robot.world import State

_MOST_OBJECTS = 40
_MOST_MOVES = 400
_STANDING = (("near", "robot"), ("reach", "robot"))
"""What says where the robot stands."""

Want = tuple[str, str, str, bool]
"""Something to bring about: a word, whom of, of what (or empty), and the wanted value."""


@dataclass(slots=True)
class Moves:
    """Actions on objects, what each brings about, and the objects that they touch.

    ``complete`` is false where there were too many to list: a search over them proves nothing.
    """

    actions: dict[str, Ground] = field(default_factory=dict)
    by_want: dict[Want, frozenset[str]] = field(default_factory=dict)
    objects: set[str] = field(default_factory=set)
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Writer:
    """An action that can write a word: of which argument, with which value (``None``: either)."""

    action: Action
    argument: str
    other: str
    value: bool | None


@lru_cache(maxsize=32)
def writers_of(domain: Domain) -> Mapping[str, tuple[Writer, ...]]:
    """Word to the actions whose effects can write it."""
    found: dict[str, list[Writer]] = {}
    for action in domain.actions.values():
        for term in action.effects:
            first = term.arguments[0] if term.arguments else ""
            second = term.arguments[1] if len(term.arguments) > 1 else ""
            if term.state:
                found.setdefault(term.word, []).append(Writer(action, first, "", not term.negated))
            elif term.relation:
                value = not term.negated
                found.setdefault(term.word, []).append(Writer(action, first, second, value))
                if term.word in domain.symmetric:
                    found[term.word].append(Writer(action, second, first, value))
            else:
                for word, whose in WRITES.get(term.word, ()):
                    who = first if whose == "a" else "robot"
                    found.setdefault(word, []).append(Writer(action, who, "", None))
    return {word: tuple(writers) for word, writers in found.items()}


def moves_for(
    world: GraphWorld, start: State, nodes: Iterable[Node], named: Iterable[str]
) -> Moves:
    """The actions that can lead from ``start`` to the goals ``nodes``.

    Considered are the objects of the goal, those that the plan names, and what these are in or on.
    """
    return _Chain(world, start, nodes, named).run()


class _Chain:
    def __init__(
        self, world: GraphWorld, start: State, nodes: Iterable[Node], named: Iterable[str]
    ) -> None:
        self.world = world
        self.start = start
        self.nodes = tuple(nodes)
        self.found = Moves()
        self.wanted: list[Want] = []
        self.seen: set[Want] = set()
        self.hands_asked = False
        self.pool = self._pool(named)

    def _pool(self, named: Iterable[str]) -> tuple[str, ...]:
        pool: dict[str, None] = {}
        for node in self.nodes:
            for fact in node.facts():
                pool.update(dict.fromkeys(n for n in (fact.a, fact.b) if n))
            for event in node.events():
                for choice in event.arguments:
                    pool.update(dict.fromkeys(sorted(choice or ())))
        goal = dict.fromkeys(pool)
        for name in named:
            pool.update(dict.fromkeys(self.world.resolve(name)))
        for name in list(pool):
            around = targets(self.start, IN, name) | targets(self.start, ON, name)
            pool.update(dict.fromkeys(sorted(around - self.world.rooms)))
        pool.update(dict.fromkeys(sorted(held(self.start, ROBOT))))
        pool.pop(ROBOT, None)
        known = [name for name in pool if name in self.world.categories]
        if len(known) > _MOST_OBJECTS:
            self.found.complete = False
        self.found.objects.update(n for n in goal if n != ROBOT and n in self.world.categories)
        return tuple(known[:_MOST_OBJECTS])

    def run(self) -> Moves:
        for node in self.nodes:
            self._begin(node, True)
        self._navigation()
        while self.wanted:
            want = self.wanted.pop()
            self.found.by_want[want] = frozenset(self._achieve(want))
            if len(self.found.actions) > _MOST_MOVES:
                self.found.complete = False
                break
        self._empty_hands()
        self._walks()
        return self.found

    def _walks(self) -> None:
        """What walking brings about besides: it ends nearness and facing, and takes what is
        carried along."""
        nearing = frozenset(k for k, g in self.found.actions.items() if _nears(g))
        walks = frozenset(k for k in nearing if not self.found.actions[k].interaction)
        for want in self.seen:
            word, whose, _, value = want
            if whose == ROBOT and word == "near":
                self.found.by_want[want] = nearing
            elif (whose == ROBOT and not value) or (whose != ROBOT and word == "in"):
                self.found.by_want[want] = self.found.by_want.get(want, frozenset()) | walks

    def _empty_hands(self) -> None:
        """Where more is taken than the hands hold, something may have to be dropped."""
        taken = {g.arguments[0] for g in self.found.actions.values() if g.action.takes}
        taken |= held(self.start, ROBOT)
        if len(taken) > self.world.domain.hands:
            for writer in writers_of(self.world.domain).get("free", ()):
                for name in sorted(taken) if writer.action.names_for(1) else ():
                    self._add(writer.action, (name,))

    def _begin(self, node: Node, value: bool) -> None:
        if isinstance(node, Not):
            self._begin(node.parts[0], not value)
            return
        if isinstance(node, Fact):
            self._want(want_of(node, value))
            if node.word == "left_hand":
                # the right hand takes first
                for name in self.pool:
                    self._want(("held", name, "", True))
            for name in sorted(held(self.start, ROBOT)):
                # what is held is taken anew only once it is put down
                self._want(("free", name, "", True))
        if isinstance(node, Did):
            self.found.by_want[event_want(node)] = frozenset(self._event(node))
        for part in node.parts:
            self._begin(part, value)

    def _want(self, want: Want) -> None:
        if want not in self.seen:
            self.seen.add(want)
            self.wanted.append(want)

    def _navigation(self) -> None:
        """Wherever anything has to be near, the robot may walk to any object: the first way of
        walking that the table has."""
        for action in self.world.domain.actions.values():
            if not action.interaction and any(
                where in WRITES.get(term.word, ()) for term in action.effects for where in _STANDING
            ):
                for name in self.pool:
                    self._add(action, (name,))
                return

    def _achieve(self, want: Want) -> Iterator[str]:
        word, whose, of, value = want
        for writer in writers_of(self.world.domain).get(word, ()):
            if writer.value not in (None, value):
                continue
            if word == "near" and writer.argument == "robot":
                # whoever only wants to be near walks
                continue
            yield from self._bind(writer, whose, of)

    def _bind(self, writer: Writer, whose: str, of: str) -> Iterator[str]:
        names = min(writer.action.arguments, key=len)
        bound: dict[str, tuple[str, ...]] = {}
        for argument, name in ((writer.argument, whose), (writer.other, of)):
            if argument == "robot" and name not in ("", ROBOT):
                return
            if argument in names and name == ROBOT:
                return
            if argument in names and name:
                bound[argument] = (name,)
        if writer.argument == "robot" and of and not writer.other:
            # the robot faces what a thing faces that it turns to or sits on
            bound[names[0]] = (of, *sorted(sources(self.start, FACING, of)))
        for values in product(*(bound.get(n, self.pool) for n in names)):
            key = self._add(writer.action, values)
            if key is not None:
                yield key

    def _event(self, event: Did) -> Iterator[str]:
        action = self.world.domain.actions.get(event.action)
        if action is None:
            return
        for names in action.arguments:
            used = [n for n in names if not n.startswith("_")]
            if len(used) < len(event.arguments):
                continue
            choices = [
                sorted(event.arguments[i] or self.pool) if i < len(event.arguments) else self.pool
                for i in range(len(names))
            ]
            for values in product(*choices):
                key = self._add(action, tuple(values))
                if key is not None:
                    yield key
            return

    def _add(self, action: Action, values: tuple[str, ...]) -> str | None:
        names = action.names_for(len(values))
        if names is None or len(set(values)) != len(values):
            return None
        reading = ground(self.world.domain, action.name, names, values)
        key = str(reading)
        if key in self.found.actions:
            return key
        if any(
            bound.word == "is"
            and bound.condition is not None
            and bound.condition(self.world, self.start, bound.a, bound.b, None) is not None
            for bound in reading.requires
        ):
            return None
        self.found.actions[key] = reading
        if action.interaction:
            self.found.objects.update(v for v in values if v not in self.world.rooms)
        for bound in reading.requires:
            for want in self.needs(bound):
                self._want(want)
        return key

    def needs(self, bound: BoundTerm) -> Iterator[Want]:
        """What would make a requirement hold, nearness apart."""
        if bound.state:
            yield bound.word, bound.a, "", bound.wanted
            return
        yield from needs_of(self.world, self.start, self.pool, bound)


def needs_of(
    world: GraphWorld, state: State, pool: Iterable[str], bound: BoundTerm
) -> Iterator[Want]:
    """Alternatives (any of them may do) that would make a requirement hold."""
    word, a = bound.word, bound.a
    if bound.term.relation:
        yield word, a, bound.b, bound.wanted
    elif word == "holds":
        yield "held", a, "", True
    elif word == "grabbed":
        yield "grabbed", a, "", True
    elif word in ("holds_something", "holds_knife"):
        for name in pool:
            if word == "holds_something" or "knife" in world.categories.get(name, ""):
                yield "held", name, "", True
    elif word == "not_shut_in":
        for around in sorted(targets(state, IN, a)):
            yield "open", around, "", True
    elif word == "not_lidded":
        yield "open", a, "", True
    elif word == "seated":
        yield "sitting", ROBOT, "", True
        yield "lying", ROBOT, "", True
    elif word in ("faces", "faces_from_seat"):
        for name in (a, *sorted(sources(state, FACING, a))):
            yield "facing", ROBOT, name, True


def _nears(move: Ground) -> bool:
    """Whether it can bring the robot near something."""
    return any(
        (bound.term.relation and bound.word == "near" and ROBOT in (bound.a, bound.b))
        or ("near", "robot") in WRITES.get(bound.word, ())
        for bound in move.effects
    )


def want_of(fact: Fact, value: bool = True) -> Want:
    """A fact as something to bring about."""
    if fact.word == "state":
        return fact.b, fact.a, "", fact.value is value
    if fact.word in ("holding", "right_hand", "left_hand") and not fact.b:
        return ("held" if value else "free"), fact.a, "", True
    if fact.word == "in_room":
        return "in", fact.a or ROBOT, fact.b, value
    if fact.b:
        return fact.word, fact.a, fact.b, value
    return fact.word, ROBOT, fact.a, value


def event_want(event: Did) -> Want:
    """An event as something to bring about."""
    return "did", event.text, str(event.slot), True
