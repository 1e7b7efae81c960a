"""A whole run: claimed, completed, kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from adjudge.inputs import Source
from adjudge.runs.engine import Judged, Task, judge_places
from adjudge.runs.identity import Identity, identify
from adjudge.runs.places import places
from adjudge.runs.store import Store


def run_stored(
    task: Task,
    sources: Sequence[Source],
    store: Store,
    *,
    workers: int = 1,
    on_start: Callable[[Identity, int], None] = lambda identity, stored: None,
    on_judged: Callable[[Judged], None] = lambda judged: None,
) -> Identity:
    """Judge every case in ``sources`` into ``store``; what the run already has is not judged again.

    ``on_start`` hears once which run it is and how many verdicts it had, ``on_judged`` each new
    one. Raises, before anything is judged, ``StoreError``, ``RunIsLive``, ``NeedsModel``,
    ``UnknownReader`` or ``UnknownMethod``; later ``StoreError`` where the store fails.
    """
    method = task.bench().method.name
    identity = identify(task.judge, method, sources, reader=task.reader)
    names = [source.name for source in sources]
    with store.claim(identity) as run:
        start = run.start()
        on_start(identity, run.stored)
        if run.complete:
            return identity
        run.begin()
        there = places(sources, start.record, start.skip)
        with closing(judge_places(task, there, names, workers=workers, start=start)) as judging:
            for judged in judging:
                run.put(judged)
                on_judged(judged)
        run.finish()
    return identity
