"""A hard limit on requests, as endpoints keep it: by a window or by a bucket."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from adjudge.testing.wire import DialectName

Counting = Literal["sliding", "fixed", "bucket"]


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a request may come, how many more may, when all may again, and when one may (in
    seconds from now)."""

    admitted: bool
    limit: int
    remaining: int
    reset: float
    retry_after: float

    def headers(self, dialect: DialectName) -> Mapping[str, str]:
        """``x-ratelimit-…-requests``, or what Anthropic sends."""
        if dialect == "anthropic":
            reset = datetime.now(UTC) + timedelta(seconds=self.reset)
            return {
                "anthropic-ratelimit-requests-limit": str(self.limit),
                "anthropic-ratelimit-requests-remaining": str(self.remaining),
                "anthropic-ratelimit-requests-reset": reset.isoformat(),
            }
        return {
            "x-ratelimit-limit-requests": str(self.limit),
            "x-ratelimit-remaining-requests": str(self.remaining),
            "x-ratelimit-reset-requests": f"{self.reset:.3f}s",
        }


class RateLimit:
    """At most ``limit`` requests in ``seconds``; what comes above it is refused and not counted.

    ``counting``: ``sliding``, the last so many seconds at every moment; ``fixed``, windows one
    after another, the first of which began ``phase`` seconds before the clock's zero; ``bucket``,
    filled evenly, with room for ``burst`` (default: ``limit``). ``retry_after`` and ``headers`` say
    what an endpoint with this limit tells. Times are seconds on any one clock, never going back.
    ``outcomes`` keeps when a request came and whether it was admitted.

    >>> limit = RateLimit(2, seconds=60)
    >>> [limit.admit(now).admitted for now in (0.0, 1.0, 2.0, 60.5, 60.6)]
    [True, True, False, True, False]
    """

    def __init__(
        self,
        limit: int,
        *,
        seconds: float = 60.0,
        counting: Counting = "sliding",
        burst: int | None = None,
        phase: float = 0.0,
        retry_after: bool = True,
        headers: bool = False,
    ) -> None:
        self.limit = limit
        self.seconds = seconds
        self.retry_after = retry_after
        self.headers = headers
        self.outcomes: list[tuple[float, bool]] = []
        self._counting = counting
        self._phase = phase
        self._came: deque[float] = deque()
        self._room = float(burst or limit)
        self._level = self._room
        self._filled = 0.0
        self._last_window: int | None = None

    def admit(self, now: float) -> Admission:
        """Whether a request may come now; one that may is counted."""
        found = self._bucket(now) if self._counting == "bucket" else self._window(now)
        self.outcomes.append((now, found.admitted))
        return found

    def _window(self, now: float) -> Admission:
        if self._counting == "fixed":
            window = math.floor((now + self._phase) / self.seconds)
            begun = window * self.seconds - self._phase
            if window != self._last_window:
                self._came.clear()
                self._last_window = window
        else:
            begun = now - self.seconds
            while self._came and self._came[0] <= begun:
                self._came.popleft()
        admitted = len(self._came) < self.limit
        if admitted:
            self._came.append(now)
        if self._counting == "fixed":
            reset = free = begun + self.seconds - now
        else:
            reset = self._came[-1] + self.seconds - now
            free = self._came[0] + self.seconds - now
        return Admission(admitted, self.limit, self.limit - len(self._came), reset, free)

    def _bucket(self, now: float) -> Admission:
        a_second = self.limit / self.seconds
        self._level = min(self._room, self._level + (now - self._filled) * a_second)
        self._filled = now
        admitted = self._level >= 1
        if admitted:
            self._level -= 1
        missing = max(0.0, 1 - self._level)
        return Admission(
            admitted,
            int(self._room),
            int(self._level),
            (self._room - self._level) / a_second,
            missing / a_second,
        )
