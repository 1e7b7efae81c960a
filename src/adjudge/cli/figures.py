"""Statistics as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudge.agreement.statistics.figure import Figure

NAMES = {
    "accuracy": "accuracy",
    "kappa": "Cohen's kappa",
    "kappa_linear": "· linear weights",
    "kappa_quadratic": "· quadratic weights",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "ac1": "Gwet's AC1",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "mae": "mean absolute error",
    "within_one": "within one",
}
"""What each measure is called, in the order in which they are shown."""


def number(value: float) -> str:
    """Three decimals; never ``-0.000``."""
    return f"{value + 0.0:.3f}".replace("-0.000", "0.000")


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
