"""Judging while waiting for models: many cases in flight, verdicts as they come."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence

from adjudge.contract import Record
from adjudge.runs.asking import Asker, opinion_of
from adjudge.runs.bench import Bench, Outcome, outcome_of
from adjudge.runs.engine import Judged, Start, Task, pack, unpack
from adjudge.runs.failures import duplicate
from adjudge.runs.places import Place
from adjudge.runs.reading import Item

IN_FLIGHT = 64
"""Cases under way at once."""

_Arrival = tuple[Place, int, Item, str | None]


async def stream_places(
    task: Task,
    there: Iterable[Place],
    names: Sequence[str],
    askers: Sequence[Asker],
    *,
    in_flight: int = IN_FLIGHT,
    quorum: int | None = None,
    start: Start | None = None,
) -> AsyncGenerator[Judged, None]:
    """A verdict for every case in ``there``, as they are done; each says its position.

    Every asker is one juror: it gives an opinion on each case, and ``quorum`` of them must be
    scored (default: more than half). Reading, checks and steps run in threads, so that they do not
    hold up replies. Leaving the iteration early cancels what is under way.
    """
    bench = task.bench(with_model=bool(askers))
    arrivals = _arrivals(bench, there, names, start or Start())
    under_way: set[asyncio.Task[Judged]] = set()
    more = True
    try:
        while more or under_way:
            while more and len(under_way) < in_flight:
                arrival = await asyncio.to_thread(next, arrivals, None)
                if arrival is None:
                    more = False
                else:
                    judging = _judged(bench, arrival, askers, quorum)
                    under_way.add(asyncio.ensure_future(judging))
            if under_way:
                done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for one in done:
                    yield one.result()
    finally:
        for one in under_way:
            one.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


def _arrivals(
    bench: Bench, there: Iterable[Place], names: Sequence[str], start: Start
) -> Iterator[_Arrival]:
    """Items in order of input, each with its position and where its id stood before, if it did."""
    position = start.position
    for place in there:
        items = bench.reader.items(place.piece, place.default_id)
        for item in itertools.islice(items, place.skip, None):
            first = start.seen.add(item.id, pack(place.source, place.line)) if item.id else None
            yield place, position, item, None if first is None else unpack(first, names)
            position += 1


async def _judged(
    bench: Bench, arrival: _Arrival, askers: Sequence[Asker], quorum: int | None
) -> Judged:
    place, position, item, stood = arrival
    outcome = await _outcome(bench, item, position, stood, askers, quorum)
    return Judged(
        position,
        place.number,
        place.source,
        place.line,
        outcome.case_id,
        outcome.text,
        outcome.brief,
    )


async def _outcome(
    bench: Bench,
    item: Item,
    position: int,
    stood: str | None,
    askers: Sequence[Asker],
    quorum: int | None,
) -> Outcome:
    if item.id is not None and stood is not None:
        record = Record(None, item.record.file, item.record.line)
        twice = duplicate(bench.judge, bench.method.name, record, item.id, stood, position)
        return outcome_of(twice)
    if item.error is not None:
        return bench.unreadable(item, position)
    if not bench.method.needs_model:
        return await asyncio.to_thread(bench.outcome, item, position)
    try:
        evidence = await asyncio.to_thread(bench.evidence, item)
        opinions = await asyncio.gather(
            *(opinion_of(asker, bench.method, item.case, evidence) for asker in askers)
        )
        return await asyncio.to_thread(
            bench.concluded, item, evidence, opinions, position, quorum=quorum
        )
    except Exception as fault:
        return bench.crashed(item, fault, position)
