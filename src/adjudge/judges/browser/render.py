"""The browser judge's question to a model: its system and user message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.contract import Bound, Finding, Message, Scale, intersect
from adjudge.judges.browser.form import ANSWER_FIELDS
from adjudge.judges.browser.material import (
    DEFAULT_LIMITS,
    Limits,
    Material,
    findings_block,
    material_of,
)
from adjudge.judges.browser.scales import scales_of
from adjudge.judges.browser.view import View
from adjudge.judges.prompting import TemplateError, as_json, fence, fill, render, used

CASE_PLACEHOLDERS = frozenset(
    {"conversation", "response", "tools", "browser", "findings", "allowed_scores"}
)
"""What a user's own user template can name."""

_NEEDED = ("conversation", "response")
_TOOL_TEXT = 600
_MOST_TOOLS = 200


def render_messages(
    view: View,
    findings: Sequence[Finding],
    bounds: Sequence[Bound],
    *,
    system_template: str | None = None,
    user_template: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    hide_reasoning: bool = False,
) -> tuple[tuple[Message, ...], Material]:
    """The messages that ask for a verdict, and the material in them with its ledger.

    A user template replaces the judge's own and its rubric: the system message then only says what
    is material and what is not, unless ``system_template`` replaces that too. ``BoundsConflict``
    where the bounds leave a dimension no value.
    """
    check_templates(system_template, user_template)
    shown = material_of(view, findings, limits, hide_reasoning=hide_reasoning)
    values = {
        "conversation": shown.conversation,
        "response": shown.response,
        "tools": _tools(view),
        "browser": _browser(view),
        "findings": findings_block(findings, limits),
        "allowed_scores": allowed_scores(bounds, scales_of(view.case, view.catalogue)),
    }
    if system_template is not None:
        system = system_template
    else:
        name = "system" if user_template is None else "system_short"
        system = render(__package__, name, fields=ANSWER_FIELDS)
    user = (
        render(__package__, "user", **values)
        if user_template is None
        else fill(user_template, values)
    )
    return (Message(role="system", content=system), Message(role="user", content=user)), shown


def check_templates(system_template: str | None, user_template: str | None) -> None:
    """Raise ``TemplateError`` for templates that cannot judge a case; in words for their author."""
    if user_template is not None:
        missing = [n for n in _NEEDED if n not in used(user_template, CASE_PLACEHOLDERS)]
        if missing:
            raise TemplateError(
                "user template: expected the placeholders {conversation} and {response}, each with"
                f" single braces, found none called {' or '.join(missing)}"
            )
    if system_template is not None:
        misplaced = sorted(used(system_template, CASE_PLACEHOLDERS))
        if misplaced:
            raise TemplateError(
                "system template: expected no text from the case, found"
                f" {', '.join('{' + name + '}' for name in misplaced)}; use the user template"
            )


def allowed_scores(bounds: Sequence[Bound], scales: Mapping[str, Scale]) -> str:
    """For each dimension the values that the scale and the hard bounds leave, a line each."""
    left = intersect(bounds, scales)
    lines = []
    for name, scale in scales.items():
        record = left.get(name)
        values = list(record.allowed) if record else [*range(int(scale.low), int(scale.high) + 1)]
        if record is None and scale.nullable:
            values.append(None)
        shown = ", ".join("null" if value is None else str(value) for value in values)
        because = f" (because of {', '.join(record.because)})" if record and record.because else ""
        lines.append(f"- {name}: {shown}{because}")
    return "\n".join(lines)


def _tools(view: View) -> str:
    catalogue = view.catalogue
    if not catalogue.closed:
        return "It is not known which tools the assistant had; those it called were there."
    if not catalogue.tools:
        return "None."
    lines = []
    for tool in catalogue.tools[:_MOST_TOOLS]:
        schema = tool.parameters if isinstance(tool.parameters, dict) else {}
        properties = schema.get("properties")
        names = [str(n) for n in properties] if isinstance(properties, dict) else []
        required = schema.get("required")
        needed = {str(n) for n in required} if isinstance(required, list) else set()
        listed = ", ".join(n if n in needed else f"{n}?" for n in names)
        text = f"{tool.name}({listed}): {tool.description or ''}"
        if tool.terminal:
            text += " Calling it ends the conversation."
        text = " ".join(text.split())
        lines.append(text if len(text) <= _TOOL_TEXT else text[:_TOOL_TEXT] + "…")
    if len(catalogue.tools) > _MOST_TOOLS:
        lines.append(f"(and {len(catalogue.tools) - _MOST_TOOLS} more)")
    return fence("\n".join(lines), "text")


def _browser(view: View) -> str:
    """What is known of the browser, and whether the assistant was told."""
    case = view.case
    held = {}
    if case.tabs:
        held["tabs"] = [tab.model_dump(exclude_none=True) for tab in case.tabs[:100]]
    if case.preferences:
        held["preferences"] = case.preferences
    if not held:
        return "Nothing is known of the browser beyond what the conversation shows."
    told = (
        "The assistant was given this with the user's last message:"
        if case.context_given
        else "The assistant knew of this only what a result in the conversation shows:"
    )
    text = as_json(held)
    if len(text) > _TOOL_TEXT * 10:
        text = text[: _TOOL_TEXT * 10] + "…"
    return f"{told}\n{fence(text, 'json')}"
