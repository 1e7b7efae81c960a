"""Statistics as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.agreement.names import number

if TYPE_CHECKING:
    from adjudge.agreement.statistics.figure import Figure


def p_value(value: float) -> str:
    """Three decimals, or that it is less."""
    return number(value) if value >= 0.001 else "< 0.001"


def figure_cells(figure: Figure) -> tuple[str, str]:
    """Value and interval, or why there is none."""
    if figure.value is None:
        return "undefined", figure.reason or ""
    if figure.low is None or figure.high is None:
        return number(figure.value), f"no interval: {figure.reason}" if figure.reason else ""
    return number(figure.value), f"{number(figure.low)} to {number(figure.high)}"


def short_cells(figure: Figure) -> tuple[str, str]:
    """Value and interval, and nothing where there is none."""
    value, interval = figure_cells(figure)
    return value, interval if figure.low is not None else ""


def shown(value: Any) -> str:
    """A score or label."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
