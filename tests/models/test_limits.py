from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.models import Limiter


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
                assert limiter.in_flight <= highest
                for _ in range(chance.randint(0, 3)):
                    await asyncio.sleep(0)
                done += 1

        highest = cap
        tasks = [asyncio.create_task(work()) for _ in range(20)]
        for _ in range(10):
            await asyncio.sleep(0)
            if chance.random() < 0.3:
                limiter.limit = chance.randint(1, 5)
                highest = max(highest, limiter.limit)
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


async def test_a_raised_cap_lets_those_in_who_wait() -> None:
    limiter = Limiter(1)
    inside = 0
    leave = asyncio.Event()

    async def work() -> None:
        nonlocal inside
        async with limiter.slot():
            inside += 1
            await leave.wait()

    tasks = [asyncio.create_task(work()) for _ in range(3)]
    await asyncio.sleep(0)
    assert inside == 1
    limiter.limit = 3
    await asyncio.sleep(0)
    assert (inside, limiter.in_flight) == (3, 3)
    leave.set()
    await asyncio.gather(*tasks)


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
