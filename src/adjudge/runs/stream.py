"""Judging while waiting for models: many cases in flight, verdicts as they come."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from typing import NamedTuple

from adjudge.contract import Record
from adjudge.observing import sitting
from adjudge.runs.asking import Asker
from adjudge.runs.bench import Bench, Outcome, outcome_of
from adjudge.runs.desk import Desk, DeskDied, ThreadDesk
from adjudge.runs.engine import Judged, Start, Task, pack, unpack
from adjudge.runs.failures import duplicate, worker_died
from adjudge.runs.jury import Jury
from adjudge.runs.places import Place
from adjudge.runs.reading import Item
from adjudge.runs.shards import of_shard
from adjudge.runs.sitting import Begin, JurorName
from adjudge.runs.stopping import Stop

IN_FLIGHT = 64
"""Cases under way at once."""

_READ_AHEAD = 32


class _Arrival(NamedTuple):
    """A case on its way in: where it stands, and where its id stood before, if it did."""

    place: Place
    nth: int
    position: int
    item: Item
    stood: str | None


async def stream_places(
    task: Task,
    there: Iterable[Place],
    names: Sequence[str],
    askers: Sequence[Asker],
    *,
    workers: int = 0,
    in_flight: int = IN_FLIGHT,
    quorum: int | None = None,
    start: Start | None = None,
    stop: Stop | None = None,
) -> AsyncGenerator[Judged, None]:
    """A verdict for every case in ``there`` (of the task's shard, if it has one), as they are done;
    each says its position.

    Every asker is one juror: it gives an opinion on each case, and ``quorum`` of them must be
    scored (default: more than half). Checks and steps run in ``workers`` processes, or in a thread
    where there are none, so that they do not hold up replies. Once ``stop`` drains no case is
    begun and nothing asked; cases that would need it are left without a verdict. Leaving the
    iteration early cancels what is under way.
    """
    stop = stop or Stop()
    bench = task.bench(with_model=bool(askers))
    arrivals = _arrivals(bench, of_shard(task.shard, there), names, start or Start())
    async with _desk(task, askers, quorum, workers) as desk:
        stream = _Stream(bench, arrivals, Jury(desk, askers, stop), stop, in_flight)
        try:
            while (judged := await stream.next()) is not None:
                yield judged
        finally:
            await stream.close()


def _desk(task: Task, askers: Sequence[Asker], quorum: int | None, workers: int) -> Desk:
    names = [JurorName(asker.model, asker.sample) for asker in askers]
    if workers:
        from adjudge.runs.worker_desk import WorkerDesk

        return WorkerDesk(task, names, quorum, workers)
    return ThreadDesk(task, names, quorum)


class _Stream:
    """Cases are read ahead in a thread, begun while there is room, and come out as they end."""

    def __init__(
        self, bench: Bench, arrivals: Iterator[_Arrival], jury: Jury, stop: Stop, in_flight: int
    ) -> None:
        self._bench = bench
        self._arrivals = arrivals
        self._jury = jury
        self._stop = stop
        self._most = in_flight
        self._waiting: deque[_Arrival] = deque()
        self._reading: asyncio.Task[None] | None = None
        self._more = True
        self._under_way: set[asyncio.Task[Judged | None]] = set()
        # verdicts and faults as they come; ``None`` only wakes
        self._events: asyncio.Queue[Judged | BaseException | None] = asyncio.Queue()
        stop.on_drain(lambda: self._events.put_nowait(None))

    async def next(self) -> Judged | None:
        """The next verdict, or ``None`` where there will be none."""
        while True:
            if not self._stop.draining:
                self._begin_some()
            if self._idle and self._events.empty():
                return None
            event = await self._events.get()
            if isinstance(event, BaseException):
                raise event
            if event is not None:
                return event

    @property
    def _idle(self) -> bool:
        left = self._waiting and not self._stop.draining
        return not (self._under_way or self._reading or left)

    def _begin_some(self) -> None:
        while self._waiting and len(self._under_way) < self._most:
            task = asyncio.create_task(self._judged(self._waiting.popleft()))
            self._under_way.add(task)
            task.add_done_callback(self._ended)
        if self._more and self._reading is None and len(self._waiting) < _READ_AHEAD:
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            some = await asyncio.to_thread(_some, self._arrivals)
            self._waiting.extend(some)
            self._more = bool(some)
            self._events.put_nowait(None)
        except Exception as fault:
            self._more = False
            self._events.put_nowait(fault)
        finally:
            self._reading = None

    def _ended(self, task: asyncio.Task[Judged | None]) -> None:
        self._under_way.discard(task)
        if task.cancelled():
            self._events.put_nowait(None)
        else:
            self._events.put_nowait(task.exception() or task.result())

    async def _judged(self, arrival: _Arrival) -> Judged | None:
        """The verdict on one case; ``None`` where it is left for another time."""
        bench, item, position = self._bench, arrival.item, arrival.position
        heard = sitting(bench.judge.name, bench.method.name, item.id, position)
        try:
            judged = await self._concluded(arrival)
            if judged is not None:
                heard.concluded(judged.text)
            return judged
        finally:
            heard.ended()

    async def _concluded(self, arrival: _Arrival) -> Judged | None:
        place, position = arrival.place, arrival.position
        try:
            outcome: Outcome | None = await self._outcome(arrival)
        except asyncio.CancelledError as fault:
            if self._stop.draining:
                return None
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # an asker's own doing: a case must not be lost for it
            outcome = self._bench.crashed(arrival.item, fault, position)
        if outcome is None:
            return None
        return Judged(
            position,
            place.number,
            place.source,
            place.line,
            outcome.case_id,
            outcome.text,
            outcome.brief,
        )

    async def _outcome(self, arrival: _Arrival) -> Outcome | None:
        bench, (place, nth, position, item, stood) = self._bench, arrival
        if item.id is not None and stood is not None:
            record = Record(None, item.record.file, item.record.line)
            twice = duplicate(bench.judge, bench.method.name, record, item.id, stood, position)
            return outcome_of(twice)
        if item.error is not None:
            return bench.unreadable(item, position)
        begin = Begin(position, place.number, place.piece, place.default_id, nth, item)
        outcome = await self._jury.outcome(begin)
        if isinstance(outcome, DeskDied):
            died = worker_died(
                bench.judge, bench.method.name, item.record, position=position, case_id=item.id
            )
            return outcome_of(died)
        if isinstance(outcome, Exception):
            return bench.crashed(item, outcome, position)
        return outcome

    async def close(self) -> None:
        """Cancel what is under way and wait until the reading thread is done."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        if self._reading is not None:
            await asyncio.wait((self._reading,))


def _arrivals(
    bench: Bench, there: Iterable[Place], names: Sequence[str], start: Start
) -> Iterator[_Arrival]:
    """Cases in order of input, less those that are done."""
    position = start.position
    for place in there:
        items = bench.reader.items(place.piece, place.default_id)
        for nth, item in itertools.islice(enumerate(items), place.skip, None):
            first = start.seen.add(item.id, pack(place.source, place.line)) if item.id else None
            if nth >= place.judged and position not in start.done:
                stood = None if first is None else unpack(first, names)
                yield _Arrival(place, nth, position, item, stood)
            position += 1


def _some(arrivals: Iterator[_Arrival]) -> list[_Arrival]:
    return list(itertools.islice(arrivals, _READ_AHEAD))
