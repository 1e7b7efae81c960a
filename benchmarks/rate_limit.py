"""How well a hard limit is used and how rarely passed, in real time, on a server on this machine.

Run ``python benchmarks/rate_limit.py``; it takes a minute. The endpoint allows 600 requests a
minute, says nothing about that, and answers 429 above it. The client is told nothing either.
``--counting`` and ``--told`` try other endpoints, ``--rpm`` tells the client.
"""

from __future__ import annotations

import argparse
import asyncio
import time

from pydantic import BaseModel

from adjudge.contract import Message, Question
from adjudge.models import Limiter, ModelClient, connect
from adjudge.testing import MisbehavingEndpoint, RateLimit


class Mark(BaseModel):
    """The answer asked for."""

    score: int


async def ask(client: ModelClient, seconds: float, at_once: int) -> int:
    """Ask without end for so long; how many were answered."""
    number = answered = 0

    async def worker() -> None:
        nonlocal number, answered
        while True:
            number += 1
            message = Message(role="user", content=f"Score plan {number}.")
            reply = await client.ask(Question(key="mark", messages=(message,), form=Mark))
            answered += reply.status == "ok"

    workers = [asyncio.create_task(worker()) for _ in range(at_once)]
    await asyncio.sleep(seconds)
    for one in workers:
        one.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    return answered


async def measure(given: argparse.Namespace) -> None:
    """Serve, ask and print."""
    limit = RateLimit(
        given.limit,
        counting=given.counting,
        burst=given.burst,
        retry_after=given.told in ("retry-after", "both"),
        headers=given.told in ("headers", "both"),
        phase=-time.monotonic(),
    )
    async with MisbehavingEndpoint({"score": 3}, rate_limit=limit, latency=0.25) as endpoint:
        limiter = Limiter(32, rpm=given.rpm)
        client = connect("openai-compatible:any", base_url=endpoint.url, limiter=limiter)
        begun = time.monotonic()
        async with client:
            answered = await ask(client, given.seconds, at_once=64)
    outcomes = [(when - begun, came) for when, came in limit.outcomes]
    came = sum(admitted for _, admitted in outcomes)
    share = came / (given.limit * given.seconds / 60)
    late = [admitted for when, admitted in outcomes if when >= 10]
    refused = late.count(False)
    early = len(outcomes) - came - refused
    print(f"{given.limit} a minute ({given.counting}, told: {given.told}), {given.seconds:g} s")
    print(f"admitted {came}, {share:.1%} of what the limit allows meanwhile; answered {answered}")
    print(
        f"refused in the first ten seconds: {early}; "
        f"after them {refused} of {len(late)}, {refused / max(1, len(late)):.2%}"
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--limit", type=int, default=600, help="requests a minute")
    parser.add_argument("--counting", choices=("bucket", "sliding", "fixed"), default="bucket")
    parser.add_argument("--burst", type=int, default=10, help="room in the bucket")
    parser.add_argument(
        "--told", choices=("nothing", "retry-after", "headers", "both"), default="nothing"
    )
    parser.add_argument("--rpm", type=float, help="what the client is told")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
