"""How a run that asks is brought to an end before its time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Stop:
    """First ``drain``: nothing new is asked, what is in flight is finished and kept. Then ``now``.

    Both may be called from any thread, and from a signal handler. ``left`` counts the cases that
    have no verdict since an answer is not there yet.
    """

    def __init__(self) -> None:
        self.draining = False
        self.at_once = False
        self.left = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: list[Callable[[], None]] = []
        self._task: asyncio.Task[object] | None = None

    def attach(self) -> None:
        """The current task and loop are those to stop."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()

    def on_drain(self, listener: Callable[[], None]) -> None:
        """Have ``listener`` called in the loop once draining begins."""
        self._listeners.append(listener)
        if self.draining:
            listener()

    def drain(self) -> None:
        """Ask nothing new."""
        self.draining = True
        self._soon(self._tell)

    def now(self) -> None:
        """End at once: what has arrived is kept, what is in flight is given up."""
        self.draining = self.at_once = True
        if self._task is not None:
            self._soon(self._task.cancel)

    async def sleep(self, seconds: float) -> None:
        """Sleep, unless nothing new is to be asked: then the sleeper is cancelled."""
        drained = asyncio.get_running_loop().create_future()

        def wake() -> None:
            if not drained.done():
                drained.set_result(None)

        self.on_drain(wake)
        try:
            async with asyncio.timeout(seconds):
                await drained
        except TimeoutError:
            return
        finally:
            self._listeners.remove(wake)
        raise asyncio.CancelledError("nothing new is asked")

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _soon(self, call: Callable[[], object]) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(call)
