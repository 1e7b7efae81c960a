"""A page's statistics by name."""

from __future__ import annotations

from adjudge.agreement.conditions import BadCondition
from adjudge.agreement.dimension import DimensionAgreement
from adjudge.agreement.gate import Statistic
from adjudge.agreement.page import AgreementPage
from adjudge.agreement.statistics.figure import Figure


def statistic_of(page: AgreementPage) -> Statistic:
    """Finds ``DIMENSION.STATISTIC``: a measure of the page, ``majority``, and for ``success`` also
    ``true_positive``, ``true_negative``, ``judged``, ``labelled``, ``corrected``, ``powered``."""
    known = {
        f"{dimension.name}.{name}": figure
        for dimension in page.dimensions
        for name, figure in _figures(dimension).items()
    }

    def find(name: str) -> Figure:
        if name not in known:
            listed = ", ".join(known)
            raise BadCondition(f"expected one of {listed}, found {name!r:.60}")
        return known[name]

    return find


def _figures(dimension: DimensionAgreement) -> dict[str, Figure]:
    figures = {**dimension.figures, "majority": dimension.majority}
    if dimension.rates is not None:
        figures |= {
            name: getattr(dimension.rates, name) for name in type(dimension.rates).model_fields
        }
    return figures
