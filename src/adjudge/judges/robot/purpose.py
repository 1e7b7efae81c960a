"""What a case is for: the goal and its source, the audit, what is presupposed about the start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudge.contract import JsonObject
from adjudge.judges.robot.facts import GoalSource
from adjudge.judges.robot.goal_reader import GoalReader
from adjudge.judges.robot.goals import Fact, Goal, Node
from adjudge.judges.robot.reading import Audited, Reading
from adjudge.judges.robot.world import HANDS, HELD, State, World


@dataclass(frozen=True)
class Purpose:
    """A goal read onto a world.

    ``gate`` decides completion; ``audit`` pairs what is wanted besides with its wording;
    ``certain``: a 4 may be certain (the goal is complete or its verbs are known).
    """

    source: GoalSource
    goal: Goal
    gate: Node
    audit: tuple[tuple[Node, Audited], ...]
    presupposed: State
    free_delivery: tuple[str, ...]
    certain: bool
    instance: bool = False

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The gate and all of the audit."""
        return (self.gate, *(node for node, _ in self.audit))


def given_purpose(
    world: World, raw: JsonObject, named: Iterable[str], source: GoalSource
) -> Purpose:
    """A goal that the case or a reader gives: it is complete. Raises ``GoalError``."""
    reader = GoalReader(world, world.start, named)
    gate = reader.read(raw)
    return Purpose(
        source=source,
        goal=reader.goal(gate),
        gate=gate,
        audit=(),
        presupposed=_unmet(world, gate, reader.goal(gate)),
        free_delivery=(),
        certain=True,
    )


def read_purpose(
    world: World, reading: Reading, named: Iterable[str], source: GoalSource
) -> Purpose:
    """A goal that was read off the instruction. Raises ``GoalError``."""
    reader = GoalReader(world, world.start, named)
    gate = reader.read(reading.gate)
    audit = tuple((reader.read(a.goal, "audit"), a) for a in reading.audit)
    presupposed: State = {}
    for raw in () if world.known else reading.presupposed:
        negated = "not" in raw
        fact = reader.read(raw["not"] if negated else raw, "presupposed")
        if isinstance(fact, Fact):
            _presuppose(world, presupposed, fact, not negated)
    goal = reader.goal(gate)
    return Purpose(
        source=source,
        goal=goal,
        gate=gate,
        audit=audit,
        presupposed={**_unmet(world, gate, goal, presupposed), **presupposed},
        free_delivery=reading.free_delivery,
        certain=source != "model",
        instance=reading.instance,
    )


def _presuppose(world: World, into: State, fact: Fact, wanted: bool) -> None:
    if fact.word == "state":
        into[fact.b, fact.a] = fact.value if wanted else not fact.value
    elif not wanted:
        return
    elif fact.word == "holding":
        into["place", fact.a] = HELD
    elif fact.word in ("on", "in", "under"):
        into["place", fact.a] = (fact.word, fact.b)


def _unmet(world: World, gate: Node, goal: Goal, presupposed: State | None = None) -> State:
    """Nobody asks for what is so already: an act that is asked for has something to do, and if a
    goal of states would hold at a start that does not say, those states are otherwise. Where all
    is known, nothing is presupposed."""
    if world.known:
        return {}
    start = {HANDS: (), **(presupposed or {}), **world.start}
    found: State = {}
    for event in gate.events():
        action = world.domain.actions[event.action]
        done = [term for term in action.already if term.state]
        for names in event.arguments[:1]:
            for name in names or ():
                found.update(
                    {(t.word, name): t.negated for t in done if (t.word, name) not in start}
                )
    if gate.holds(world, start, goal.begin(world, start)):
        for fact in gate.facts():
            if fact.word == "state" and (fact.b, fact.a) not in start:
                found[fact.b, fact.a] = not fact.value
    return found


def leaf_facts(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The facts and events in ``nodes``, each once."""
    found: dict[Node, None] = {}
    for node in nodes:
        found.update(dict.fromkeys(node.facts()))
        found.update(dict.fromkeys(node.events()))
    return tuple(found)
