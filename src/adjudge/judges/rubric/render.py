"""A rubric's question to a model: its system and user message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from adjudge.contract import Finding, Message, Scale, intersect
from adjudge.judges.prompting import as_json, fence, render
from adjudge.judges.rubric.check import RubricEvidence
from adjudge.judges.rubric.form import told_scale
from adjudge.judges.rubric.model import Rubric
from adjudge.judges.rubric.template import fill_template

_MOST_FINDINGS = 100
_FINDING = 400


def messages_of(rubric_json: str, rubric: Rubric, evidence: RubricEvidence) -> tuple[Message, ...]:
    """The messages. ``BoundsConflict`` where the bounds leave a dimension no value."""
    shown = evidence.facts.material.fields
    values = {
        "case": "\n\n".join(f"# {name}\n\n{text}" for name, text in shown.items()),
        "findings": _findings(evidence.findings),
        "allowed": _allowed(evidence),
    }
    user = (
        render(__package__, "user", **values)
        if rubric.template is None
        else fill_template(rubric.template, values, shown)
    )
    return (
        Message(role="system", content=system_prompt(rubric_json)),
        Message(role="user", content=user),
    )


@lru_cache(maxsize=32)
def system_prompt(rubric_json: str) -> str:
    """The rubric itself as instructions; nothing in it comes from a case."""
    rubric = Rubric.model_validate_json(rubric_json)
    return render(
        __package__,
        "system",
        instructions=rubric.instructions,
        fields=[
            (name, f": {field.about}" if field.about else "")
            for name, field in rubric.input.items()
            if field.show
        ],
        dimensions=[
            {
                "name": name,
                "scale": told_scale(one.values),
                "about": one.about,
                "anchors": list(one.anchors.items()),
                "null": _null(one.nullable),
            }
            for name, one in rubric.dimensions.items()
        ],
    )


def _null(nullable: bool | str) -> str:
    return nullable if isinstance(nullable, str) else "it does not apply" if nullable else ""


def _findings(findings: Sequence[Finding]) -> str:
    if not findings:
        return "None."
    lines = []
    for finding in findings[:_MOST_FINDINGS]:
        place = f" {as_json(finding.at)}" if finding.at else ""
        text = " ".join(finding.text.split())
        cut = text if len(text) <= _FINDING else text[:_FINDING] + "…"
        lines.append(f"{finding.id} {finding.kind}{place}: {cut}")
    if len(findings) > _MOST_FINDINGS:
        lines.append(f"(and {len(findings) - _MOST_FINDINGS} more)")
    return fence("\n".join(lines), "text")


def _allowed(evidence: RubricEvidence) -> str:
    """For each dimension the values that its scale and the hard bounds leave, a line each."""
    scales: Mapping[str, Scale] = evidence.facts.scales
    left = intersect(evidence.bounds, scales)
    lines = []
    for name, scale in scales.items():
        record = left.get(name)
        if record is None:
            lines.append(f"- {name}: {told_scale(scale)}")
            continue
        values = ", ".join("null" if v is None else str(v) for v in record.allowed)
        lines.append(f"- {name}: {values} (because of {', '.join(record.because)})")
    return "\n".join(lines)
