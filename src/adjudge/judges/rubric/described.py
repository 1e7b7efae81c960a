"""A rubric in words, for those who list judges."""

from __future__ import annotations

from adjudge.judges.rubric.form import told_scale
from adjudge.judges.rubric.model import Rubric


def described(rubric: Rubric) -> str:
    """One line of what it judges; then its fields, dimensions and rules."""
    first = " ".join(rubric.instructions.split())
    lines = [first if len(first) <= 160 else first[:159] + "…", ""]
    fields = (
        f"{n} ({f.type}{', optional' if f.optional else ''})" for n, f in rubric.input.items()
    )
    lines.append(f"  fields: {', '.join(fields)}")
    for name, dimension in rubric.dimensions.items():
        lines.append(f"  {name}: {told_scale(dimension.values)}")
    for name, rule in rubric.bounds.items():
        allowed = "; ".join(f"{d} {_said(v)}" for d, v in rule.allow.items())
        soft = " (soft)" if rule.soft else ""
        lines.append(f"  rule {name}{soft}: {' '.join(rule.when.split())} -> {allowed}")
    if rubric.success:
        lines.append(f"  success: {rubric.success}")
    if rubric.reward:
        lines.append(f"  reward: {rubric.reward}")
    return "\n".join(lines)


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return " or ".join(_said(one) for one in value)
    return "null" if value is None else str(value)
