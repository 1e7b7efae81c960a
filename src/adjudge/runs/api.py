"""Judging from Python: a list, an async twin, a stream."""

from __future__ import annotations

import asyncio
import itertools
import warnings
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from typing import Any, Unpack

from adjudge.contract import Judge, Verdict
from adjudge.judges import load_judge
from adjudge.judges.options import make_judge
from adjudge.runs.asking import Asker
from adjudge.runs.engine import Judged, Task, judge_places
from adjudge.runs.memory import Cases, Given
from adjudge.runs.panel import Asking
from adjudge.runs.shards import Shard

AnyJudge = str | Judge | type[Judge]
_CHUNK = 16
_REPLIES_KEPT = 10_000


def judge(
    judge: AnyJudge,
    cases: Cases,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    reader: str | None = None,
    workers: int | None = None,
    in_flight: int | None = None,
    shard: tuple[int, int] | None = None,
    askers: Sequence[Asker] = (),
    **asking: Unpack[Asking],
) -> list[Verdict]:
    """The verdicts on ``cases``, in their order: as many as there are cases.

    ``judge`` is a judge's name with ``options``, a class with ``options``, or a judge. ``cases`` is
    a path (file, folder, glob), a case as a mapping or model, or an iterable of those. With
    ``model="PROVIDER:NAME"`` (see ``Asking`` for that and the settings beside it) the method is by
    default the judge's first that asks one. ``askers`` are jurors of another kind. ``workers`` are
    processes to judge in; without them it is done in this one. ``shard=(1, 3)`` judges the first of
    three parts; its verdicts are those that the whole would have.

    Input that is no case is a verdict with status ``error``. Raises ``UnknownJudge``,
    ``BadOption``, ``UnknownMethod``, ``UnknownReader``, ``NeedsModel``, ``BadAsking``,
    ``ModelSpecError``. Works where an event loop is running; leaves signals alone.
    """
    task = Task(make(judge, options), method, reader, shard and Shard(*shard))
    given = Given(cases, task.judge.is_part)
    if asking.get("model") is None and not askers:
        _check_alone(asking)
        return [judged.verdict() for judged in _judged(task, given, workers)]

    async def gathered() -> list[Verdict]:
        stream = _asking(task, given, askers, asking, workers, in_flight)
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
    workers: int | None = None,
    in_flight: int | None = None,
    shard: tuple[int, int] | None = None,
    askers: Sequence[Asker] = (),
    **asking: Unpack[Asking],
) -> list[Verdict]:
    """As ``judge``, without holding up the event loop."""
    stream = judge_stream(
        judge,
        cases,
        method,
        options=options,
        reader=reader,
        workers=workers,
        in_flight=in_flight,
        shard=shard,
        askers=askers,
        **asking,
    )
    return _in_order([verdict async for verdict in stream])


async def judge_stream(
    judge: AnyJudge,
    cases: Cases,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    reader: str | None = None,
    workers: int | None = None,
    in_flight: int | None = None,
    shard: tuple[int, int] | None = None,
    askers: Sequence[Asker] = (),
    **asking: Unpack[Asking],
) -> AsyncGenerator[Verdict, None]:
    """As ``judge``, one by one as they are done: each verdict says its ``position``.

    Cases are drawn as they are needed. Where nobody is asked verdicts come in order.
    """
    task = Task(make(judge, options), method, reader, shard and Shard(*shard))
    given = Given(cases, task.judge.is_part)
    if asking.get("model") is not None or askers:
        stream = _asking(task, given, askers, asking, workers, in_flight)
        async with aclosing(stream):
            async for verdict in stream:
                yield verdict
        return
    _check_alone(asking)
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


def _check_alone(asking: Asking) -> None:
    given = [name for name, value in asking.items() if value is not None]
    if given:
        raise TypeError(f"{given[0]}: expected a model with it, found none")


def _judged(task: Task, given: Given, workers: int | None) -> Any:
    return judge_places(task, given.places(), given.names, workers=workers or 1)


def _some(judging: Iterator[Judged]) -> list[Judged]:
    return list(itertools.islice(judging, _CHUNK))


async def _asking(
    task: Task,
    given: Given,
    askers: Sequence[Asker],
    asking: Asking,
    workers: int | None,
    in_flight: int | None,
) -> AsyncGenerator[Verdict, None]:
    from adjudge.models import MemoryCache
    from adjudge.runs.panel import make_panel
    from adjudge.runs.stream import IN_FLIGHT, stream_places

    if asking.get("model") is None:
        panel, quorum = None, asking.get("quorum")
        for name in ("max_cost", "max_tokens"):
            if asking.get(name) is not None:
                raise TypeError(f"{name}: expected a model with it, found askers")
    elif askers:
        raise TypeError("askers: expected none beside a model")
    else:
        panel = make_panel(asking)
        quorum, askers = panel.quorum, panel.jurors
        cache = MemoryCache(_REPLIES_KEPT)
        for client in panel.made:
            client.keep_in(cache)
        for warning in panel.warnings:
            warnings.warn(warning, stacklevel=2)
    stream = stream_places(
        task,
        given.places(),
        given.names,
        askers,
        workers=workers or 0,
        in_flight=in_flight or (panel.in_flight if panel else IN_FLIGHT),
        quorum=quorum,
    )
    try:
        async with aclosing(stream):
            async for judged in stream:
                yield judged.verdict()
    finally:
        if panel is not None:
            await panel.aclose()


def _in_order(verdicts: list[Verdict]) -> list[Verdict]:
    return sorted(verdicts, key=lambda verdict: verdict.position)
