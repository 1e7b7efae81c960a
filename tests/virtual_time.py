"""An event loop whose time passes only while nothing is left to do: minutes in milliseconds."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Waits(selectors.DefaultSelector):
    """Where the loop would wait for a timer, the time is then at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("nothing is left that could happen")
        self.now += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """``loop.time()`` is the virtual time; everything of asyncio goes by it."""

    def __init__(self) -> None:
        self.waits = _Waits()
        super().__init__(self.waits)

    def time(self) -> float:
        return self.waits.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """As ``asyncio.run``, in virtual time from 0."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


def now() -> float:
    """The virtual time."""
    return asyncio.get_running_loop().time()
