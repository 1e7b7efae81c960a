"""How much may be in flight at one endpoint, and not before when."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from time import monotonic

from adjudge.contract import Usage
from adjudge.models.allowance import Allowance
from adjudge.models.concurrency import START, Concurrency
from adjudge.models.pace import Pace, Turn
from adjudge.models.transport import ModelFailure


class Limiter:
    """Lets requests to one endpoint in, first come, first served.

    At most ``concurrency`` are in flight, fewer where the endpoint cannot bear so many (see
    ``Concurrency``); each goes out when its turn has come (see ``Pace``; ``rpm`` and ``tpm`` are
    requests and tokens a minute). Share one between the clients of one endpoint, or a ``pace``
    between the limiters of several event loops: when the endpoint says "not for 30 seconds" it says
    so to all of them. With ``adapts=False`` the limit stays where it is.
    """

    def __init__(
        self,
        concurrency: int = 32,
        *,
        rpm: float | None = None,
        tpm: float | None = None,
        pace: Pace | None = None,
        adapts: bool = True,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._concurrency = Concurrency(concurrency, start=START if adapts else concurrency)
        self._adapts = adapts
        self._pace = pace or Pace(rpm, tpm)
        self._in_flight = 0
        self._out = 0
        self._places: deque[asyncio.Future[None]] = deque()
        self._turns = asyncio.Lock()
        self._news: asyncio.Future[None] | None = None
        self._closed = False
        self._clock = clock
        self._sleep = sleep

    @property
    def limit(self) -> int:
        """How many requests may be in flight now."""
        return self._concurrency.limit

    @property
    def in_flight(self) -> int:
        """How many have a place, those included that wait for their turn."""
        return self._in_flight

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a place and hold it."""
        if self._in_flight < self.limit and not self._places:
            self._in_flight += 1
        else:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._places.append(place)
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
        with self._pace.lock:
            self._pace.hold(self._clock(), seconds)

    def held(self) -> float:
        """For how many seconds the endpoint said that it is not to be asked."""
        return self._pace.held(self._clock())

    def wait(self) -> float:
        """Seconds until the next turn, so far as is known now."""
        return self._pace.wait(self._clock())

    @property
    def answers(self) -> bool:
        """Whether the endpoint has answered anybody lately, so that it refuses only for now."""
        return self._pace.answers(self._clock())

    async def turn(self, characters: int = 0) -> Turn:
        """Wait until the endpoint may be asked, with a request of so many characters; then one of
        ``answered``, ``failed`` and ``taken_back`` is to be told."""
        turn = self.at_once(characters)
        if turn is not None:
            return turn
        async with self._turns:
            while (turn := self._go(characters)) is None:
                await self._sleep_or_news(self.wait())
            return turn

    def at_once(self, characters: int = 0) -> Turn | None:
        """As ``turn``, if it has come and nobody else waits for one."""
        return None if self._turns.locked() else self._go(characters)

    def answered(
        self, turn: Turn, usage: Usage, told: Iterable[Allowance] = (), *, lag: float = 0.0
    ) -> None:
        """The endpoint answered; ``lag`` is how long a turn of the event loop takes."""
        now, tokens = self._clock(), usage.output_tokens
        with self._pace.lock:
            self._pace.answered(turn, now, usage.input_tokens, tokens)
            self._pace.told(turn, now, told)
        if self._adapts:
            # where it is not the limit that holds requests back, more of it would help nobody
            wanted = bool(self._places) and not self._turns.locked()
            self._concurrency.answered(
                turn.sent,
                now,
                self._out,
                tokens=tokens,
                lag=lag,
                wanted=wanted or self._out * 2 >= self.limit,
            )
        self._over()

    def failed(self, turn: Turn, problem: ModelFailure | None) -> None:
        """It did not answer, or nobody waited any longer (``None``)."""
        now = self._clock()
        retryable = problem is not None and problem.retryable
        with self._pace.lock:
            if problem is not None and problem.rate_limited:
                self._pace.refused(turn, now, problem.retry_after)
            else:
                self._pace.failed(turn, now)
            if problem is not None:
                self._pace.told(turn, now, problem.told)
                if retryable and problem.retry_after:
                    self._pace.hold(now, problem.retry_after)
        if retryable and self._adapts:
            self._concurrency.overloaded(turn.sent, now)
        self._over()

    def taken_back(self, turn: Turn) -> None:
        """The request was not made."""
        with self._pace.lock:
            self._pace.taken_back(turn)
        self._over()

    def close(self) -> None:
        """Nobody is asked any more: who waits for a place, and who comes for a turn, is cancelled.

        What is in flight goes on.
        """
        self._closed = True
        for place in self._places:
            place.cancel()
        self._tell()

    def _go(self, characters: int) -> Turn | None:
        if self._closed:
            raise asyncio.CancelledError("nobody is asked any more")
        now = self._clock()
        with self._pace.lock:
            if self._pace.wait(now) > 0:
                return None
            self._out += 1
            return self._pace.sent(now, characters)

    async def _sleep_or_news(self, seconds: float) -> None:
        """An answer that comes meanwhile may say that it need not be so long."""
        self._news = asyncio.get_running_loop().create_future()
        sleeping = asyncio.ensure_future(self._sleep(seconds))
        try:
            await asyncio.wait((sleeping, self._news), return_when=asyncio.FIRST_COMPLETED)
            if sleeping.done():
                await sleeping
        finally:
            self._news = None
            sleeping.cancel()

    def _over(self) -> None:
        self._out -= 1
        self._tell()
        self._let_in()

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    def _leave(self) -> None:
        self._in_flight -= 1
        self._let_in()

    def _let_in(self) -> None:
        while self._places and self._in_flight < self.limit:
            place = self._places.popleft()
            if not place.done():
                self._in_flight += 1
                place.set_result(None)
