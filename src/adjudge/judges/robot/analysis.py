"""From a case to its proof: run, complete the start, replay, measure, and say what rule decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.devices import with_devices
from adjudge.judges.robot.domains import Domain
from adjudge.judges.robot.facts import StepError, StepRole, TraceFacts
from adjudge.judges.robot.goals import Node
from adjudge.judges.robot.purpose import Purpose, leaf_facts
from adjudge.judges.robot.reading import Audited
from adjudge.judges.robot.replay import Replay, complete_start, replay
from adjudge.judges.robot.roles import Roles, roles_when_met, roles_when_unmet
from adjudge.judges.robot.rules import Ruling, Situation, decide
from adjudge.judges.robot.search import Way
from adjudge.judges.robot.simulator import Run, execute
from adjudge.judges.robot.steps import names_in, read_step
from adjudge.judges.robot.unknowns import unknown_start
from adjudge.judges.robot.ways import Ways, search_on
from adjudge.judges.robot.world import Reach, State, World
from adjudge.judges.robot.worlds import narrowed, objects_of, world_of

STEP_BUDGET = 3_000
"""Nodes for the search of a shorter way."""
WORK_BUDGET = 1_500
"""Nodes for each of the two searches behind semantic progress."""

_PLACES = frozenset({"near", "facing", "in_room"})


@dataclass(slots=True)
class Proof:
    """Everything that was found out about one case."""

    world: World
    run: Run
    trace: TraceFacts
    purpose: Purpose | None
    ruling: Ruling
    replay: Replay | None = None
    met: bool | None = None
    missing: tuple[Audited, ...] = ()
    roles: tuple[StepRole, ...] = ()
    progress: float | None = None
    optimal: int | None = None
    way: Way | None = None
    undone: bool = False
    unknown: tuple[str, ...] = ()
    made: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Options:
    """How a case is looked at; see the options of the judge."""

    navigation_goals: bool = False
    strict: bool = False
    reach: Reach = "near"


PurposeOf = Callable[[World, Sequence[str]], Purpose | None]
"""How a case's goal is had, once its world stands."""


def prove(case: RobotCase, domain: Domain, purpose_of: PurposeOf, options: Options) -> Proof:
    """All that can be proved about a case."""
    steps = case.plan if case.plan is not None else _steps(case)
    named = list(names_in(steps, domain))
    world = world_of(case, domain, named, strict=options.strict, reach=options.reach)
    purpose = purpose_of(world, named)
    world = narrowed(world, named, purpose)
    run, trace = _run(case, world, purpose.presupposed if purpose else None)
    interactions = [done for done in run.done if done.ground is None or done.ground.interaction]
    base = Situation(
        executed=len(run.done),
        interactions=len(interactions),
        exempt=options.navigation_goals and purpose is not None and _only_places(purpose),
        goal_known=purpose is not None,
        relevant=True,
        met=False,
        failed=trace.failed,
        violated=bool(run.violations),
        gap=False,
        failed_gap=False,
        redundant=False,
        shorter=None,
        certain=False,
        progress=None,
        lone_pick=len(interactions) == 1
        and interactions[0].ground is not None
        and interactions[0].ground.action.takes,
        step_ratio=trace.step_ratio,
    )
    proof = Proof(world, run, trace, purpose, decide(base))
    proof.unknown = unknown_start(world, named, purpose)
    if purpose is None:
        return proof
    return _Prover(proof, purpose, named, base).run()


def _steps(case: RobotCase) -> list[str]:
    assert case.trace is not None
    return [*case.trace.executed, *case.trace.remaining]


def _run(case: RobotCase, world: World, presupposed: State | None) -> tuple[Run, TraceFacts]:
    if case.plan is not None:
        run = execute(world, case.plan, presupposed)
        indexes = tuple(done.index for done in run.done)
        return run, TraceFacts(
            executed=tuple(case.plan[index] for index in indexes),
            executed_indexes=indexes,
            failed=run.failure is not None,
            error=run.error,
            remaining=() if run.failed_at is None else tuple(case.plan[run.failed_at :]),
            left_out=tuple((index, case.plan[index]) for index, _ in run.left_out),
        )
    given = case.trace
    assert given is not None
    run = execute(world, given.executed, presupposed, believe=True)
    failed = given.status == "failed"
    return run, TraceFacts(
        executed=tuple(given.executed),
        executed_indexes=tuple(range(len(given.executed))),
        failed=failed,
        error=StepError(None, None, len(given.executed), given.error or "no reason was given")
        if failed
        else None,
        remaining=tuple(given.remaining),
    )


def _only_places(purpose: Purpose) -> bool:
    return all(f.word in _PLACES for f in purpose.gate.facts()) and not any(purpose.gate.events())


class _Prover:
    """The part of the proof that rests on knowing the goal."""

    def __init__(
        self, proof: Proof, purpose: Purpose, named: Sequence[str], base: Situation
    ) -> None:
        self.proof = proof
        self.world = proof.world
        self.purpose = purpose
        self.named = named
        self.base = base

    def run(self) -> Proof:
        proof, purpose, world = self.proof, self.purpose, self.world
        run = proof.run
        facts = leaf_facts(purpose.nodes)
        objects = [
            *(n for d in run.done if d.ground for n in d.ground.arguments),
            *(n for f in facts for n in objects_of(f)),
            *(n for ability in world.domain.abilities for n in world.able(ability)),
        ]
        start = complete_start(world, run, objects)
        played = proof.replay = replay(world, start, run.done, purpose.goal, purpose.gate)
        state, now = played.end
        proof.met = purpose.gate.holds(world, state, now)
        proof.undone = not proof.met and any(played.holds)
        unmodelled = any(d.ground is None for d in run.done)
        if unmodelled and not proof.met:
            # what an unknown action did is unknown, and so is whether the goal holds
            proof.met = None
            proof.ruling = decide(replace(self.base, goal_known=False))
            proof.roles = tuple("neutral" for _ in run.done)
            return proof
        met_audit = tuple(n for n, _ in purpose.audit if n.holds(world, state, now))
        proof.missing = tuple(a for n, a in purpose.audit if not n.holds(world, state, now))
        used = {d.ground.action.name for d in run.done if d.ground}
        search = search_on(world, purpose.goal, purpose.nodes, start, used, self.named)
        relevant = self._relevant(search, facts, played)
        if not relevant:
            proof.roles = tuple("neutral" for _ in run.done)
            proof.ruling = decide(replace(self.base, relevant=False))
        elif proof.met:
            nodes = self._by_its_devices()
            if nodes != purpose.nodes:
                search = search_on(world, purpose.goal, nodes, start, used, self.named)
            self._judge_met(search, played, (purpose.gate, *met_audit))
        else:
            self._judge_unmet(start, played, facts, used, search)
        return proof

    def _by_its_devices(self) -> tuple[Node, ...]:
        world = self.world
        used = {
            name
            for done in self.proof.run.done
            if done.ground is not None and done.ground.interaction
            for name in done.ground.arguments
            if world.can(name, "toggleable")
        }
        if not used:
            return self.purpose.nodes
        return tuple(with_devices(world, node, used) for node in self.purpose.nodes)

    def _relevant(self, search: Ways, facts: Sequence[Node], played: Replay) -> bool:
        world = self.world
        touched = any(
            d.ground is not None
            and (d.ground.interaction or self.base.exempt)
            and search.relevant.objects.intersection(d.ground.arguments)
            for d in played.done
        )
        if touched or not facts:
            # what asks for nothing is not missed
            return True
        for position in range(len(played.states) - 1):
            before, after = played.states[position], played.states[position + 1]
            if before is after:
                continue
            then, now = played.latches[position], played.latches[position + 1]
            if any(not f.holds(world, before, then) and f.holds(world, after, now) for f in facts):
                return True
        return False

    def _judge_met(self, search: Ways, played: Replay, core: tuple[Node, ...]) -> None:
        proof, purpose = self.proof, self.purpose
        fewest = 0
        if len(core) == len(purpose.nodes) and not proof.run.left_out:
            fewest = search.at_least(played.states[0], played.latches[0])
        roles: Roles = roles_when_met(
            self.world, purpose.goal, core, played, purpose.free_delivery, fewest
        )
        proof.roles = roles.roles
        gaps = bool(proof.run.assumed and proof.run.assumed.gaps)
        redundant = "redundant" in roles.roles or bool(proof.run.left_out)
        gap = bool(proof.missing) or gaps
        shorter: bool | None = None
        if not gap and not proof.run.violations:
            start, now = played.states[0], played.latches[0]
            budget = STEP_BUDGET if not redundant else STEP_BUDGET // 10
            most = roles.counted - 1
            proof.way = search.steps(start, now, most, budget)
            if proof.way.length is not None:
                shorter, proof.optimal = True, proof.way.length
            elif proof.way.known:
                shorter = False
                proof.optimal = None if redundant else roles.counted
        failed_step = proof.trace.remaining[0] if proof.trace.remaining else None
        proof.ruling = decide(
            replace(
                self.base,
                met=True,
                gap=gap,
                failed_gap=failed_step is not None and self._audited(failed_step),
                redundant=redundant,
                shorter=shorter,
                certain=purpose.certain,
            )
        )

    def _audited(self, text: str) -> bool:
        """Whether a step is one that the audit still wants."""
        domain = self.world.domain
        step = read_step(text, domain)
        return step is not None and any(
            a.step is not None and read_step(a.step, domain) == step for a in self.proof.missing
        )

    def _judge_unmet(
        self,
        start: State,
        played: Replay,
        facts: Sequence[Node],
        used: set[str],
        search: Ways,
    ) -> None:
        proof, purpose, world = self.proof, self.purpose, self.world
        gate_facts = leaf_facts((purpose.gate,))
        proof.roles = roles_when_unmet(world, gate_facts, played, search.relevant.objects)
        if purpose.audit:
            # progress is towards the goal; what the audit wants besides comes after it
            search = search_on(world, purpose.goal, (purpose.gate,), start, used, self.named)
        total = search.interactions(played.states[0], played.latches[0], WORK_BUDGET)
        if total.length == 0:
            proof.progress = 0.0
        elif total.known and total.length is None:
            state, now = played.end
            proof.progress = purpose.gate.share(world, state, now)
        elif total.length is not None:
            left = search.interactions(*played.end, WORK_BUDGET)
            if left.length is not None:
                proof.progress = max(0.0, (total.length - left.length) / total.length)
            elif left.known:
                state, now = played.end
                proof.progress = purpose.gate.share(world, state, now)
        proof.ruling = decide(replace(self.base, progress=proof.progress))
