"""The limit on what is in flight: up by one, down by a share, and not for what is not its doing."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.models import Concurrency

EVENTS = st.lists(
    st.tuples(
        st.floats(0, 10),
        st.floats(0, 30),
        st.booleans(),
        st.integers(0, 5000),
        st.floats(0, 1),
        st.booleans(),
    ),
    max_size=200,
)


@given(st.integers(1, 500), EVENTS)
def test_it_stays_between_one_and_the_cap(
    most: int, events: list[tuple[float, float, bool, int, float, bool]]
) -> None:
    concurrency, now = Concurrency(most), 0.0
    for seconds, latency, answered, tokens, lag, wanted in events:
        now += seconds
        before = concurrency.limit
        if answered:
            concurrency.answered(now - latency, now, before, tokens=tokens, lag=lag, wanted=wanted)
            assert concurrency.limit <= before + 1
        else:
            concurrency.overloaded(now - latency, now)
            assert concurrency.limit <= before
        assert 1 <= concurrency.limit <= most
        assert concurrency.limit >= math.floor(0.7 * before) or before == 1


@given(st.integers(2, 500), st.integers(1, 100))
def test_it_shrinks_once_in_a_round_trip(most: int, failures: int) -> None:
    concurrency = Concurrency(most)
    before = concurrency.limit
    for number in range(failures):
        concurrency.overloaded(sent=1.0, now=2.0 + number / 100)
    assert concurrency.limit == max(1, int(0.7 * before))
    concurrency.overloaded(sent=2.5, now=5.0)
    assert concurrency.limit < before


def rounds(
    concurrency: Concurrency,
    count: int,
    latency: Callable[[int], float],
    *,
    tokens: Callable[[int], int] = lambda nth: 100,
    lag: float = 0.0,
    begin: float = 0.0,
) -> float:
    """As many round trips with all places taken: ``latency`` by how many are in flight."""
    now = begin
    for _ in range(count):
        level = concurrency.limit
        seconds = latency(level)
        for nth in range(level):
            concurrency.answered(now, now + seconds, level, tokens=tokens(nth), lag=lag)
        now += seconds + 1e-6
    return now


def test_it_doubles_in_a_round_trip_up_to_the_cap() -> None:
    concurrency = Concurrency(1000, start=32)
    found = []
    for _ in range(6):
        found.append(concurrency.limit)
        rounds(concurrency, 1, lambda level: 0.25)
    assert found == [32, 64, 128, 256, 512, 1000]


def test_after_a_decrease_it_is_soon_back_and_then_grows_by_one() -> None:
    concurrency = Concurrency(1000, start=32)
    now = rounds(concurrency, 3, lambda level: 0.25)
    before = concurrency.limit
    concurrency.overloaded(now, now)
    now = rounds(concurrency, 12, lambda level: 0.25, begin=now)
    assert 0.95 * before <= concurrency.limit <= before + 12
    back = concurrency.limit
    rounds(concurrency, 10, lambda level: 0.25, begin=now)
    assert back + 8 <= concurrency.limit <= back + 25


def test_where_nothing_waits_for_a_place_it_stays() -> None:
    concurrency = Concurrency(1000, start=32)
    for _ in range(100):
        concurrency.answered(0.0, 1.0, 1, wanted=False)
    assert concurrency.limit == 32


def test_an_endpoint_that_queues_is_sent_less() -> None:
    """Forty at once, the rest in a queue."""
    concurrency = Concurrency(1000, start=32)
    rounds(concurrency, 60, lambda level: max(1.0, level / 40))
    assert 40 <= concurrency.limit <= 130


@pytest.mark.parametrize(
    "latency",
    [
        lambda level: 30.0,
        # what takes twice as long for eight times as much is only sharing out
        lambda level: 2.0 * (level / 32) ** 0.5,
        lambda level: 0.0003 * level,  # a queue that nobody would notice
    ],
    ids=["slow from the start", "a batch", "quick"],
)
def test_what_is_merely_slow_or_shares_out_is_sent_all(latency: Callable[[int], float]) -> None:
    concurrency = Concurrency(256, start=32)
    rounds(concurrency, 40, latency)
    assert concurrency.limit == 256


def test_long_answers_are_no_rise() -> None:
    concurrency = Concurrency(64)
    now = rounds(concurrency, 10, lambda level: 1.0)
    rounds(concurrency, 10, lambda level: 8.0, tokens=lambda nth: 1200, begin=now)
    assert concurrency.limit == 64
    concurrency = Concurrency(64)
    now = rounds(concurrency, 10, lambda level: 8.0, tokens=lambda nth: 1200)
    rounds(concurrency, 10, lambda level: 8.0, tokens=lambda nth: 10, begin=now)
    assert concurrency.limit == 64


def test_waiting_in_our_own_process_is_no_rise() -> None:
    concurrency = Concurrency(64)
    now = rounds(concurrency, 10, lambda level: 0.25)
    now = rounds(concurrency, 10, lambda level: 0.85, lag=0.15, begin=now)
    assert concurrency.limit == 64
    rounds(concurrency, 3, lambda level: 0.85, begin=now)
    assert concurrency.limit < 64


def test_one_that_has_become_slow_for_others_is_in_the_end_asked_as_before() -> None:
    concurrency = Concurrency(64)
    now = rounds(concurrency, 10, lambda level: 1.0)
    now = rounds(concurrency, 3, lambda level: 6.0, begin=now)
    assert concurrency.limit < 64
    rounds(concurrency, 40, lambda level: 6.0, begin=now)
    assert concurrency.limit == 64


def test_none_in_flight_is_no_cap() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Concurrency(0)
