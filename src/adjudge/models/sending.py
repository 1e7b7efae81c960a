"""One request to an endpoint, within its limits, made again where that can help."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic

from adjudge.contract import BUDGET, Usage
from adjudge.models.budget import Gate
from adjudge.models.limits import Limiter
from adjudge.models.retry import Retry
from adjudge.models.transport import ModelFailure, ModelRequest, ModelResponse, Transport
from adjudge.models.warmth import Warmth
from adjudge.observing import NOBODY, Exchanges


@dataclass(frozen=True, slots=True)
class Sent:
    """The last outcome of a request, what all attempts used, and how those before it failed: the
    HTTP status, or a word where there was none."""

    outcome: ModelResponse | ModelFailure
    usage: Usage
    failed: tuple[int | str, ...]


class _Course:
    """The time that one question has, from its first turn on: before, others are asked."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._begun: float | None = None

    def begin(self, now: float) -> None:
        if self._begun is None:
            self._begun = now

    def spent(self, now: float) -> float:
        return 0.0 if self._begun is None else now - self._begun

    def left(self, now: float) -> float:
        return self._deadline - self.spent(now)


class Sender:
    """Sends requests over ``transport``. ``clock``, ``sleep`` and ``draw`` stand for time and
    chance. ``gate``, where one is set, is asked before every attempt."""

    def __init__(
        self,
        transport: Transport,
        limiter: Limiter | None = None,
        retry: Retry = Retry(),
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._transport = transport
        self.limiter = limiter or Limiter(clock=clock, sleep=sleep)
        self._retry = retry
        self._clock = clock
        self._sleep = sleep
        self._draw = draw
        self._warmth = Warmth(clock)
        self._lag = 0.0
        self.gate: Gate | None = None

    async def send(self, request: ModelRequest, heard: Exchanges = NOBODY) -> Sent:
        """What ``request`` comes to; a failure is an outcome too. ``heard`` hears every attempt."""
        # The place is kept while waiting to ask again: an endpoint in trouble is asked less. It is
        # given up before the answer is read: the next question goes out first.
        with await self._warmth.follow(request):
            async with self.limiter.slot():
                sent = await self._insist(request, heard)
        before = self._clock()
        await asyncio.sleep(0)
        self._lag = self._clock() - before
        return sent

    async def _insist(self, request: ModelRequest, heard: Exchanges) -> Sent:
        course = _Course(self._retry.deadline)
        failed: list[int | str] = []
        for_now = 0
        usage: Usage | None = None
        while True:
            outcome = await self._attempt(request, course, partial(heard.sent, len(failed) + 1))
            if self.gate is not None and outcome.usage.calls:
                self.gate.count(outcome.usage, answered=isinstance(outcome, ModelResponse))
            heard.back()
            usage = outcome.usage if usage is None else usage + outcome.usage
            if isinstance(outcome, ModelResponse):
                return Sent(outcome, usage, tuple(failed))
            failed.append(outcome.http_status or outcome.reason.partition(":")[0])
            if outcome.rate_limited and self.limiter.answers:
                # only a matter of time, which the endpoint's pace decides
                for_now += 1
                wait: float | None = 0.0
            else:
                spent = course.spent(self._clock())
                wait = self._retry.wait(outcome, len(failed) - for_now, spent, self._draw)
            if wait is not None and max(wait, self.limiter.wait()) >= course.left(self._clock()):
                wait = None
            heard.failed(str(failed[-1]), wait)
            if wait is None:
                return Sent(outcome, usage, tuple(failed))
            if wait and not self._shut(request):
                await self._sleep(wait)

    async def _attempt(
        self, request: ModelRequest, course: _Course, sending: Callable[[], None]
    ) -> ModelResponse | ModelFailure:
        if self._shut(request):
            return _not_asked()
        characters = 0
        for message in request.messages:
            characters += len(message.content)
        turn = self.limiter.at_once(characters)
        if turn is None:
            held = self.limiter.held()
            if held >= course.left(self._clock()):
                return ModelFailure(f"held: not to be asked for {held:.0f} s", usage=Usage())
            turn = await self.limiter.turn(characters)
        course.begin(turn.sent)
        seconds = min(self._retry.timeout, course.left(turn.sent))
        # what was in flight meanwhile may have used up the budget
        shut = self._shut(request)
        if shut or seconds <= 0:
            self.limiter.taken_back(turn)
            late = ModelFailure("deadline: the endpoint's turn came too late", usage=Usage())
            return _not_asked() if shut else late
        sending()
        try:
            outcome = await self._outcome(request, seconds)
        except BaseException:
            self.limiter.failed(turn, None)
            raise
        if isinstance(outcome, ModelResponse):
            self.limiter.answered(turn, outcome.usage, outcome.told, lag=self._lag)
        else:
            self.limiter.failed(turn, outcome)
        return outcome

    async def _outcome(self, request: ModelRequest, seconds: float) -> ModelResponse | ModelFailure:
        try:
            async with asyncio.timeout(seconds):
                response = await self._transport.send(request)
        except ModelFailure as problem:
            return problem
        except TimeoutError:
            return ModelFailure(f"timeout: no answer within {seconds:g} s", retryable=True)
        except OSError as problem:
            return ModelFailure(f"connection: {type(problem).__name__}", retryable=True)
        except Exception as problem:  # a user's transport may raise anything
            return ModelFailure(f"exception: {type(problem).__name__}: {problem}")
        if not isinstance(response, ModelResponse) or not isinstance(response.text, str):
            return ModelFailure(f"exception: the transport returned {type(response).__name__}")
        return response

    def _shut(self, request: ModelRequest) -> bool:
        return self.gate is not None and not self.gate.admits(request)


def _not_asked() -> ModelFailure:
    return ModelFailure(BUDGET, status="skipped", usage=Usage())
