"""An event loop in a thread of its own, for callers that are not asynchronous."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import threading
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

_CLOSING_SECONDS = 2.0


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One loop for the process: a model's connections belong to the loop they were opened in."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="adjudge-rewards", daemon=True).start()
    return loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``; may be called where an event loop is running."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


def close_at_exit(close: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Have ``close`` run when the interpreter ends; it gets two seconds."""

    def closing() -> None:
        future = asyncio.run_coroutine_threadsafe(close(), _loop())
        with contextlib.suppress(Exception):
            future.result(timeout=_CLOSING_SECONDS)

    atexit.register(closing)
