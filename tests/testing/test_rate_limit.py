"""The hard limit of the endpoint for tests."""

from __future__ import annotations

import math
from typing import Any

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.testing import MisbehavingEndpoint, RateLimit

TIMES = st.lists(st.integers(0, 12).map(lambda quarters: quarters / 4), max_size=200)


@given(TIMES, st.integers(1, 20))
def test_a_sliding_window_never_holds_more(gaps: list[float], most: int) -> None:
    limit, now = RateLimit(most, seconds=10), 0.0
    for gap in gaps:
        now += gap
        found = limit.admit(now)
        taken = [when for when, came in limit.outcomes if came and now - 10 < when <= now]
        assert len(taken) <= most
        assert found.remaining == most - len(taken)
        if not found.admitted:
            assert len(taken) == most
            assert 0 <= found.retry_after <= found.reset <= 10


@given(TIMES, st.integers(1, 20), st.sampled_from([0.0, 0.25, 5.0, 9.75]))
def test_a_fixed_window_begins_anew(gaps: list[float], most: int, phase: float) -> None:
    limit, now = RateLimit(most, seconds=10, counting="fixed", phase=phase), 0.0
    for gap in gaps:
        now += gap
        assert 0 <= limit.admit(now).retry_after <= 10
    windows = [math.floor((when + phase) / 10) for when, came in limit.outcomes if came]
    assert all(windows.count(window) <= most for window in windows)


@given(TIMES, st.integers(1, 20), st.integers(1, 5))
def test_a_bucket_gives_its_room_and_what_fills_it(
    gaps: list[float], most: int, burst: int
) -> None:
    limit, now = RateLimit(most, seconds=10, counting="bucket", burst=burst), 0.0
    for gap in gaps:
        now += gap
        limit.admit(now)
    assert sum(came for _, came in limit.outcomes) <= burst + now * most / 10 + 1e-6


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/chat/completions", {"x-ratelimit-remaining-requests", "Retry-After"}),
        ("/messages", {"anthropic-ratelimit-requests-remaining", "Retry-After"}),
    ],
)
async def test_the_endpoint_refuses_what_is_above_it(path: str, names: set[str]) -> None:
    limit = RateLimit(2, headers=True)
    body: dict[str, Any] = {"model": "any", "messages": [{"role": "user", "content": "?"}]}
    async with (
        MisbehavingEndpoint({"score": 1}, rate_limit=limit) as endpoint,
        aiohttp.ClientSession() as session,
    ):
        statuses = []
        for _ in range(3):
            async with session.post(endpoint.url + path, json=body) as response:
                statuses.append(response.status)
                told = response.headers
    assert statuses == [200, 200, 429]
    assert all(name in told for name in names)
    assert 0 < int(told["Retry-After"]) <= 60
