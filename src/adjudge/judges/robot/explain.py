"""The output's text fields, written from what was proved."""

from __future__ import annotations

from adjudge.contract import Evidence, JsonObject
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.facts import RobotFacts, TraceFacts
from adjudge.judges.robot.rules import TABLE

_MOST_SHOWN = 8

_BECAUSE = {
    "empty_trace": "No step executed, so nothing was done: 0.",
    "navigation_only": "Only navigation executed and nothing was touched: 0.",
    "irrelevant": "Nothing that executed has to do with the instruction: 0.",
    "crash_after_goal": "The goal was reached and a later step failed: 3.",
    "precondition_violated": "The goal was reached, by a step whose precondition did not hold: 3.",
    "logic_gap": "The goal was reached, but a step that it implies is missing: 3.",
    "inefficient": "The goal was reached with steps to spare: 3.",
    "efficient": "The goal was reached, nothing is missing and no way is shorter: 4.",
    "efficiency_unknown": "The goal was reached; whether a shorter way exists is unknown: 3 or 4.",
    "goal_unknown": "What the instruction asks for could not be worked out.",
}


def explain(case: RobotCase, evidence: Evidence[RobotFacts]) -> JsonObject:
    """``summary``, ``execution_analysis`` and ``evaluate`` for the robot judge's output."""
    facts = evidence.facts
    return {
        "summary": _summary(facts.trace),
        "execution_analysis": _execution(facts.trace),
        "evaluate": _evaluation(evidence),
    }


def _summary(trace: TraceFacts) -> str:
    if not trace.executed:
        return "Nothing was executed."
    shown = ", ".join(trace.executed[:_MOST_SHOWN])
    more = len(trace.executed) - _MOST_SHOWN
    return f"Executed: {shown}" + (f" and {more} more." if more > 0 else ".")


def _execution(trace: TraceFacts) -> str:
    done = f"{len(trace.executed)} of {trace.total_steps} steps executed"
    if not trace.failed:
        return done + "."
    error = trace.error
    if error is None:
        return done + "; then the execution failed."
    helps = f" {error.would_help} would have met it." if error.would_help else ""
    return f"{done}; then: {error.text}.{helps}"


def _evaluation(evidence: Evidence[RobotFacts]) -> str:
    facts = evidence.facts
    rules = [bound.rule for bound in evidence.bounds]
    row = next((r.rule for r in TABLE if r.rule in rules), "")
    parts = []
    if facts.goal is not None:
        parts.append(f"Goal ({facts.goal.source}): {facts.goal.text}.")
    if row == "incomplete":
        progress = facts.semantic_progress
        share = "an unknown part" if progress is None else f"{progress:.0%}"
        parts.append(f"The goal does not hold at the end; {share} of the work was done.")
    else:
        parts.append(_BECAUSE.get(row, ""))
    parts.extend(f"{f.text} ({f.id})." for f in evidence.findings if f.severity != "info")
    return " ".join(p for p in parts if p)
