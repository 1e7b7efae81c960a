"""A lower bound on the steps still needed: acts that every way to the goal contains.

Each landmark is a token for one act (``("pick", mug)``, ``("put", mug, sink)``, ``("go", desk)``).
Tokens of different acts are different, so counting distinct ones never counts an act twice; a
goal with alternatives contributes what its alternatives have in common, and one act for the choice
where it shares nothing with the rest (disjoint disjunctive landmarks; Helmert and Domshlak, 2009).
"""

from __future__ import annotations

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
from adjudge.judges.robot.relevance import Relevant
from adjudge.judges.robot.world import HANDS, NEAR, State, World, root

Token = tuple[str, ...]


@dataclass(slots=True)
class _Needs:
    acts: set[Token] = field(default_factory=set)
    puts: dict[str, set[str]] = field(default_factory=dict)
    holds: set[str] = field(default_factory=set)
    choices: list[frozenset[Token]] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)


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
        needs = _Needs()
        for node in self._nodes:
            self._need(node, state, latches, needs)
        total = self._close(state, needs)
        walks = self._walks(state, needs) if walking else 0
        # from here on ``acts`` only says what is spoken for, so that nothing counts twice
        for node in needs.counts:
            total += self._most_needed(node, state, latches, needs)
        for choice in needs.choices:
            if not choice & needs.acts:
                total += 1
                needs.acts |= choice
        return total + walks

    def _close(self, state: State, needs: _Needs) -> int:
        """What the needed puts and holds need in turn; the count without walking."""
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
        return len(acts) + extra

    def _tool(self, state: State, acts: set[Token]) -> None:
        able = [n for n in self._picked if self._world.can(n, "slicer")]
        if any(self._world.can(n, "slicer") for n in state[HANDS]):
            return
        if len(able) == 1:
            acts.add(("pick", able[0]))

    def _walks(self, state: State, needs: _Needs) -> int:
        near = state.get(NEAR)
        stops: set[str] = set()
        away = False
        for act in needs.acts:
            if act[0] == "pick" and act[1] not in state[HANDS]:
                at = root(state, act[1])
                if at != near:
                    stops.add(at)
                    away = True
        for act in needs.acts:
            where = act[2] if act[0] == "put" else act[1]
            if act[0] in ("pick", "go") or where in self._picked or act[0] == "drop":
                if act[0] == "go" and act[1] != near:
                    stops.add(act[1])
                continue
            at = root(state, where)
            if at == "@robot":
                continue
            # what is put here comes from elsewhere: even standing here, the robot must come back
            back = act[0] == "put" and away and self._from_afar(state, act[1], at)
            if at != near or back:
                stops.add(at)
        return len(stops)

    def _from_afar(self, state: State, name: str, at: str) -> bool:
        return name not in state[HANDS] and root(state, name) != at

    def _shut(self, state: State, name: str) -> bool:
        return lidded(self._world, state, name) and not fluent(
            self._world, state, "open", name, True, None
        )

    def _need(self, node: Node, state: State, latches: Latches, needs: _Needs) -> None:
        if isinstance(node, Fact):
            if not node.holds(self._world, state):
                self._fact(node, state, needs)
        elif isinstance(node, All):
            before = {name: set(t) for name, t in needs.puts.items()}
            for part in node.parts:
                self._need(part, state, latches, needs)
            self._runs(node, before, needs)
        elif isinstance(node, Once):
            if not latches[node.slot]:
                self._need(node.parts[0], state, latches, needs)
        elif isinstance(node, InOrder):
            for part in node.parts[latches[node.slot] :]:
                self._need(part, state, latches, needs)
        elif isinstance(node, Did):
            if not latches[node.slot]:
                self._event(node, needs)
        elif isinstance(node, Not):
            self._not(node, state, needs)
        elif isinstance(node, Count):
            self._count(node, state, latches, needs)
        elif isinstance(node, Any_) and not node.holds(self._world, state, latches):
            self._any(node, state, latches, needs)

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

    def _fact(self, fact: Fact, state: State, needs: _Needs) -> None:
        a, b = fact.a, fact.b
        if fact.word in ("on", "in"):
            carriers = [t for _, _, t in chain(state, a) if t in self._picked and t != b]
            if carriers:
                needs.choices.append(frozenset([("put", a, b), *(("put", c, b) for c in carriers)]))
            else:
                needs.puts.setdefault(a, set()).add(b)
        elif fact.word == "holding":
            needs.holds.add(a)
        elif fact.word == "state":
            setters = self._setters.get((b, a, fact.value), [])
            if len(setters) == 1:
                needs.acts.add(setters[0])
            elif setters:
                needs.choices.append(frozenset(setters))
        elif fact.word == "near" and not fact.b and a not in self._picked:
            at = root(state, a)
            if at != "@robot":
                needs.acts.discard(("go", at))
                needs.choices.append(frozenset([("go", at)]))

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

    def _not(self, node: Not, state: State, needs: _Needs) -> None:
        part = node.parts[0]
        if not isinstance(part, Fact) or not part.holds(self._world, state):
            return
        if part.word == "state":
            self._fact(Fact("state", part.a, part.b, not part.value), state, needs)
        elif part.word in ("on", "in") and not any(
            t in self._picked for _, _, t in chain(state, part.a)
        ):
            needs.holds.add(part.a)

    def _any(self, node: Any_, state: State, latches: Latches, needs: _Needs) -> None:
        options = [self._alone(p, state, latches) for p in node.parts if self._possible(p, state)]
        if not options or any(not option for option in options):
            return
        common = frozenset.intersection(*options)
        needs.acts |= common
        needs.choices.append(
            frozenset().union(*(option - common for option in options))
            if all(option - common for option in options)
            else common
        )

    def _count(self, node: Count, state: State, latches: Latches, needs: _Needs) -> None:
        missing = [p for p in node.parts if not p.holds(self._world, state, latches)]
        least = node.least - (len(node.parts) - len(missing))
        if least == len(missing):
            for part in missing:
                self._need(part, state, latches, needs)
        elif 0 < least < len(missing):
            needs.counts.append(node)

    def _most_needed(self, node: Count, state: State, latches: Latches, needs: _Needs) -> int:
        """The acts that any ``least`` of the parts need, where they share none with others."""
        missing = [p for p in node.parts if not p.holds(self._world, state, latches)]
        least = node.least - (len(node.parts) - len(missing))
        options = [self._alone(part, state, latches) for part in missing]
        common = frozenset.intersection(*options)
        own = [option - common for option in options]
        spoken = sum(map(len, own)) != len(frozenset().union(*own))
        if spoken or any(o & needs.acts for o in own):
            return 0
        needs.acts |= frozenset().union(*own)
        return sum(sorted(map(len, own))[:least])

    def _possible(self, part: Node, state: State) -> bool:
        """False for what no relevant action brings about."""
        if isinstance(part, Did):
            return part.action in self._actions or part.action in ("navigate", "wait")
        if isinstance(part, Fact) and part.word in ("on", "in", "under"):
            if (part.word, part.a, part.b) in self._places:
                return True
            return any(t in self._picked for _, _, t in chain(state, part.a))
        return True

    def _alone(self, part: Node, state: State, latches: Latches) -> frozenset[Token]:
        """The acts that one part needs by itself."""
        needs = _Needs()
        self._need(part, state, latches, needs)
        self._close(state, needs)
        return frozenset(needs.acts)


def _token(action: str, name: str) -> Token:
    return (action, name)
