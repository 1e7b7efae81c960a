"""What is already being asked is not asked again: single flight."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Flight(Generic[T]):
    """Runs one piece of work per key at a time; whoever comes meanwhile shares its outcome."""

    def __init__(self) -> None:
        self._flying: dict[str, asyncio.Future[T]] = {}

    async def run(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        """The outcome of ``work`` for ``key``, from whoever began it.

        If the first one is cancelled, one of the others begins anew.
        """
        while (flying := self._flying.get(key)) is not None:
            await asyncio.wait((flying,))
            if not flying.cancelled():
                return flying.result()
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._flying[key] = outcome
        try:
            result = await work()
        except asyncio.CancelledError:
            outcome.cancel()
            raise
        except BaseException as problem:
            outcome.set_exception(problem)
            outcome.exception()  # seen: there may be nobody else to look at it
            raise
        else:
            outcome.set_result(result)
            return result
        finally:
            del self._flying[key]
