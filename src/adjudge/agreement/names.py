"""What statistics are called, and how their values are written."""

from __future__ import annotations

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
