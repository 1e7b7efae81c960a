"""The six dimensions, 1 to 5, and which of them may not apply to a case."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.contract import Scale
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.catalogue import Catalogue
from adjudge.judges.browser.view import spoken

DIMENSIONS = (
    "tool_call_accuracy",
    "browser_context_awareness",
    "assistant_usefulness",
    "preference_adherence",
    "response_conciseness",
    "knowledge",
)
LOW, HIGH = 1, 5
_PLAIN = Scale.ordinal(LOW, HIGH)
_NULLABLE = Scale.ordinal(LOW, HIGH, nullable=True)


def scales_of(case: BrowserCase, catalogue: Catalogue) -> Mapping[str, Scale]:
    """Dimension to scale; ``null`` (not applicable) is on it only where it can be true.

    A response that calls a tool has a tool call accuracy. Preferences apply wherever there is a
    tool for them, since leaving it alone can be right. A response with words can be judged on them.
    """
    response = case.response
    preferences = (case.context_given and case.preferences) or catalogue.has_role("preferences")
    nullable = {
        "tool_call_accuracy": not any(message.calls for message in response),
        "browser_context_awareness": True,
        "assistant_usefulness": False,
        "preference_adherence": not preferences,
        "response_conciseness": not any(spoken(m.text).strip() for m in response if m.text),
        "knowledge": True,
    }
    return {name: _NULLABLE if nullable[name] else _PLAIN for name in DIMENSIONS}
