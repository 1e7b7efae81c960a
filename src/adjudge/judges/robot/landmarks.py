"""A lower bound on the steps still needed: acts that every way to the goal contains.

Each landmark is a token for one act (``("pick", mug)``, ``("put", mug, sink)``, ``("go", desk)``).
Tokens of different acts are different, so counting distinct ones never counts an act twice; a
goal with alternatives contributes what its alternatives have in common, and one act for the choice
where it shares nothing with the rest (disjoint disjunctive landmarks; Helmert and Domshlak, 2009).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from adjudge.judges.robot.conditions import chain, fluent, lidded
from adjudge.judges.robot.goals import (
    All,
    Any_,
    Count,
    Did,
    Fact,
    InOrder,
    Latches,
    Node,
    Not,
    Once,
)
from adjudge.judges.robot.ground import Ground
from adjudge.judges.robot.relevance import Relevant
from adjudge.judges.robot.world import HANDS, NEAR, State, World, root

Token = tuple[str, ...]


@dataclass(slots=True)
class _Needs:
    """``acts`` are needed; of each of ``families`` at least so many options, each a set of acts."""

    acts: set[Token] = field(default_factory=set)
    puts: dict[str, set[str]] = field(default_factory=dict)
    holds: set[str] = field(default_factory=set)
    families: list[tuple[int, list[frozenset[Token]]]] = field(default_factory=list)


class Landmarks:
    """Counts landmarks for goals over one world and one set of relevant actions."""

    def __init__(self, world: World, relevant: Relevant, nodes: tuple[Node, ...]) -> None:
        self._world = world
        self._picked = relevant.picked
        self._nodes = nodes
        self._actions = {g.action.name for g in relevant.actions.values()}
        self._places = {
            (e.word, e.a, e.b) for g in relevant.actions.values() for e in g.effects if not e.state
        }
        self._setters: dict[tuple[str, str, bool], list[Token]] = {}
        for ground in relevant.actions.values():
            for bound in ground.effects:
                if bound.state:
                    key = (bound.word, bound.a, bound.wanted)
                    self._setters.setdefault(key, []).append(_token(ground.action.name, bound.a))

    def count(self, state: State, latches: Latches, *, walking: bool) -> int:
        """At least so many steps are needed; ``walking``: navigation counts too."""
        return self.needed(state, latches, walking=walking)[0]

    def needed(
        self, state: State, latches: Latches, *, walking: bool
    ) -> tuple[int, Collection[Token]]:
        """The same, and the acts that are needed or that some alternative needs."""
        # where the robot reaches all of its room, walks are no landmarks of their own
        walking = walking and self._world.reach == "near"
        needs = _Needs()
        for node in self._nodes:
            self._need(node, state, latches, needs, walking)
        total = self._close(state, needs, walking)
        for least, options in needs.families:
            total += _least_of(options, least, needs.acts)
        return total, needs.acts

    def _close(self, state: State, needs: _Needs, walking: bool) -> int:
        """What the needed puts and holds need in turn; how many acts that makes."""
        acts = needs.acts
        hands = state[HANDS]
        extra = 0
        for name, targets in needs.puts.items():
            for target in targets:
                acts.add(("put", name, target))
                if self._shut(state, target):
                    acts.add(("open", target))
            picks = len(targets) - (name in hands)
            if picks > 0:
                acts.add(("pick", name))
                extra += picks - 1
        for name in needs.holds:
            if name not in hands:
                acts.add(("pick", name))
        for act in list(acts):
            if act[0] == "pick":
                for _, relation, target in chain(state, act[1]):
                    if relation == "in" and self._shut(state, target):
                        acts.add(("open", target))
            elif act[0] == "toggle_on" and self._world.starts_closed(act[1]):
                loaded = any(act[1] in targets for targets in needs.puts.values())
                if loaded or state.get(("open", act[1])) is True:
                    acts.add(("close", act[1]))
            elif act[0] == "slice":
                self._tool(state, acts)
        if walking:
            self._walk(state, acts)
        return len(acts) + extra

    def _tool(self, state: State, acts: set[Token]) -> None:
        able = [n for n in self._picked if self._world.can(n, "slicer")]
        if any(self._world.can(n, "slicer") for n in state[HANDS]):
            return
        if len(able) == 1:
            acts.add(("pick", able[0]))

    def _walk(self, state: State, acts: set[Token]) -> None:
        """Adds the places to go to, each once."""
        near = state.get(NEAR)
        stops: set[str] = set()
        away = False
        for act in acts:
            if act[0] == "pick" and act[1] not in state[HANDS]:
                at = root(state, act[1])
                if at != near:
                    stops.add(at)
                    away = True
        for act in acts:
            where = act[2] if act[0] == "put" else act[1]
            if act[0] in ("pick", "go", "drop") or where in self._picked:
                continue
            at = root(state, where)
            if at == "@robot":
                continue
            # what is put here comes from elsewhere: even standing here, the robot must come back
            back = act[0] == "put" and away and self._from_afar(state, act[1], at)
            if at != near or back:
                stops.add(at)
        acts.update(("go", stop) for stop in stops)

    def _from_afar(self, state: State, name: str, at: str) -> bool:
        return name not in state[HANDS] and root(state, name) != at

    def _shut(self, state: State, name: str) -> bool:
        return lidded(self._world, state, name) and not fluent(
            self._world, state, "open", name, True, None
        )

    def _need(
        self, node: Node, state: State, latches: Latches, needs: _Needs, walking: bool
    ) -> None:
        if isinstance(node, Fact):
            if not node.holds(self._world, state):
                self._fact(node, state, needs, walking)
        elif isinstance(node, All):
            before = {name: set(t) for name, t in needs.puts.items()}
            for part in node.parts:
                self._need(part, state, latches, needs, walking)
            self._runs(node, before, needs)
        elif isinstance(node, Once):
            if not latches[node.slot]:
                self._need(node.parts[0], state, latches, needs, walking)
        elif isinstance(node, InOrder):
            for part in node.parts[latches[node.slot] :]:
                self._need(part, state, latches, needs, walking)
        elif isinstance(node, Did):
            if not latches[node.slot]:
                self._event(node, needs)
        elif isinstance(node, Not):
            self._not(node, state, needs, walking)
        elif isinstance(node, Count):
            self._some(node, node.least, state, latches, needs, walking)
        elif isinstance(node, Any_):
            self._some(node, 1, state, latches, needs, walking)

    def _runs(self, node: All, before: dict[str, set[str]], needs: _Needs) -> None:
        """A thing must be in a device while it runs, and opening stops it: it must start later."""
        for part in node.parts:
            if isinstance(part, Fact) and part.word == "state" and part.b == "on" and part.value:
                loaded = any(
                    part.a in targets - before.get(name, set())
                    for name, targets in needs.puts.items()
                )
                if loaded and self._world.starts_closed(part.a):
                    needs.acts.add(("toggle_on", part.a))

    def _fact(self, fact: Fact, state: State, needs: _Needs, walking: bool) -> None:
        a, b = fact.a, fact.b
        if fact.word in ("on", "in"):
            carriers = [t for _, _, t in chain(state, a) if t in self._picked and t != b]
            if carriers:
                needs.families.append((1, [frozenset([("put", c, b)]) for c in (a, *carriers)]))
            else:
                needs.puts.setdefault(a, set()).add(b)
        elif fact.word == "holding":
            needs.holds.add(a)
        elif fact.word == "state":
            setters = self._setters.get((b, a, fact.value), [])
            if len(setters) == 1:
                needs.acts.add(setters[0])
            elif setters:
                needs.families.append((1, [frozenset([setter]) for setter in setters]))
        elif fact.word == "near" and not fact.b and walking and a not in self._picked:
            at = root(state, a)
            if at != "@robot":
                needs.acts.add(("go", at))

    def _event(self, event: Did, needs: _Needs) -> None:
        values = [a for a in event.arguments if a is not None and len(a) == 1]
        if len(values) != len(event.arguments) or not values:
            return
        names = [next(iter(v)) for v in values]
        if event.action.startswith("place_") and len(names) == 2:
            needs.puts.setdefault(names[0], set()).add(names[1])
        elif event.action == "pour" and len(names) == 2:
            needs.acts.add(("pour", names[1]))
            needs.holds.add(names[0])
        elif event.action not in ("navigate", "wait", "drop", "push"):
            needs.acts.add(_token(event.action, names[0]))

    def _not(self, node: Not, state: State, needs: _Needs, walking: bool) -> None:
        part = node.parts[0]
        if not isinstance(part, Fact) or not part.holds(self._world, state):
            return
        if part.word == "state":
            self._fact(Fact("state", part.a, part.b, not part.value), state, needs, walking)
        elif part.word in ("on", "in") and not any(
            t in self._picked for _, _, t in chain(state, part.a)
        ):
            needs.holds.add(part.a)

    def _some(
        self, node: Node, least: int, state: State, latches: Latches, needs: _Needs, walking: bool
    ) -> None:
        """At least ``least`` of a node's parts."""
        missing = []
        for part in _flat(node):
            if part.holds(self._world, state, latches):
                least -= 1
                if least <= 0:
                    return
            elif self._possible(part, state):
                missing.append(part)
        if least == len(missing) or (least == 1 and _one_put(missing)):
            for part in missing[:least]:
                self._need(part, state, latches, needs, walking)
        elif least < len(missing):
            options = [self._alone(part, state, latches, walking) for part in missing]
            needs.families.append((least, options))

    def _possible(self, part: Node, state: State) -> bool:
        """False for what no relevant action brings about."""
        if isinstance(part, Did):
            return part.action in self._actions or part.action in ("navigate", "wait")
        if isinstance(part, Fact) and part.word in ("on", "in", "under"):
            if (part.word, part.a, part.b) in self._places:
                return True
            return any(t in self._picked for _, _, t in chain(state, part.a))
        return True

    def _alone(self, part: Node, state: State, latches: Latches, walking: bool) -> frozenset[Token]:
        """The acts that one part needs by itself."""
        needs = _Needs()
        self._need(part, state, latches, needs, walking)
        self._close(state, needs, walking)
        for least, options in needs.families:
            if least == len(options):
                needs.acts.update(*options)
            elif options:
                needs.acts |= frozenset.intersection(*options)
        return frozenset(needs.acts)


def _one_put(parts: list[Node]) -> bool:
    """Whether the parts only differ in how a thing is put somewhere: on it or in it."""
    first = parts[0] if parts else None
    return isinstance(first, Fact) and all(
        isinstance(part, Fact)
        and part.word in ("on", "in")
        and (part.a, part.b) == (first.a, first.b)
        for part in parts
    )


def _flat(node: Node) -> Iterator[Node]:
    """The parts of a node; of alternatives among alternatives, theirs."""
    for part in node.parts:
        if isinstance(node, Any_) and isinstance(part, Any_):
            yield from _flat(part)
        else:
            yield part


def _least_of(options: list[frozenset[Token]], least: int, acts: set[Token]) -> int:
    """How many acts more than ``acts`` any ``least`` of the options need; all of them are spoken
    for afterwards, so that nothing counts twice."""
    own = [option - acts for option in options]
    acts.update(*own)
    if least == 1:
        return min(map(len, own))
    walks = [sum(token[0] == "go" for token in option) for option in own]
    works = [len(option) - w for option, w in zip(own, walks, strict=True)]
    together = {token for option in own for token in option if token[0] != "go"}
    work = sum(sorted(works)[:least]) if sum(works) == len(together) else sorted(works)[least - 1]
    # several may be had at one place
    return work + sorted(walks)[least - 1]


def token_of(ground: Ground) -> Token:
    """The token of an act."""
    name = ground.action.name
    if name.startswith("place_"):
        return ("put", ground.value("object"), ground.value("target"))
    if name == "pour":
        return ("pour", ground.value("target"))
    return (name, ground.arguments[0] if ground.arguments else "")


def _token(action: str, name: str) -> Token:
    return (action, name)
