"""The OpenAI SDK alone: one client, a JSON schema for the answer, the answer parsed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from contenders.answer import SCHEMA
from contenders.harness import Load, measured


def run(load: Load, count: int, done: Callable[..., None]) -> None:
    """As many workers as are in flight, one client; retries and time-outs as they come."""
    import openai

    numbers = iter(range(count))
    form = {"name": "verdict", "schema": SCHEMA, "strict": True}

    async def worker(client: openai.AsyncOpenAI) -> None:
        for number in numbers:
            response = await client.chat.completions.create(
                model="none",
                messages=load.asked(number),
                temperature=0,
                response_format={"type": "json_schema", "json_schema": form},
            )
            assert json.loads(response.choices[0].message.content)["score"] == 3
            done()

    async def main() -> None:
        async with openai.AsyncOpenAI(base_url=load.url, api_key="none") as client:
            await asyncio.gather(*(worker(client) for _ in range(load.in_flight)))

    asyncio.run(main())


if __name__ == "__main__":
    measured(run, "openai")
