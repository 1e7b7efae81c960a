"""How much may be in flight at one endpoint, and not before when."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic


class Limiter:
    """A cap on requests in flight that can be moved while they are, first come, first served.

    Share one between the clients of one endpoint: when the endpoint says "not for 30 seconds"
    it says so to all of them.
    """

    def __init__(
        self,
        concurrency: int = 32,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, found {concurrency}")
        self._limit = concurrency
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._not_before = 0.0
        self._closed = False
        self._clock = clock
        self._sleep = sleep

    @property
    def limit(self) -> int:
        """How many requests may be in flight; set it to move the cap."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._limit = max(1, limit)
        self._let_in()

    @property
    def in_flight(self) -> int:
        """How many are."""
        return self._in_flight

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a place and hold it."""
        if self._in_flight < self._limit and not self._waiting:
            self._in_flight += 1
        else:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._leave()  # it was given to us in the moment we were cancelled
                raise
        try:
            yield
        finally:
            self._leave()

    def hold(self, seconds: float) -> None:
        """Nobody asks this endpoint for ``seconds`` from now; the longest wish wins."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    def held(self) -> float:
        """For how many seconds the endpoint is not to be asked."""
        return max(0.0, self._not_before - self._clock())

    async def turn(self) -> None:
        """Wait until the endpoint may be asked again."""
        while (wait := self.held()) > 0 and not self._closed:
            await self._sleep(wait)
        if self._closed:
            raise asyncio.CancelledError("nobody is asked any more")

    def close(self) -> None:
        """Nobody is asked any more: who waits for a place, and who comes for a turn, is cancelled.

        What is in flight goes on.
        """
        self._closed = True
        for place in self._waiting:
            place.cancel()

    def _leave(self) -> None:
        self._in_flight -= 1
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting and self._in_flight < self._limit:
            place = self._waiting.popleft()
            if not place.done():
                self._in_flight += 1
                place.set_result(None)
