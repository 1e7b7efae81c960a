"""Sums of money in words."""

from __future__ import annotations


def money(dollars: float | None) -> str:
    """US dollars, to the cent or to the first two digits that count; an unknown sum says so.

    >>> money(12.345), money(0.00123), money(0.0), money(None)
    ('$12.35', '$0.0012', '$0', 'cost unknown')
    """
    if dollars is None:
        return "cost unknown"
    if dollars == 0:
        return "$0"
    if dollars >= 0.1:
        return f"${dollars:,.2f}"
    return f"${float(f'{dollars:.2g}'):.12f}".rstrip("0")
