"""What headers say is still allowed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import BaseModel

from adjudge.contract import Message
from adjudge.models import Allowance, ModelFailure, ModelRequest, connect, form_of
from adjudge.models.allowance import allowances
from adjudge.testing import MisbehavingEndpoint, RateLimit

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("12ms", 0.012),
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("1h2m3.5s", 3723.5),
        ("55", 55.0),
        ("2026-11-30T12:00:30Z", 30.0),
        ("2026-11-30T12:00:30", 30.0),
        ("2026-11-30T11:00:00+00:00", 0.0),
        (str(int(NOW.timestamp()) + 20), 20.0),
        (str((int(NOW.timestamp()) + 20) * 1000), 20.0),
    ],
)
def test_when_there_is_more_is_read_in_every_way_it_is_written(reset: str, seconds: float) -> None:
    headers = {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": "599",
        "x-ratelimit-reset-requests": reset,
    }
    [found] = allowances(headers, NOW)
    assert (found.unit, found.limit, found.remaining) == ("requests", 600, 599)
    assert found.reset == pytest.approx(seconds)


def test_anthropic_says_it_of_requests_and_of_tokens() -> None:
    headers = {
        f"anthropic-ratelimit-{what}-{name}": value
        for what, limit in (("requests", "50"), ("tokens", "40000"), ("input-tokens", "30000"))
        for name, value in (("limit", limit), ("remaining", "10"), ("reset", NOW.isoformat()))
    }
    assert [(a.unit, a.limit) for a in allowances(headers, NOW)] == [
        ("requests", 50),
        ("tokens", 40000),
        ("tokens", 30000),
    ]


@pytest.mark.parametrize(
    ("limit", "remaining", "reset"),
    [
        ("600", "-1", "1s"),
        ("600", "many", "1s"),
        ("600", "5", "soon"),
        ("600", "5", ""),
        ("0", "0", "1s"),
        ("", "5", "1s"),
        ("9" * 400, "5", "1s"),
    ],
)
def test_nonsense_says_nothing(limit: str, remaining: str, reset: str) -> None:
    headers = {
        "x-ratelimit-limit-requests": limit,
        "x-ratelimit-remaining-requests": remaining,
        "x-ratelimit-reset-requests": reset,
    }
    assert allowances(headers, NOW) == ()


class Mark(BaseModel):
    score: int


@pytest.mark.parametrize("model", ["openai-compatible:any", "anthropic:any"])
async def test_answers_and_refusals_of_an_endpoint_say_it(model: str) -> None:
    told: list[tuple[Allowance, ...]] = []
    limit = RateLimit(1, headers=True, retry_after=False)
    async with MisbehavingEndpoint({"score": 3}, rate_limit=limit) as endpoint:
        key = {"ANTHROPIC_API_KEY": "planted-key-0123456789"}
        async with connect(model, base_url=endpoint.url, environ=key) as client:
            messages = (Message(role="user", content="Score it."),)
            request = ModelRequest(messages, form_of(Mark))
            told.append((await client.transport.send(request)).told)
            with pytest.raises(ModelFailure) as refused:
                await client.transport.send(request)
            told.append(refused.value.told)
    for [found] in told:
        assert (found.unit, found.limit, found.remaining) == ("requests", 1, 0)
        assert 50 < found.reset <= 60
    assert refused.value.rate_limited
