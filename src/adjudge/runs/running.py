"""A whole run: claimed, completed, kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing, closing

from adjudge.inputs import Source
from adjudge.runs.engine import Judged, Task, judge_places
from adjudge.runs.hearing import heard
from adjudge.runs.identity import Identity, identify
from adjudge.runs.panel import Panel
from adjudge.runs.places import less_judged, places
from adjudge.runs.stopping import Stop
from adjudge.runs.store import Store
from adjudge.runs.stored_run import OpenRun
from adjudge.runs.stream import stream_places

OnJudged = Callable[[Judged], None]


def run_stored(
    task: Task,
    sources: Sequence[Source],
    store: Store,
    *,
    panel: Panel | None = None,
    workers: int | None = None,
    retry_failed: bool = False,
    stop: Stop | None = None,
    on_start: Callable[[Identity, int], None] = lambda identity, stored: None,
    on_judged: OnJudged = lambda judged: None,
) -> Identity:
    """Judge every case in ``sources`` into ``store``; what the run already has is not judged again.

    ``panel`` are the models of a method that asks, and then ``workers`` (default 1) the processes
    that check beside this one, 0 a thread of it; without models they are all that judges. With
    ``retry_failed`` verdicts that failed, or of which a juror failed, count as not there, and so
    do the replies that failed. A task with a shard is a run of its own; all of them merged
    (``adjudge.runs.merging``) are the whole run.

    ``on_start`` hears once which run it is and how many verdicts count as there, ``on_judged`` each
    new one. Raises, before anything is judged, ``StoreError``, ``RunIsLive``, ``NeedsModel``,
    ``UnknownReader`` or ``UnknownMethod``; later ``StoreError`` where the store fails. A run that
    ``stop`` ends, or in which an answer is not there yet, is kept as it is then, to be completed by
    the same call; so is one that used up the panel's budget, against which counts what was asked
    in it before.
    """
    method = task.bench(with_model=panel is not None).method.name
    identity = identify(
        task.judge,
        method,
        sources,
        reader=task.reader,
        models=panel.models if panel else (),
        asking=panel.settings if panel else None,
        shard=task.shard,
    )
    stop = stop or Stop()
    with store.claim(identity, retry=retry_failed) as run:
        if panel is not None and panel.budget.limited:
            for asked in store.asked(store.find(identity.id)):
                panel.already_spent(asked.model, asked.usage)
        on_start(identity, run.stored)
        if run.complete:
            return identity
        with heard(identity, run.stored, panel, stop, on_judged) as on_judged:
            run.begin()
            if panel is None:
                _judge(task, sources, run, workers or 1, on_judged)
            else:
                workers = 1 if workers is None else workers
                asking = _ask(task, sources, run, panel, workers, stop, on_judged)
                try:
                    asyncio.run(asking)
                except asyncio.CancelledError:
                    if not stop.at_once:
                        raise
            if not (stop.draining or stop.left):
                run.finish()
    return identity


def _judge(
    task: Task, sources: Sequence[Source], run: OpenRun, workers: int, on_judged: OnJudged
) -> None:
    start = run.start()
    there = places(sources, start.record, start.skip, task.judge.is_part)
    there = less_judged(there, start.judged)
    names = [source.name for source in sources]
    with closing(judge_places(task, there, names, workers=workers, start=start)) as judging:
        for judged in judging:
            run.put(judged)
            on_judged(judged)


async def _ask(
    task: Task,
    sources: Sequence[Source],
    run: OpenRun,
    panel: Panel,
    workers: int,
    stop: Stop,
    on_judged: OnJudged,
) -> None:
    stop.attach()
    stop.on_drain(panel.close_to_new)
    panel.keep_in(run.replies(panel.models))
    start = run.start()
    stream = stream_places(
        task,
        places(sources, start.record, start.skip, task.judge.is_part),
        [source.name for source in sources],
        panel.jurors,
        workers=workers,
        in_flight=panel.in_flight,
        quorum=panel.quorum,
        start=start,
        stop=stop,
    )
    try:
        async with aclosing(stream):
            async for judged in stream:
                await run.put_soon(judged)
                on_judged(judged)
    finally:
        await panel.aclose()
