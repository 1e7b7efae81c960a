"""The six dimensions, 1 to 5, and which of them may not apply to a case."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.contract import Scale
from adjudge.judges.browser.view import View

DIMENSIONS = (
    "tool_call_accuracy",
    "browser_context_awareness",
    "assistant_usefulness",
    "preference_adherence",
    "response_conciseness",
    "knowledge",
)
LOW, HIGH = 1, 5


def scales_of(view: View) -> Mapping[str, Scale]:
    """Dimension to scale; ``null`` (not applicable) is on it only where it can be true.

    A response that calls a tool has a tool call accuracy. Preferences apply wherever there is a
    tool for them, since leaving it alone can be right. A response with words can be judged on them.
    """
    nullable = {
        "tool_call_accuracy": not view.judged_calls,
        "browser_context_awareness": True,
        "assistant_usefulness": False,
        "preference_adherence": not _has_preferences(view),
        "response_conciseness": not view.answer.strip(),
        "knowledge": True,
    }
    return {name: Scale.ordinal(LOW, HIGH, nullable=nullable[name]) for name in DIMENSIONS}


def _has_preferences(view: View) -> bool:
    given = view.case.context_given and bool(view.case.preferences)
    return given or view.catalogue.has_role("preferences")
