"""When a failed request is made again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from adjudge.models.transport import ModelFailure


@dataclass(frozen=True, slots=True)
class Retry:
    """How patient to be with an endpoint.

    ``attempts`` requests at most, ``timeout`` seconds for each, ``deadline`` seconds for all of
    them with the waits between; the wait before attempt *n* + 1 is drawn evenly from 0 to
    ``min(longest, base * 2**(n - 1))`` seconds (full jitter, M. Brooker, "Exponential Backoff And
    Jitter", 2015), on top of what the endpoint itself asks for.
    """

    attempts: int = 6
    timeout: float = 120.0
    deadline: float = 600.0
    base: float = 0.5
    longest: float = 30.0

    def wait(
        self,
        problem: ModelFailure,
        attempt: int,
        spent: float,
        draw: Callable[[], float] = random.random,
    ) -> float | None:
        """Seconds to wait after ``attempt`` (1, 2 …) failed, or ``None`` to give up.

        >>> busy = ModelFailure("http_429", retryable=True, retry_after=2)
        >>> Retry().wait(busy, 1, spent=0.0, draw=lambda: 0.5)
        2.25
        >>> Retry(deadline=2).wait(busy, 1, spent=0.0) is None
        True
        """
        if not problem.retryable or attempt >= self.attempts:
            return None
        wait = draw() * min(self.longest, self.base * 2 ** (attempt - 1))
        wait += problem.retry_after or 0.0
        return wait if spent + wait < self.deadline else None
