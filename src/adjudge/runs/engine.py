"""Pieces of input in, verdicts out, in order: in this process or in workers."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from adjudge.contract import Judge, Record, Verdict
from adjudge.judges.own_file import JudgeFile, file_of
from adjudge.observing import sitting
from adjudge.runs.bench import Bench, Outcome, Passed, outcome_of
from adjudge.runs.brief import Brief
from adjudge.runs.failures import duplicate
from adjudge.runs.places import Place
from adjudge.runs.positions import Counts, Positions
from adjudge.runs.seen import FirstSeen
from adjudge.runs.shards import Shard, of_shard


class Judged(NamedTuple):
    """A verdict (as its JSON line) with its position, and the place of its record."""

    position: int
    record: int
    source: int
    line: int | None
    case_id: str | None
    text: str
    brief: Brief

    def verdict(self) -> Verdict:
        """The verdict itself."""
        return Verdict.model_validate_json(self.text)


@dataclass
class Start:
    """Where judging begins: the first record and how many of its cases are judged already, the
    first position, the ids before it; which positions behind it are ``done`` as well, and how many
    first cases of each record are ``judged``."""

    record: int = 0
    skip: int = 0
    position: int = 0
    seen: FirstSeen = field(default_factory=FirstSeen)
    done: Positions = field(default_factory=Positions)
    judged: Counts = field(default_factory=Counts)


@dataclass(frozen=True)
class Task:
    """What is to be done with every case, or those of a shard: plain values that a worker process
    can be given."""

    judge: Judge
    method: str | None = None
    reader: str | None = None
    shard: Shard | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # the file of the judge's class comes first: where that is run, the class is found by name
        file = file_of(type(self.judge))
        given = self.judge, self.method, self.reader, self.shard
        return _task_again, (file and _Run(file), *given)

    def bench(self, *, with_model: bool = False) -> Bench:
        """The bench for it; raises ``NeedsModel``, ``UnknownReader``, ``UnknownMethod``."""
        return Bench(self.judge, self.method, self.reader, with_model=with_model)


class _Run:
    """A file that is run where this is unpickled."""

    def __init__(self, file: JudgeFile) -> None:
        self._file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return self._file.module, ()


def _task_again(_: Any, *given: Any) -> Task:
    return Task(*given)


def judge_places(
    task: Task,
    there: Iterable[Place],
    names: Sequence[str],
    *,
    workers: int = 1,
    start: Start | None = None,
) -> Generator[Judged, None, None]:
    """A verdict for every case in ``there`` (of the task's shard, if it has one), in order of
    input; ``names`` are the sources' names.

    With more than one worker the whole way from record to verdict runs in processes; what they
    return is the same, byte for byte.
    """
    start = start or Start()
    bench = task.bench()
    there = of_shard(task.shard, there)
    if workers > 1:
        from adjudge.runs.workers import outcomes_in_workers

        results = outcomes_in_workers(task, there, workers)
        return _ordered(bench, results, names, start)
    return _ordered(bench, _alone(bench, there), names, start)


def _alone(
    bench: Bench, there: Iterable[Place]
) -> Iterator[tuple[Place, Iterable[Outcome | Passed]]]:
    for place in there:
        yield place, bench.outcomes(place.piece, place.default_id, place.skip, place.judged)


def _ordered(
    bench: Bench,
    results: Iterable[tuple[Place, Iterable[Outcome | Passed]]],
    names: Sequence[str],
    start: Start,
) -> Generator[Judged, None, None]:
    """Positions and duplicate ids: what only one who sees all cases in order can know."""
    position, seen = start.position, start.seen
    for place, outcomes in results:
        for index, outcome in enumerate(outcomes, start=place.skip):
            case_id = outcome.case_id
            first = seen.add(case_id, pack(place.source, place.line)) if case_id else None
            if isinstance(outcome, Passed) or position in start.done:
                position += 1
                continue
            if case_id and first is not None:
                record = Record(None, names[place.source], place.line)
                stood = unpack(first, names)
                outcome = outcome_of(
                    duplicate(bench.judge, bench.method.name, record, case_id, stood, position)
                )
                text = outcome.text
            else:
                text = at_position(outcome.text, index, position)
            heard = sitting(bench.judge.name, bench.method.name, case_id, position)
            heard.concluded(text)
            heard.ended()
            yield Judged(
                position, place.number, place.source, place.line, case_id, text, outcome.brief
            )
            position += 1


def at_position(text: str, old: int, new: int) -> str:
    """A verdict's JSON with another position.

    The first ``,"position":`` is the field: before it stands only the id, inside which a quotation
    mark would be escaped.
    """
    return text.replace(f',"position":{old},', f',"position":{new},', 1)


def pack(source: int, line: int | None) -> int:
    """A place as one number (see ``unpack``)."""
    return source << 40 | (line or 0)


def unpack(packed: int, names: Sequence[str]) -> str:
    """``file`` or ``file:line`` of a packed place."""
    source, line = packed >> 40, packed & ((1 << 40) - 1)
    return f"{names[source]}:{line}" if line else names[source]
