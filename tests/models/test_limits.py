from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.contract import Usage
from adjudge.models import Allowance, Limiter, ModelFailure


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 5))
def test_the_cap_holds_through_moves_and_cancellations(seed: int, cap: int) -> None:
    chance = random.Random(seed)

    async def main() -> None:
        limiter = Limiter(cap)
        done = 0

        async def work() -> None:
            nonlocal done
            async with limiter.slot():
                turn = await limiter.turn()
                assert limiter.in_flight <= cap
                try:
                    for _ in range(chance.randint(0, 3)):
                        await asyncio.sleep(0)
                except asyncio.CancelledError:
                    limiter.failed(turn, None)
                    raise
                if chance.random() < 0.3:
                    limiter.failed(turn, ModelFailure("http_503", retryable=True, http_status=503))
                else:
                    limiter.answered(turn, Usage(calls=1))
                assert 1 <= limiter.limit <= cap
                done += 1

        tasks = [asyncio.create_task(work()) for _ in range(20)]
        for _ in range(10):
            await asyncio.sleep(0)
            if chance.random() < 0.3:
                chance.choice(tasks).cancel()
        async with asyncio.timeout(30):
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        lost = [o for o in outcomes if isinstance(o, asyncio.CancelledError)]
        assert done + len(lost) == len(tasks)
        assert [o for o in outcomes if o is not None and o not in lost] == []
        assert limiter.in_flight == 0

    asyncio.run(main())


async def test_first_come_first_served() -> None:
    limiter = Limiter(1)
    order: list[int] = []

    async def work(number: int) -> None:
        async with limiter.slot():
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(number) for number in range(10)))
    assert order == list(range(10))


async def test_a_limit_that_grows_lets_those_in_who_wait() -> None:
    limiter = Limiter(1000)
    inside = 0
    answered = asyncio.Semaphore(0)

    async def work() -> None:
        nonlocal inside
        async with limiter.slot():
            turn = await limiter.turn()
            inside += 1
            await answered.acquire()
            limiter.answered(turn, Usage(calls=1))
            inside -= 1

    async def go(answers: int) -> int:
        for _ in range(answers):
            answered.release()
        for _ in range(5):
            await asyncio.sleep(0)
        return inside

    tasks = [asyncio.create_task(work()) for _ in range(2000)]
    assert await go(0) == 256
    # as many again for every answer: twice as many in each round trip
    assert await go(256) == 512
    assert await go(512) == 1000
    await go(2000)
    await asyncio.gather(*tasks)


async def test_a_limit_that_does_not_adapt_stays() -> None:
    limiter = Limiter(3, adapts=False)
    async with limiter.slot():
        turn = await limiter.turn()
        limiter.failed(turn, ModelFailure("http_503", retryable=True, http_status=503))
    assert limiter.limit == 3


async def test_the_longest_wish_holds() -> None:
    now = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    limiter = Limiter(clock=lambda: now, sleep=sleep)
    limiter.hold(5)
    limiter.hold(2)
    assert limiter.held() == 5
    await limiter.turn()
    assert (now, limiter.held()) == (5.0, 0.0)


async def test_what_stands_still_is_not_asked_and_asked_at_once_when_it_goes_on() -> None:
    """A turn that waits hears of an answer that gives it its turn at once."""

    async def never(seconds: float) -> None:
        await asyncio.Event().wait()

    now = 0.0
    limiter = Limiter(clock=lambda: now, sleep=never)
    none_left = Allowance("requests", limit=10, remaining=0, reset=60)
    first, second = await limiter.turn(), await limiter.turn()
    limiter.answered(first, Usage(calls=1), [none_left])
    waiting = asyncio.create_task(limiter.turn())
    await asyncio.sleep(0)
    assert not waiting.done()
    limiter.answered(second, Usage(calls=1), [replace(none_left, remaining=10)])
    await asyncio.wait_for(waiting, 60)


def test_nothing_in_flight_is_no_cap() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Limiter(0)


async def test_closed_it_lets_nobody_ask_and_what_is_in_flight_go_on() -> None:
    limiter = Limiter(1)
    leave = asyncio.Event()

    async def work() -> str:
        async with limiter.slot():
            await limiter.turn()
            await leave.wait()
            return "answered"

    tasks = [asyncio.create_task(work()) for _ in range(3)]
    await asyncio.sleep(0)
    limiter.close()
    leave.set()
    tasks.append(asyncio.create_task(work()))
    first, *rest = await asyncio.gather(*tasks, return_exceptions=True)
    assert first == "answered"
    assert [type(one) for one in rest] == [asyncio.CancelledError] * 3
    assert limiter.in_flight == 0
