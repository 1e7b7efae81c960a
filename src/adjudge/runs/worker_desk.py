"""Checks and steps in processes of their own: requests in flight are never held up by them.

A case stays with the process that began it, which keeps its evidence until all jurors have
answered; only questions and replies go to and fro. Each process answers in the order in which it
was asked, so that where one dies the first message without an answer names the culprit.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
import signal
import socket
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.runs.bench import Outcome
from adjudge.runs.desk import DeskDied
from adjudge.runs.frames import (
    Frames,
    frame,
    pack_message,
    pack_step,
    read_frames,
    unpack_message,
    unpack_step,
)
from adjudge.runs.sitting import Answered, Begin, JurorName, Left, Sittings, Step
from adjudge.runs.workers import WorkersFailed, interrupt_held, not_importable

if TYPE_CHECKING:
    from adjudge.runs.engine import Task

_READY = "ready"


class WorkerDesk:
    """``workers`` processes; each new case goes to the one with the least to do."""

    def __init__(
        self, task: Task, jurors: Sequence[JurorName], quorum: int | None, workers: int
    ) -> None:
        self._given = (task, tuple(jurors), quorum)
        self._count = workers
        self._workers: list[_Worker] = []
        self._where: dict[int, _Worker] = {}
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> WorkerDesk:
        self._workers = [await self._start() for _ in range(self._count)]
        return self

    async def __aexit__(self, *problem: object) -> None:
        for worker in self._workers:
            worker.end()
        await asyncio.sleep(0)  # the connections are closed at the loop's next turn

    async def work(self, message: Begin | Answered | Left) -> Step:
        """The next step of the case that ``message`` is about. Raises ``DeskDied``, and
        ``WorkersFailed`` where no process can work with this judge."""
        if isinstance(message, Begin):
            self._where[message.position] = await self._idlest()
        step = await self._where[message.position].ask(message)
        if isinstance(step, Outcome) or isinstance(message, Left):
            self._where.pop(message.position, None)
        return step

    async def _idlest(self) -> _Worker:
        if any(worker.dead for worker in self._workers):
            async with self._starting:
                for index, worker in enumerate(self._workers):
                    if worker.dead:
                        self._workers[index] = await self._start()
        return min(self._workers, key=lambda worker: worker.load)

    async def _start(self) -> _Worker:
        ours, theirs = socket.socketpair()
        process = multiprocessing.get_context("spawn").Process(
            target=_serve, args=(*self._given, theirs), daemon=True
        )
        try:
            with interrupt_held():
                process.start()
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            ours.close()
            raise not_importable(error) from error
        finally:
            theirs.close()
        ours.setblocking(False)
        loop = asyncio.get_running_loop()
        _, worker = await loop.create_connection(lambda: _Worker(process), sock=ours)
        return worker


class _Worker(asyncio.Protocol):
    """Our end of one process."""

    def __init__(self, process: Any) -> None:
        self.dead = False
        self._process = process
        self._frames = Frames()
        self._ready = False
        self._asked: deque[asyncio.Future[Step]] = deque()
        self._unsent: list[bytes] = []

    @property
    def load(self) -> int:
        """How many messages it has not answered."""
        return len(self._asked)

    def ask(self, message: Begin | Answered | Left) -> asyncio.Future[Step]:
        """The answer to a message, once it is there."""
        future: asyncio.Future[Step] = asyncio.get_running_loop().create_future()
        if self.dead:
            future.set_exception(DeskDied(culprit=False))
            return future
        if not self._unsent:  # all that the loop's turn brings goes out at once
            asyncio.get_running_loop().call_soon(self._send)
        self._unsent.append(frame(pack_message(message)))
        self._asked.append(future)
        return future

    def _send(self) -> None:
        unsent, self._unsent = self._unsent, []
        if not self.dead:
            self._transport.write(b"".join(unsent))

    def end(self) -> None:
        """It has nothing that anyone needs: it is not waited for."""
        self._transport.abort()
        self._process.terminate()
        self._process.join()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for answer in self._frames.add(data):
            if not self._ready:
                assert answer == _READY
                self._ready = True
                continue
            future = self._asked.popleft()
            if not future.done():
                future.set_result(unpack_step(answer))

    def connection_lost(self, problem: Exception | None) -> None:
        self.dead = True
        for index, future in enumerate(self._asked):
            if not future.done():
                future.set_exception(self._fault(culprit=index == 0))
        self._asked.clear()

    def _fault(self, *, culprit: bool) -> Exception:
        if self._ready:
            return DeskDied(culprit=culprit)
        return not_importable(WorkersFailed("the process ended before it could begin"))


def _serve(
    task: Task, jurors: Sequence[JurorName], quorum: int | None, theirs: socket.socket
) -> None:
    """The work of one process, until the other end is closed, by the parent or by its death."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sittings = Sittings(task.bench(with_model=True), jurors, quorum)
    with theirs, theirs.makefile("rb") as incoming:
        theirs.sendall(frame(_READY))
        try:
            for plain in read_frames(incoming):
                theirs.sendall(frame(pack_step(sittings.handle(unpack_message(plain)))))
        except (BrokenPipeError, ConnectionResetError):
            return
