"""An even flow of so much a second."""

from __future__ import annotations

SLACK = 0.1
"""Seconds: who wakes up late may catch up by so much."""


class Drip:
    """The generic cell rate algorithm (ITU-T I.371): what has gone out is worked off at ``rate`` a
    second, and the next may go once that is done. Times are seconds on any one clock.

    >>> drip = Drip(rate=10)
    >>> drip.spend(0.0, 1.0)
    >>> drip.spend(0.0, 1.0)
    >>> round(drip.wait(0.0), 3)
    0.1
    """

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._due = float("-inf")

    def wait(self, now: float) -> float:
        """Seconds until the next may go, 0 or more."""
        return max(0.0, self._due - SLACK - now)

    def spend(self, now: float, amount: float) -> None:
        """``amount`` goes out."""
        self._due = max(self._due, now) + amount / self.rate

    def correct(self, amount: float) -> None:
        """It was more by ``amount`` than was said, or less where that is negative."""
        self._due += amount / self.rate

    def busy(self, now: float) -> bool:
        """Whether it holds back whoever sends now, or nearly."""
        return self._due > now - SLACK
