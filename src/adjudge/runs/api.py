"""Judging from Python: a list, an async twin, a stream."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from typing import Any

from adjudge.contract import Judge, Verdict
from adjudge.judges import load_judge
from adjudge.judges.options import make_judge
from adjudge.runs.asking import Asker
from adjudge.runs.engine import Judged, Task, judge_places
from adjudge.runs.memory import Cases, Given
from adjudge.runs.stream import IN_FLIGHT, stream_places

AnyJudge = str | Judge | type[Judge]
_CHUNK = 16


def judge(
    judge: AnyJudge,
    cases: Cases,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    reader: str | None = None,
    workers: int = 1,
    askers: Sequence[Asker] = (),
    quorum: int | None = None,
    in_flight: int = IN_FLIGHT,
) -> list[Verdict]:
    """The verdicts on ``cases``, in their order: as many as there are cases.

    ``judge`` is a judge's name with ``options``, a class with ``options``, or a judge. ``cases`` is
    a path (file, folder, glob), a case as a mapping or model, or an iterable of those. ``askers``
    are the models of a method that needs one; ``workers`` are processes for one that needs none.

    Input that is no case is a verdict with status ``error``. Raises ``UnknownJudge``,
    ``BadOption``, ``UnknownMethod``, ``UnknownReader``, ``NeedsModel``. Works where an event loop
    is running; leaves signals alone.
    """
    task = Task(make(judge, options), method, reader)
    if not askers:
        return [judged.verdict() for judged in _judged(task, Given(cases), workers)]

    async def gathered() -> list[Verdict]:
        stream = _asking(task, Given(cases), askers, quorum, in_flight)
        return _in_order([verdict async for verdict in stream])

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(gathered())
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, gathered()).result()


async def judge_async(
    judge: AnyJudge,
    cases: Cases,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    reader: str | None = None,
    workers: int = 1,
    askers: Sequence[Asker] = (),
    quorum: int | None = None,
    in_flight: int = IN_FLIGHT,
) -> list[Verdict]:
    """As ``judge``, without holding up the event loop."""
    stream = judge_stream(
        judge,
        cases,
        method,
        options=options,
        reader=reader,
        workers=workers,
        askers=askers,
        quorum=quorum,
        in_flight=in_flight,
    )
    return _in_order([verdict async for verdict in stream])


async def judge_stream(
    judge: AnyJudge,
    cases: Cases,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    reader: str | None = None,
    workers: int = 1,
    askers: Sequence[Asker] = (),
    quorum: int | None = None,
    in_flight: int = IN_FLIGHT,
) -> AsyncGenerator[Verdict, None]:
    """As ``judge``, one by one as they are done: each verdict says its ``position``.

    Cases are drawn as they are needed. Without ``askers`` verdicts come in order.
    """
    task = Task(make(judge, options), method, reader)
    given = Given(cases)
    if askers:
        async with aclosing(_asking(task, given, askers, quorum, in_flight)) as stream:
            async for verdict in stream:
                yield verdict
        return
    # One thread draws, and has ended before the generator is closed.
    with closing(_judged(task, given, workers)) as judging, ThreadPoolExecutor(1) as thread:
        loop = asyncio.get_running_loop()
        while chunk := await loop.run_in_executor(thread, _some, judging):
            for one in chunk:
                yield one.verdict()


def make(judge: AnyJudge, options: Mapping[str, Any] | None = None) -> Judge:
    """The judge meant: by name, class, or as it is (which then takes no ``options``)."""
    if isinstance(judge, Judge):
        if options:
            raise TypeError("options: expected none with a judge that is made already")
        return judge
    return make_judge(load_judge(judge) if isinstance(judge, str) else judge, options or {})


def _judged(task: Task, given: Given, workers: int) -> Any:
    return judge_places(task, given.places(), given.names, workers=workers)


def _some(judging: Iterator[Judged]) -> list[Judged]:
    return list(itertools.islice(judging, _CHUNK))


async def _asking(
    task: Task, given: Given, askers: Sequence[Asker], quorum: int | None, in_flight: int
) -> AsyncGenerator[Verdict, None]:
    stream = stream_places(
        task, given.places(), given.names, askers, in_flight=in_flight, quorum=quorum
    )
    async with aclosing(stream):
        async for judged in stream:
            yield judged.verdict()


def _in_order(verdicts: list[Verdict]) -> list[Verdict]:
    return sorted(verdicts, key=lambda verdict: verdict.position)
