"""The robot judge's question to a model: its system and user message."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from adjudge.contract import Bound, Finding, Message
from adjudge.judges.prompting import TemplateError, fill, render, used
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.facts import RobotFacts
from adjudge.judges.robot.form import ANSWER_FIELDS
from adjudge.judges.robot.material import DEFAULT_LIMITS, Limits, material

CASE_PLACEHOLDERS = frozenset(
    {
        "instruction",
        "spatial_relationships",
        "scene_graph_json",
        "executed_actions",
        "simulation_status",
        "error_reason",
        "steps_completed",
        "total_steps",
        "progress_ratio",
        "remaining_actions",
        "findings",
        "allowed_scores",
    }
)
"""What a user's own user template can name."""

_NEEDED = ("instruction", "executed_actions")


def render_messages(
    case: RobotCase,
    facts: RobotFacts,
    findings: Sequence[Finding],
    *,
    bounds: Sequence[Bound] = (),
    system_template: str | None = None,
    user_template: str | None = None,
    examples: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Message, ...]:
    """The system and the user message that ask for a verdict on ``case``.

    ``system_template`` and ``user_template`` replace the judge's own; see ``check_templates``.
    ``examples`` replaces the worked examples, and stands where the system template says
    ``{examples}``. Text from the case is in the user message alone, fenced or as JSON strings.
    ``BoundsConflict`` where the bounds leave no score.
    """
    check_templates(system_template, user_template, examples)
    shown = material(case, facts, findings, bounds, limits)
    system = _system(system_template, examples)
    if user_template is None:
        percent = f"{facts.trace.step_ratio:.1%}"
        user = render(__package__, "user", **{**shown, "progress_ratio": percent})
    else:
        user = fill(user_template, shown)
    return Message(role="system", content=system), Message(role="user", content=user)


@lru_cache(maxsize=16)
def _system(template: str | None, examples: str | None) -> str:
    """The system message: the same for all cases."""
    block = examples if examples is not None else render(__package__, "examples")
    if template is None:
        return render(__package__, "system", examples=block.strip("\n"), fields=ANSWER_FIELDS)
    return fill(template, {"examples": block})


def check_templates(
    system_template: str | None = None,
    user_template: str | None = None,
    examples: str | None = None,
) -> None:
    """Raise ``TemplateError`` for templates that cannot judge a case; in words for their author.

    A user template names at least ``{instruction}`` and ``{executed_actions}``, with single braces.
    A system template names no part of a case: text from outside has no place there.
    """
    if user_template is not None:
        missing = [n for n in _NEEDED if n not in used(user_template, CASE_PLACEHOLDERS)]
        if missing:
            raise TemplateError(
                "user template: expected the placeholders {instruction} and {executed_actions},"
                f" each with single braces, found none called {' or '.join(missing)}"
            )
    if system_template is not None:
        misplaced = sorted(used(system_template, CASE_PLACEHOLDERS))
        if misplaced:
            raise TemplateError(
                "system template: expected no text from the case, found"
                f" {', '.join('{' + name + '}' for name in misplaced)}; use the user template"
            )
        if examples is not None and not used(system_template, frozenset({"examples"})):
            raise TemplateError(
                "examples: expected {examples} in the system template that they are for, found none"
            )
