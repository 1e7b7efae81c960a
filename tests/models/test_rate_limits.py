"""Endpoints with a hard limit that they may not speak of, in virtual time."""

from __future__ import annotations

import asyncio
import math
import random
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import virtual_time
from adjudge.contract import Message, Question, Usage
from adjudge.models import (
    Allowance,
    Endpoint,
    Limiter,
    ModelClient,
    ModelFailure,
    ModelRequest,
    ModelResponse,
    Pace,
)
from adjudge.testing import RateLimit


class Mark(BaseModel):
    score: int


class Limited:
    """A model behind a limit: refuses after 50 ms, answers after ``latency`` give or take a
    fifth."""

    def __init__(self, limit: RateLimit, latency: float) -> None:
        self.limit = limit
        self.latency = latency
        self.chance = random.Random(1)
        self.tokens: list[tuple[float, int]] = []

    async def send(self, request: ModelRequest) -> ModelResponse:
        await asyncio.sleep(0.025)
        found = self.limit.admit(virtual_time.now())
        told: tuple[Allowance, ...] = ()
        if self.limit.headers:
            told = (Allowance("requests", found.limit, found.remaining, found.reset),)
        if not found.admitted:
            await asyncio.sleep(0.025)
            after = math.ceil(found.retry_after) if self.limit.retry_after else None
            raise ModelFailure(
                "http_429: busy", retryable=True, retry_after=after, http_status=429, told=told
            )
        read, written = len(request.messages[0].content) // 3, self.chance.randint(50, 250)
        self.tokens.append((virtual_time.now(), read + written))
        await asyncio.sleep(self.latency * self.chance.uniform(0.8, 1.2))
        usage = Usage(calls=1, input_tokens=read, output_tokens=written)
        return ModelResponse('{"score": 3}', usage=usage, told=told)


@dataclass
class Shown:
    """What came of asking as fast as it went."""

    limit: RateLimit
    model: Limited
    statuses: list[str]
    latest: float

    def admitted(self, begin: float = 0.0, end: float = math.inf) -> int:
        return sum(came for when, came in self.limit.outcomes if begin <= when < end)

    @property
    def refused_late(self) -> float:
        """The share refused after the first ten seconds."""
        late = [came for when, came in self.limit.outcomes if when >= 10]
        return late.count(False) / len(late)


def ask(
    limit: RateLimit,
    minutes: float,
    *,
    latency: float = 0.3,
    concurrency: int = 32,
    text: str = "Score it.",
    **pace: Any,
) -> Shown:
    """Questions without end, so many minutes long."""
    model = Limited(limit, latency)
    statuses: list[str] = []

    async def main() -> None:
        clock = asyncio.get_running_loop().time
        limiter = Limiter(concurrency, clock=clock, **pace)
        draw = random.Random(2).random
        client = ModelClient(
            model, Endpoint("python", "limited"), limiter=limiter, clock=clock, draw=draw
        )

        async def worker(number: int) -> None:
            while True:
                number += 1000
                message = Message(role="user", content=f"{number} {text}")
                reply = await client.ask(Question(key="mark", messages=(message,), form=Mark))
                statuses.append(reply.status)

        workers = [asyncio.create_task(worker(number)) for number in range(concurrency + 4)]
        await asyncio.sleep(minutes * 60)
        for one in workers:
            one.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    virtual_time.run(main())
    return Shown(limit, model, statuses, minutes * 60)


LIMITS: dict[str, dict[str, Any]] = {
    "sliding, unsaid": {"counting": "sliding", "retry_after": False},
    "sliding, told": {"counting": "sliding", "retry_after": False, "headers": True},
    "fixed": {"counting": "fixed"},
    "fixed, begun before, unsaid": {"counting": "fixed", "phase": 57.0, "retry_after": False},
    "fixed, told": {"counting": "fixed", "headers": True},
    "bucket, unsaid": {"counting": "bucket", "retry_after": False},
    "bucket, told": {"counting": "bucket", "headers": True},
    "small bucket, unsaid": {"counting": "bucket", "burst": 10, "retry_after": False},
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_hard_limit_is_used_and_hardly_ever_passed(name: str) -> None:
    how = LIMITS[name]
    shown = ask(RateLimit(600, **how), 2.5)
    assert shown.admitted() >= 0.9 * 600 * 2.5
    assert shown.refused_late < 0.02
    assert set(shown.statuses) == {"ok"}


@pytest.mark.parametrize("counting", ["sliding", "fixed", "bucket"])
def test_requests_a_minute_that_are_given_are_never_passed(counting: Any) -> None:
    limit = RateLimit(600, counting=counting, burst=10)
    shown = ask(limit, 1.5, rpm=600)
    assert [came for _, came in limit.outcomes if not came] == []
    assert shown.admitted() >= 0.95 * 600 * 1.5


def test_tokens_a_minute_that_are_given_hold_though_they_are_only_estimated() -> None:
    shown = ask(RateLimit(10**6), 2, tpm=60_000, text="x" * 1800)
    for begin in range(0, 61, 20):
        used = sum(tokens for when, tokens in shown.model.tokens if begin <= when < begin + 60)
        # what is in flight is only estimated: some 750 tokens each, of which few are
        assert used <= 60_000 * 1.02
        assert used >= 60_000 * 0.9


def test_a_limit_that_is_gone_is_forgotten() -> None:
    class Ends(RateLimit):
        """No limit after two minutes."""

        def admit(self, now: float) -> Any:
            self.limit = 600 if now < 120 else 10**9
            return super().admit(now)

    shown = ask(Ends(600), 5)
    assert shown.admitted(60, 120) <= 610
    assert shown.admitted(240, 300) > 2 * 600


def test_two_who_share_a_pace_share_the_limit() -> None:
    limit = RateLimit(600)
    model = Limited(limit, 0.3)

    async def main() -> None:
        clock = asyncio.get_running_loop().time
        pace = Pace(rpm=600)

        async def asker(name: str) -> None:
            limiter = Limiter(pace=pace, clock=clock)
            client = ModelClient(model, Endpoint("python", name), limiter=limiter, clock=clock)
            told = [Message(role="user", content=f"{name} {number}") for number in range(300)]
            questions = [Question(key="mark", messages=(message,), form=Mark) for message in told]
            await asyncio.gather(*(client.ask(question) for question in questions))

        await asyncio.gather(asker("one"), asker("two"))
        assert 59 <= virtual_time.now() <= 62

    virtual_time.run(main())
    assert all(came for _, came in limit.outcomes)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.floats(0, 100), st.sampled_from(["answered", "refused", "failed", "taken_back"])
        ),
        max_size=60,
    ),
    st.one_of(st.none(), st.floats(1, 1e4)),
    st.one_of(st.none(), st.floats(1, 1e6)),
    st.floats(0, 100),
)
def test_whatever_comes_a_turn_comes_in_the_end(
    events: list[tuple[float, str]], rpm: float | None, tpm: float | None, retry_after: float
) -> None:
    """A pace that is asked again after it said how long to wait does not say so for ever."""
    pace, now = Pace(rpm, tpm), 0.0
    for seconds, event in events:
        for _ in range(200):
            wait = pace.wait(now)
            assert 0 <= wait < math.inf
            if not wait:
                break
            now += wait
        else:
            pytest.fail("never")
        turn = pace.sent(now, 1000)
        now += seconds
        if event == "answered":
            pace.answered(turn, now, 300, 100)
        elif event == "refused":
            pace.refused(turn, now, retry_after or None)
        elif event == "failed":
            pace.failed(turn, now)
        else:
            pace.taken_back(turn)


@given(st.floats(0.1, 1e4), st.integers(1, 400))
def test_a_given_rate_is_an_even_flow(rpm: float, count: int) -> None:
    pace, now = Pace(rpm=rpm), 0.0
    for _ in range(count):
        while (wait := pace.wait(now)) > 0:
            now += wait
        pace.sent(now)
    # a tenth of a second may be caught up
    assert now >= (count - 1) * 60 / rpm - 0.11 * max(1.0, 60 / rpm)
    assert now <= (count - 1) * 61 / rpm


@pytest.mark.parametrize(("name", "value"), [("rpm", 0), ("tpm", -1), ("rpm", math.nan)])
def test_a_pace_of_nothing_is_none(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} must be above 0"):
        Limiter(**{name: value})  # type: ignore[arg-type]
