"""Counts as bars: what the page draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from adjudge.contract import ScoreValue

MOST_BARS = 12
_BINS = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """``count`` cases of ``label``; ``length`` from 0 to 1; ``link`` lists them."""

    label: str
    count: int
    length: float
    link: str | None = None
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars under a title; ``note`` says what they do not."""

    title: str
    bars: tuple[Bar, ...]
    note: str = ""


def facet_link(facet: str, value: str) -> str:
    """The place in the page that lists the cases with this value."""
    return "#cases?" + urlencode({facet: value})


def commonest(
    title: str, counts: Counter[str], facet: str | None, *, note: str = ""
) -> Chart | None:
    """The most frequent names, by how often; ``None`` where there is nothing."""
    shown = [(name, count) for name, count in counts.most_common(MOST_BARS) if count]
    more = len(+counts) - len(shown)
    told = [note] if note else []
    if more:
        told.append(f"{more} more, each less frequent")
    return _chart(
        title, [(n, c, facet_link(facet, n) if facet else None) for n, c in shown], "; ".join(told)
    )


def by_value(
    title: str,
    counts: Mapping[ScoreValue, int],
    scale: Sequence[ScoreValue] = (),
    *,
    facet: str | None,
    note: str = "",
) -> Chart | None:
    """Every value of ``scale`` and every one that occurs, in order; many numbers in ten bins."""
    values = sorted({*scale, *counts}, key=_order)
    numbers = [v for v in values if isinstance(v, float | int)]
    if len(values) > MOST_BARS and len(numbers) == len(values):
        return _chart(title, _binned(counts, numbers), note)
    if any(isinstance(v, float) and not v.is_integer() for v in values):
        facet = None  # fractions are counted rounded
    rows = [
        (written(v), counts.get(v, 0), facet_link(facet, written(v)) if facet else None)
        for v in values[: 2 * MOST_BARS]
    ]
    return _chart(title, rows, note)


def written(value: Any) -> str:
    """A score as the page writes it.

    >>> written(3.0), written(None), written(True)
    ('3', 'null', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    return "null" if value is None else str(value)


def _chart(title: str, rows: Iterable[tuple[str, int, str | None]], note: str) -> Chart | None:
    listed = list(rows)
    most = max((count for _, count, _ in listed), default=0)
    if not most:
        return None
    bars = (Bar(name, count, count / most, link if count else None) for name, count, link in listed)
    return Chart(title, tuple(bars), note)


def _binned(
    counts: Mapping[ScoreValue, int], numbers: Sequence[float]
) -> Iterable[tuple[str, int, None]]:
    low, high = numbers[0], numbers[-1]
    width = (high - low) / _BINS
    bins = [0] * _BINS
    for value in numbers:
        bins[min(int((value - low) / width), _BINS - 1)] += counts.get(value, 0)
    for index, count in enumerate(bins):
        yield f"{low + index * width:.4g} to {low + (index + 1) * width:.4g}", count, None


def _order(value: ScoreValue) -> tuple[int, Any]:
    if value is None:
        return (2, 0)
    return (1, value) if isinstance(value, str) else (0, value)
