"""Adjudge's client alone, from a question to a reply in its form: no case, no bounds, no store.

It has a cache that is asked and keeps nothing, as a first run has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from contenders.harness import Load, measured

READY = 50
"""So many questions more than can be in flight stand ready: the client counts what is."""


def run(load: Load, count: int, done: Callable[..., None]) -> None:
    """One client, asked by workers."""
    from adjudge.contract import Message, Question
    from adjudge.judges.robot.form import RobotAnswer
    from adjudge.models import StoredReply, connect

    class Nothing:
        async def get_many(self, keys: Sequence[str]) -> Mapping[str, StoredReply]:
            return {}

        async def put(self, key: str, reply: StoredReply) -> None:
            return None

    numbers = iter(range(count))

    async def main() -> None:
        async with connect(
            "openai-compatible:none",
            base_url=load.url,
            concurrency=load.in_flight,
            cache=Nothing(),
        ) as client:

            async def worker() -> None:
                for number in numbers:
                    messages = tuple(Message.model_validate(m) for m in load.asked(number))
                    reply = await client.ask(
                        Question(key="plan", messages=messages, form=RobotAnswer)
                    )
                    assert reply.status == "ok", reply.reason
                    done()

            await asyncio.gather(*(worker() for _ in range(load.in_flight + READY)))

    asyncio.run(main())


if __name__ == "__main__":
    measured(run, "adjudge")
