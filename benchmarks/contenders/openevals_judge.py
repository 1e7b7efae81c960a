"""openevals: ``create_async_llm_as_judge`` with an OpenAI client and the answer's schema.

It has no runner: who uses it gathers the calls. Tracing to LangSmith is off.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from contenders.answer import SCHEMA
from contenders.harness import Load, measured

os.environ["LANGSMITH_TRACING"] = "false"


def run(load: Load, count: int, done: Callable[..., None]) -> None:
    """As many workers as are in flight, one evaluator."""
    import openai
    from openevals.llm import create_async_llm_as_judge

    numbers = iter(range(count))

    async def main() -> None:
        async with openai.AsyncOpenAI(base_url=load.url, api_key="none") as client:
            evaluator = create_async_llm_as_judge(
                prompt=lambda *, inputs, **_: load.asked(inputs),
                judge=client,
                model="none",
                output_schema={"name": "verdict", "schema": SCHEMA, "strict": True},
            )

            async def worker() -> None:
                for number in numbers:
                    result = await evaluator(inputs=number)
                    assert result["score"] == 3, result
                    done()

            await asyncio.gather(*(worker() for _ in range(load.in_flight)))

    asyncio.run(main())


if __name__ == "__main__":
    measured(run, "openevals")
