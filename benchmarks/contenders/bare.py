"""The bare loop: aiohttp and json, nothing else. The answer is parsed and not looked at further."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from contenders.harness import Load, measured


def run(load: Load, count: int, done: Callable[..., None]) -> None:
    """As many workers as are in flight, one session."""
    import aiohttp

    numbers = iter(range(count))

    async def worker(session: aiohttp.ClientSession) -> None:
        for number in numbers:
            asked = {"model": "none", "messages": load.asked(number), "temperature": 0}
            data = json.dumps(asked).encode()
            async with session.post(f"{load.url}/chat/completions", data=data) as response:
                body = json.loads(await response.read())
            assert json.loads(body["choices"][0]["message"]["content"])
            done()

    async def main() -> None:
        connector = aiohttp.TCPConnector(limit=load.in_flight)
        headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            await asyncio.gather(*(worker(session) for _ in range(load.in_flight)))

    asyncio.run(main())


if __name__ == "__main__":
    measured(run, "aiohttp")
