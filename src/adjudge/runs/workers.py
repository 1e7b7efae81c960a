"""Judging in worker processes: pieces out, verdicts back, in order, a bounded number in flight."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from adjudge.contract import Fault, Record
from adjudge.inputs import Piece
from adjudge.runs.bench import Bench, Outcome, Passed, outcome_of
from adjudge.runs.failures import worker_died
from adjudge.runs.places import ALL_CASES, Place

if TYPE_CHECKING:
    from adjudge.runs.engine import Task

_CHUNK = 32
_CHUNKS_EACH = 3
_Outcomes = list[Outcome | Passed]
_Work = tuple[Piece, str, int, int]


class WorkersFailed(Fault, RuntimeError):
    """Worker processes could not be started with this judge."""


def not_importable(error: BaseException) -> WorkersFailed:
    """The fault to raise where a worker cannot be given its judge."""
    return WorkersFailed(
        "worker processes cannot be started with this judge: its class must be importable "
        f"by name; use workers=0 ({type(error).__name__}: {error})"
    )


def outcomes_in_workers(
    task: Task, there: Iterable[Place], workers: int
) -> Iterator[tuple[Place, _Outcomes]]:
    """Every place with its outcomes, in order; raises ``WorkersFailed`` where none can start.

    A record that takes its worker down is found out by judging what was in flight again, one
    record at a time; its cases become ``error`` and the rest goes on.
    """
    rest = iter(there)
    more = True
    while more:
        pending: deque[tuple[list[Place], Future[list[_Outcomes]]]] = deque()
        with _Pool(task, workers) as pool, contextlib.suppress(BrokenProcessPool):
            while True:
                while len(pending) < workers * _CHUNKS_EACH:
                    chunk = list(itertools.islice(rest, _CHUNK))
                    if not chunk:
                        more = False
                        break
                    pending.append((chunk, pool.submit(chunk)))
                if not pending:
                    break
                chunk, future = pending[0]
                results = future.result()
                pending.popleft()
                yield from zip(chunk, results, strict=True)
        for chunk, _ in pending:
            yield from _one_by_one(task, chunk)


def _one_by_one(task: Task, chunk: list[Place]) -> Iterator[tuple[Place, _Outcomes]]:
    left = deque(chunk)
    while left:
        with _Pool(task, 1) as pool:
            try:
                while left:
                    [outcomes] = pool.submit([left[0]]).result()
                    yield left.popleft(), outcomes
            except BrokenProcessPool:
                place = left.popleft()
                yield place, list(_died(task, place))


def _died(task: Task, place: Place) -> Iterator[Outcome | Passed]:
    """For each case of the record, which is read again without being judged; for the record where
    that is too much as well."""
    record = Record(None, place.piece.file, place.line)
    method = task.judge.method(task.method).name
    with _Pool(task, 1) as pool:
        try:
            [cases] = pool.submit([replace(place, judged=ALL_CASES)]).result()
        except BrokenProcessPool:
            cases = [Passed(None)]
    for index, case in enumerate(cases, start=place.skip):
        if index < place.judged:
            yield case
        else:
            died = worker_died(task.judge, method, record, position=index, case_id=case.case_id)
            yield outcome_of(died)


class _Pool:
    """Spawned processes that end at once when this one leaves the block, or dies."""

    def __init__(self, task: Task, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._lifeline, self._leash = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin, initargs=(task, self._lifeline)
        )

    def __enter__(self) -> _Pool:
        try:
            with interrupt_held():
                self._pool.submit(_ready).result()
        except (BrokenProcessPool, pickle.PicklingError, AttributeError, TypeError) as error:
            self._end()
            raise not_importable(error) from error
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        self._leash.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._lifeline.close()

    def submit(self, chunk: list[Place]) -> Future[list[_Outcomes]]:
        work = [(p.piece, p.default_id, p.skip, p.judged) for p in chunk]
        with interrupt_held():
            return self._pool.submit(_work, work)


@contextlib.contextmanager
def interrupt_held() -> Iterator[None]:
    """Processes that begin in the block take over the mask, so that Ctrl-C reaches only us."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_bench: Bench | None = None


def _begin(task: Task, lifeline: Connection) -> None:
    global _bench
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bench = task.bench()
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()


def _end_with_parent(lifeline: Connection) -> None:
    """The other end is never written to: it is closed, by the parent or by its death."""
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


def _ready() -> None:
    """Nothing: that it ran says that a worker could start."""


def _work(chunk: list[_Work]) -> list[_Outcomes]:
    assert _bench is not None
    return [list(_bench.outcomes(*work)) for work in chunk]
