"""Where checks and steps are worked on while the event loop waits for models."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from adjudge.runs.sitting import Answered, Begin, JurorName, Left, Sittings, Step

if TYPE_CHECKING:
    from adjudge.runs.engine import Task


class DeskDied(Exception):
    """What worked on the case is gone; ``culprit`` where it was this case that took it down."""

    def __init__(self, *, culprit: bool) -> None:
        super().__init__("the process that worked on the case ended")
        self.culprit = culprit


class Desk(Protocol):
    """Works on cases, one message at a time or several side by side, off the event loop."""

    async def __aenter__(self) -> Desk: ...
    async def __aexit__(self, *problem: object) -> None: ...
    async def work(self, message: Begin | Answered | Left) -> Step:
        """The next step of the case that ``message`` is about. Raises ``DeskDied``."""
        ...


class ThreadDesk:
    """One thread of this process. Needs nothing that a process would: any judge, any case."""

    def __init__(self, task: Task, jurors: Sequence[JurorName], quorum: int | None) -> None:
        self._sittings = Sittings(task.bench(with_model=True), jurors, quorum)
        self._messages: queue.SimpleQueue[
            tuple[Begin | Answered | Left, asyncio.Future[Step]] | None
        ] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="adjudge-desk", daemon=True)

    async def __aenter__(self) -> ThreadDesk:
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._messages.put(None)
        # what is under way may take a while; nobody waits for it
        await asyncio.sleep(0)

    async def work(self, message: Begin | Answered | Left) -> Step:
        """The next step of the case that ``message`` is about."""
        future: asyncio.Future[Step] = self._loop.create_future()
        self._messages.put((message, future))
        return await future

    def _run(self) -> None:
        while (given := self._messages.get()) is not None:
            message, future = given
            step = self._sittings.handle(message)
            try:
                self._loop.call_soon_threadsafe(_deliver, future, step)
            except RuntimeError:  # the loop has been closed meanwhile
                return


def _deliver(future: asyncio.Future[Step], step: Step) -> None:
    if not future.done():
        future.set_result(step)
