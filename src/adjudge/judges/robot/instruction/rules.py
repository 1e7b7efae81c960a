"""Each clause to what it asks for, by the rule of its verb."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adjudge.judges.robot.instruction.acting import act, fill, pour
from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.clauses import Clause, Statement
from adjudge.judges.robot.instruction.placing import examine, get, go, hold, place
from adjudge.judges.robot.instruction.processing import process
from adjudge.judges.robot.instruction.stating import state
from adjudge.judges.robot.verbs import Rule

_RULES: Mapping[Rule, Callable[[Draft, Clause], None]] = {
    "place": place,
    "get": get,
    "hold": hold,
    "process": process,
    "act": act,
    "fill": fill,
    "pour": pour,
    "go": go,
    "examine": examine,
}


def apply(draft: Draft, clause: Clause | Statement) -> None:
    """Adds what one clause asks for to the draft."""
    if isinstance(clause, Statement):
        state(draft, clause)
    else:
        _RULES[clause.verb.rule](draft, clause)
