"""An event loop in a thread of its own, for callers that are not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One loop for the process: a model's connections belong to the loop they were opened in."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="adjudge-rewards", daemon=True).start()
    return loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``; may be called where an event loop is running."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()
