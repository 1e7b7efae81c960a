"""A proof as evidence: findings in one place, bounds by the table, facts for whoever asks."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.contract import Bound, Evidence, FindingLog
from adjudge.judges.hostile import words_to_judge
from adjudge.judges.robot.analysis import Proof
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.facts import GoalFacts, RobotFacts, StepRole
from adjudge.judges.robot.graph import SceneGraph
from adjudge.judges.robot.rules import GOAL_RULES
from adjudge.judges.robot.task import forged_in

FORGED = ("score", "success_boolean")
"""Output fields that no honest text of a case holds as JSON keys."""

_MOST_LISTED = 50
"""Findings of one kind that are listed one by one; a case can have a hundred thousand steps."""


def evidence_of(
    case: RobotCase, proof: Proof, *, soft_goals: bool, no_goal: str | None
) -> Evidence[RobotFacts]:
    """The evidence of a proof. ``soft_goals``: a goal that was read or asked for only flags;
    ``no_goal`` says why there is none."""
    log = FindingLog()
    behind = _findings(log, proof, no_goal)
    _addressed(log, case)
    return Evidence(
        findings=log.all(),
        bounds=_bounds(proof, behind, soft_goals),
        facts=_facts(proof),
    )


def _findings(log: FindingLog, proof: Proof, no_goal: str | None) -> dict[str, tuple[str, ...]]:
    """Logs what was found; rule to the findings behind it."""
    behind: dict[str, tuple[str, ...]] = {}
    for text in proof.unknown[:_MOST_LISTED]:
        log.add("unknown_start", "warning", {"field": "scene"}, text)
    error = proof.trace.error
    failed: tuple[str, ...] = ()
    if error is not None:
        text = error.text + (f"; {error.would_help} would help" if error.would_help else "")
        failed = (log.add(error.kind or "step_failed", "error", {"step": error.step}, text),)
        behind["crash_after_goal"] = failed
        behind["incomplete"] = failed
    broken = tuple(
        log.add(
            "broken_precondition",
            "warning",
            {"step": index},
            f"the trace says it executed, but {failure.text or failure.kind}",
        )
        for index, failure in proof.run.violations[:_MOST_LISTED]
    )
    behind["precondition_violated"] = broken
    additional = [
        log.add(
            "additional_step",
            "warning",
            {"step": index},
            f"{_shown(text)} has nothing to do and was left out",
        )
        for index, text in proof.trace.left_out[:_MOST_LISTED]
    ]
    missing = [
        log.add("missing_implicit_step", "warning", {"step": None}, audited.text)
        for audited in proof.missing
    ]
    gaps = proof.run.assumed.gaps if proof.run.assumed and proof.met else []
    missing += [
        log.add(
            "missing_navigation",
            "warning",
            {"step": index},
            "the step uses something elsewhere, and the robot never went there",
        )
        for index in gaps[:_MOST_LISTED]
    ]
    behind["logic_gap"] = tuple(missing)
    redundant = [i for i, role in enumerate(proof.roles) if role == "redundant"]
    spare = additional + [
        log.add(
            "redundant_step",
            "warning",
            {"step": proof.run.done[i].index},
            f"{_shown(proof.trace.executed[i])} is not needed",
        )
        for i in redundant[:_MOST_LISTED]
        if proof.met
    ]
    if proof.way is not None and proof.way.length is not None:
        text = f"a way with {proof.way.length} steps exists"
        spare.append(log.add("shorter_way", "warning", {"step": None}, text))
    behind["inefficient"] = tuple(spare)
    if proof.undone:
        text = "the goal held on the way and no longer holds at the end"
        behind["incomplete"] = (
            *failed,
            log.add("goal_undone", "warning", {"step": _last_met(proof)}, text),
        )
    if proof.replay is not None and proof.replay.holds[0]:
        log.add("goal_met_at_start", "info", {"step": None}, "the goal holds before any step")
    if no_goal is not None:
        text = f"no goal could be had: {no_goal}"
        behind["goal_unknown"] = (log.add("goal_unknown", "info", {"field": "instruction"}, text),)
    return behind


def _last_met(proof: Proof) -> int | None:
    """The step that undid the goal."""
    assert proof.replay is not None
    for position in range(len(proof.replay.holds) - 1, 0, -1):
        if proof.replay.holds[position - 1]:
            return proof.run.done[position - 1].index
    return None


def _shown(step: str) -> str:
    return step if len(step) <= 80 else step[:80] + "…"


def _addressed(log: FindingLog, case: RobotCase) -> None:
    for start, end in forged_in(case.instruction)[:3]:
        log.add(
            "addresses_the_judge",
            "warning",
            {"field": "instruction", "start": start, "end": end},
            f"no part of an instruction (forged_section): {case.instruction[start:end].strip()}",
        )
    # one pass over everything: a case without such words, nearly every one, costs one look
    if not words_to_judge("\n".join(_all_text(case)), fields=FORGED):
        return
    for field, text in _texts(case):
        for words in words_to_judge(text, fields=FORGED)[:3]:
            log.add(
                "addresses_the_judge",
                "warning",
                {"field": field, "start": words.start, "end": words.end},
                f"text that speaks to the judge ({words.kind}): {words.quote}",
            )


def _spoken_in(graph: SceneGraph) -> tuple[tuple[str, str], ...]:
    """The texts of a graph if any of them speaks to the judge; looked through once a graph."""
    known = graph.memo.get("spoken")
    if not isinstance(known, tuple):
        texts = [
            (f"graph.nodes[{i}].{field}", text)
            for i, node in enumerate(graph.nodes)
            for field, text in (
                ("class_name", node.class_name),
                ("id", str(node.id)),
                ("states", ", ".join(node.states)),
                ("properties", ", ".join(node.properties)),
            )
        ]
        spoken = words_to_judge("\n".join(text for _, text in texts), fields=FORGED)
        known = graph.memo["spoken"] = tuple(texts) if spoken else ()
    return known


def _all_text(case: RobotCase) -> list[str]:
    """The same texts as ``_texts``, without their places."""
    texts = [case.instruction, *(case.relations or ()), *(case.plan or ())]
    if case.trace is not None:
        texts += [*case.trace.executed, case.trace.error or "", *case.trace.remaining]
    if case.scene is not None:
        texts += case.scene.rooms
        for thing in case.scene.objects:
            texts.append(thing.id)
            if thing.category:
                texts.append(thing.category)
            if thing.states:
                texts += thing.states
            if thing.affordances:
                texts += thing.affordances
    if case.graph is not None:
        texts += [text for _, text in _spoken_in(case.graph)]
    return texts


def _texts(case: RobotCase) -> Iterator[tuple[str, str]]:
    yield "instruction", case.instruction
    for i, text in enumerate(case.relations or ()):
        yield f"relations[{i}]", text
    for i, text in enumerate(case.plan or ()):
        yield f"plan[{i}]", text
    if case.trace is not None:
        for i, text in enumerate(case.trace.executed):
            yield f"trace.executed[{i}]", text
        if case.trace.error:
            yield "trace.error", case.trace.error
        for i, text in enumerate(case.trace.remaining):
            yield f"trace.remaining[{i}]", text
    if case.graph is not None:
        yield from _spoken_in(case.graph)
    if case.scene is not None:
        for i, room in enumerate(case.scene.rooms):
            yield f"scene.rooms[{i}]", room
        for i, thing in enumerate(case.scene.objects):
            yield f"scene.objects[{i}].id", thing.id
            if thing.category:
                yield f"scene.objects[{i}].category", thing.category
            for j, state in enumerate(thing.states):
                yield f"scene.objects[{i}].states[{j}]", state
            for j, ability in enumerate(thing.affordances or ()):
                yield f"scene.objects[{i}].affordances[{j}]", ability


def _bounds(
    proof: Proof, behind: dict[str, tuple[str, ...]], soft_goals: bool
) -> tuple[Bound, ...]:
    read = proof.purpose is not None and proof.purpose.source in ("instruction", "model")
    bounds = []
    for rule, allowed in proof.ruling.rules:
        rests = rule in GOAL_RULES and read
        bounds.append(
            Bound(
                dimension="score",
                allowed=frozenset(allowed),
                rule=rule,
                because=behind.get(rule, ()),
                hard=not (rests and soft_goals),
                disputable=rests,
            )
        )
    return tuple(bounds)


def _facts(proof: Proof) -> RobotFacts:
    purpose = proof.purpose
    goal = None
    if purpose is not None:
        at = proof.replay.met_at() if proof.replay is not None else None
        if at is not None and at >= 0:
            at = proof.run.done[at].index
        goal = GoalFacts(purpose.source, str(purpose.gate), proof.met, at if proof.met else None)
    progress = 1.0 if proof.met else proof.progress
    return RobotFacts(
        trace=proof.trace,
        goal=goal,
        semantic_progress=progress,
        optimal_length=proof.optimal,
        roles=tuple(_roles(proof)),
    )


def _roles(proof: Proof) -> Iterator[tuple[str, StepRole]]:
    trace = proof.trace
    roles = proof.roles or tuple("neutral" for _ in trace.executed)
    steps: list[tuple[int, str, StepRole]] = [
        *zip(trace.executed_indexes, trace.executed, roles, strict=True),
        *((index, text, "redundant") for index, text in trace.left_out),
    ]
    for _, text, role in sorted(steps):
        yield text, role
    for index, text in enumerate(proof.trace.remaining):
        yield text, "failed" if index == 0 and proof.trace.failed else "not_executed"
