"""The robot judge's details: trace, goal, progress, the shortest way, the role of each step."""

from __future__ import annotations

from adjudge.contract import JsonObject
from adjudge.judges.robot.facts import RobotFacts, StepRole

STEP_REWARDS: dict[StepRole, int | None] = {
    "necessary": 1,
    "neutral": 0,
    "tidy": 0,
    "redundant": -1,
    "failed": -1,
    "not_executed": None,
}
"""A step's reward by its role; ``None`` for what never happened."""


def details_of(facts: RobotFacts) -> JsonObject:
    """The ``details`` of a verdict, as JSON."""
    trace, goal = facts.trace, facts.goal
    error = trace.error
    return {
        "trace": {
            "executed": list(trace.executed),
            "executed_indexes": list(trace.executed_indexes),
            "status": "failed" if trace.failed else "success",
            "error": None
            if error is None
            else {
                "kind": error.kind,
                "class": error.error_class,
                "step": error.step,
                "text": error.text,
                "would_help": error.would_help,
            },
            "remaining": list(trace.remaining),
        },
        "goal": None
        if goal is None
        else {"source": goal.source, "text": goal.text, "met": goal.met, "met_at": goal.met_at},
        "progress": {"steps": trace.step_ratio, "semantic": facts.semantic_progress},
        "optimal_length": facts.optimal_length,
        "steps": [
            {"action": action, "role": role, "reward": STEP_REWARDS[role]}
            for action, role in facts.roles
        ],
    }
