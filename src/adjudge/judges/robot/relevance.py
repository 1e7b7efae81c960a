"""Which actions on which objects can matter for a goal: found backwards from its facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from adjudge.judges.robot.conditions import chain, lidded
from adjudge.judges.robot.domains import Action
from adjudge.judges.robot.goals import Did, Fact, Node, Not
from adjudge.judges.robot.ground import BoundTerm, Ground, ground
from adjudge.judges.robot.world import HANDS, State, World, root

_MOST_ACTIONS = 400
_TOOLS = 3


@dataclass(slots=True)
class Relevant:
    """Ground actions (without navigation), the anchors to stand at, and what they touch.

    ``complete`` is false where there were too many to list: a search over them proves nothing.
    """

    actions: dict[str, Ground] = field(default_factory=dict)
    anchors: dict[str, None] = field(default_factory=dict)
    objects: set[str] = field(default_factory=set)
    picked: set[str] = field(default_factory=set)
    complete: bool = True


def relevant_to(
    world: World, state: State, nodes: Iterable[Node], used: Iterable[str], named: Iterable[str]
) -> Relevant:
    """The actions that can lead from ``state`` to the goals ``nodes``.

    ``used`` are the action names that the plan has: some ways count only if the plan goes them
    (a ``wash`` step instead of a tap). ``named`` are the objects that the plan names.
    """
    return _Chain(world, state, set(used), list(named)).run(nodes)


class _Chain:
    def __init__(self, world: World, state: State, used: set[str], named: list[str]) -> None:
        self.world = world
        self.state = state
        self.used = used
        self.named = named
        self.found = Relevant()
        self.wanted: list[Fact] = []
        self.seen: set[Fact] = set()

    def run(self, nodes: Iterable[Node]) -> Relevant:
        for node in nodes:
            self._start(node)
        while self.wanted:
            fact = self.wanted.pop()
            if len(self.found.actions) > _MOST_ACTIONS:
                self.found.complete = False
                break
            self._achieve(fact)
        if len(self.state[HANDS]) + len(self.found.picked) > self.world.domain.hands:
            drop = self.world.domain.actions.get("drop")
            if drop is not None:
                for name in sorted(self.found.picked | set(self.state[HANDS])):
                    self._add(drop, (name,), touch=False)
        return self.found

    def _start(self, node: Node) -> None:
        if isinstance(node, Not):
            for fact in node.parts[0].facts():
                if fact.word == "state":
                    self._want(Fact("state", fact.a, fact.b, not fact.value))
                else:
                    self._want(Fact("holding", fact.a))
            return
        if isinstance(node, Fact):
            self._want(node)
        if isinstance(node, Did):
            self._event(node)
        for part in node.parts:
            self._start(part)

    def _want(self, fact: Fact) -> None:
        if fact not in self.seen and (not fact.a or fact.a in self.world.categories):
            self.seen.add(fact)
            self.wanted.append(fact)
            self.found.objects.update(n for n in (fact.a, fact.b) if n in self.world.categories)

    def _achieve(self, fact: Fact) -> None:
        a, b = fact.a, fact.b
        if fact.word == "state":
            self._set(fact)
        elif fact.word in ("on", "in"):
            self._row("place_" + fact.word, (a, b))
            if fact.word == "in":
                # what already holds the object may be moved instead
                for _, _, carrier in chain(self.state, a):
                    if carrier in self.named and carrier != b:
                        self._row("place_in", (carrier, b))
        elif fact.word == "holding":
            self._row("pick", (a,))
        elif fact.word == "near" and b:
            self._row("place_next_to", (a, b))
        elif fact.word == "in_room" and a:
            self._row("drop", (a,))
            self._stand(b)
        else:
            self._stand(a or b)

    def _set(self, fact: Fact) -> None:
        for action in self.world.domain.actions.values():
            if action.name == "wash" and "wash" not in self.used:
                continue
            for term in action.effects:
                if term.state and term.word == fact.b and term.negated is not fact.value:
                    self._bind(action, term.arguments[0], fact.a)
                    break

    def _bind(self, action: Action, name: str, value: str) -> None:
        names = min(action.arguments, key=len)
        if name not in names:
            return
        choices = [[value] if n == name else self._fillers(action, n, value) for n in names]
        for values in product(*choices):
            self._add(action, tuple(values))

    def _fillers(self, action: Action, name: str, other: str) -> list[str]:
        """Objects that can stand for another argument: what the plan names, in hand first."""
        needs = [t.word for t in action.affordances if name in t.arguments]
        pool = dict.fromkeys([*self.state[HANDS], *self.named, *self.found.objects])
        able = [n for n in pool if n != other and all(self.world.can(n, w) for w in needs)]
        if not able:
            able = [
                n
                for n in self.world.categories
                if n != other and all(self.world.can(n, w) for w in needs)
            ]
        return able[:_TOOLS]

    def _event(self, event: Did) -> None:
        action = self.world.domain.actions.get(event.action)
        if action is None or (action.name == "wash" and "wash" not in self.used):
            return
        names = next(
            (
                n
                for n in sorted(action.arguments, key=len)
                if len([x for x in n if x[0] != "_"]) >= len(event.arguments)
            ),
            (),
        )
        choices: list[list[str]] = []
        for position, name in enumerate(names):
            wanted = event.arguments[position] if position < len(event.arguments) else None
            choices.append(
                sorted(wanted) if wanted is not None else self._fillers(action, name, "")
            )
        for values in product(*choices):
            if action.interaction:
                self._add(action, tuple(values))
            else:
                self._stand(values[-1] if values else "")

    def _row(self, name: str, values: tuple[str, ...]) -> None:
        action = self.world.domain.actions.get(name)
        if action is not None and all(values):
            self._add(action, values)

    def _add(self, action: Action, values: tuple[str, ...], *, touch: bool = True) -> None:
        names = action.names_for(len(values))
        if names is None or not all(v in self.world.categories for v in values):
            return
        reading = ground(self.world.domain, action.name, names, values)
        key = str(reading)
        if key in self.found.actions:
            return
        for bound in reading.affordances:
            if self.world.can(bound.a, bound.word) is False:
                return
        self.found.actions[key] = reading
        if touch:
            self.found.objects.update(values)
        if action.name == "pick":
            self.found.picked.add(values[0])
        for bound in (*reading.requires, *reading.wants):
            self._require(bound)

    def _require(self, bound: BoundTerm) -> None:
        world, word, a = self.world, bound.word, bound.a
        if word == "holding":
            self._want(Fact("holding", a))
        elif word == "holding_a":
            pool = dict.fromkeys([*self.state[HANDS], *self.named, *world.able(a)])
            for tool in [n for n in pool if n in world.categories and world.can(n, a)][:_TOOLS]:
                self._want(Fact("holding", tool))
        elif word == "at_a":
            for thing in world.able(a)[:_TOOLS]:
                self._stand(thing)
        elif word == "running":
            for tap in world.able("water")[:_TOOLS]:
                if world.can(tap, "toggleable"):
                    self._want(Fact("state", tap, "on", True))
        elif word == "reach":
            self._stand(a)
        elif word == "accessible":
            for _, relation, target in chain(self.state, a):
                if relation == "in" and lidded(world, self.state, target):
                    self._want(Fact("state", target, "open", True))
        elif word == "unlidded":
            if lidded(world, self.state, a):
                self._want(Fact("state", a, "open", True))
        elif word == "shut_to_start":
            if world.starts_closed(a):
                self._want(Fact("state", a, "open", False))
        elif bound.state:
            self._want(Fact("state", a, word, bound.wanted))

    def _stand(self, name: str) -> None:
        if not name:
            return
        if name in self.world.rooms:
            self.found.anchors.setdefault("*" + name)
            return
        at = root(self.state, name)
        if at != "@robot":
            self.found.anchors.setdefault(at)
