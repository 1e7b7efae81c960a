"""Runs of several stores joined in one: shards become the whole run that they are parts of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from adjudge.runs.address import StoreError
from adjudge.runs.claims import hold
from adjudge.runs.database import alone, named_errors
from adjudge.runs.owner import Owner
from adjudge.runs.schema import LEFT_OPEN, replies, runs, verdicts
from adjudge.runs.shards import Shard
from adjudge.runs.store import RunInfo, Store

_BATCH = 500


class CannotMerge(StoreError):
    """Two stores hold two judgements of one case in one run."""


@dataclass(frozen=True)
class MergedRun:
    """What became of one run: the ``id`` of the run that it went into, how many verdicts were new
    there, how many took the place of a failed one, and how many were there as good."""

    source: RunInfo
    id: str
    new: int
    replaced: int
    there: int


def merge(into: Store, source: Store) -> Iterator[MergedRun]:
    """Put every run of ``source``, its replies too, into the same run of ``into``; a shard into the
    whole run. Of one store its shards are put into whole runs.

    Each run is put in whole or not at all; doing it again changes nothing. A scored verdict takes
    the place of one that failed, a reply that of a failure or of a question that waits in a batch;
    else the one that was there first stays. Raises ``CannotMerge`` where two scored verdicts on
    one case differ, ``RunIsLive`` where a process works on the run in ``into``, ``StoreError``. A
    run is complete once a complete one, or all shards of one count, are in it; until then the
    whole run's command judges what is missing.
    """
    same = into.engine.url == source.engine.url
    for run in source.runs():
        if run.shard is not None or not same:
            yield _Merge(into, source, run).done()


class _Merge:
    def __init__(self, into: Store, source: Store, run: RunInfo) -> None:
        self._into = into
        self._source = source
        self._run = run
        self._counts = {"new": 0, "replaced": 0, "there": 0}

    def done(self) -> MergedRun:
        me = Owner.me()
        with ExitStack() as stack:
            stack.callback(me.let_go)
            stack.enter_context(named_errors(self._source.shown))
            given = stack.enter_context(self._source.engine.connect())
            row = given.execute(select(runs).where(runs.c.key == self._run.key)).one()
            with named_errors(self._into.shown), self._into.engine.begin() as taken:
                alone(taken)
                whole = _whole(row._asdict())
                key = _key(taken, whole, me)
                self._put_verdicts(given, taken, key)
                _put_replies(given, taken, self._run.key, key)
                _end(taken, key, row, self._run.shard)
        return MergedRun(self._run, whole["id"], **self._counts)

    def _put_verdicts(self, given: Connection, taken: Connection, key: int) -> None:
        mine = select(verdicts).where(verdicts.c.run == self._run.key).order_by(verdicts.c.position)
        for rows in _batches(given, mine):
            there = _there(taken, verdicts, key, "position", rows)
            better: list[dict[str, Any]] = []
            for row in rows:
                other = there.get(row["position"])
                what = "new" if other is None else self._compared(row, other)
                self._counts[what] += 1
                if what != "there":
                    better.append(row)
            _replace(taken, verdicts, key, "position", better, there)

    def _compared(self, row: dict[str, Any], other: Any) -> str:
        if row["body"] == other.body:
            return "there"
        ours, theirs = _rank(row["status"], row["failed"]), _rank(other.status, other.failed)
        if ours == theirs and row["status"] == "scored":
            raise CannotMerge(
                f"run {self._run.id}: two verdicts on case {row['case_id']!r:.80}, at position "
                f"{row['position']}: {_told(row['body'])} in {self._source.shown}, "
                f"{_told(other.body)} in {self._into.shown}; leave one of the two stores out"
            )
        return "replaced" if ours > theirs else "there"


def _rank(status: str, failed: int) -> int:
    """Scored before not, with all jurors before without some; and before what was left open."""
    return 2 * (status == "scored") + (not failed) - (failed == LEFT_OPEN)


def _told(body: str) -> str:
    return json.dumps(json.loads(body)["scores"])[:80]


def _whole(row: dict[str, Any]) -> dict[str, Any]:
    """The row of the run that this one goes into, if there is none yet."""
    made = {**row, "owner": None, "heartbeat": None, "state": "open", "merged": None, "shard": None}
    del made["key"]
    if row["shard"]:
        identity = json.loads(row["shard"])["whole"]
        made.update(identity=identity, id=identity[: len(row["id"])])
    return made


def _key(taken: Connection, whole: dict[str, Any], me: Owner) -> int:
    there = select(runs.c.key).where(runs.c.identity == whole["identity"])
    if taken.execute(there).first() is None:
        taken.execute(insert(runs), whole)
    key: int = hold(taken, whole["identity"], me).key
    return key


_REPLY_RANK = {"skipped": 0, "ok": 2}
"""A question that waits is no reply yet, and a failure is less than an answer."""


def _put_replies(given: Connection, taken: Connection, run: int, key: int) -> None:
    for rows in _batches(given, select(replies).where(replies.c.run == run)):
        there = _there(taken, replies, key, "key", rows)
        better = [
            row
            for row in rows
            if (other := there.get(row["key"])) is None
            or _REPLY_RANK.get(row["status"], 1) > _REPLY_RANK.get(other.status, 1)
        ]
        _replace(taken, replies, key, "key", better, there)


def _end(taken: Connection, key: int, row: Any, shard: Shard | None) -> None:
    """Say what is in the run now, and let go of it."""
    held = taken.execute(select(runs).where(runs.c.key == key)).one()
    texts = {*json.loads(held.merged or "[]"), *json.loads(row.merged or "[]")}
    if shard is not None and row.state == "complete":
        texts.add(str(shard))
    parts = sorted(map(Shard.parse, texts), key=lambda part: (part.count, part.index))
    sizes = Counter(part.count for part in parts)
    complete = (
        held.state == "complete"
        or (shard is None and row.state == "complete")
        or any(found == count for count, found in sizes.items())
    )
    state = "complete" if complete else "open"
    merged = json.dumps([str(part) for part in parts]) if parts else None
    values = {"owner": None, "heartbeat": None, "state": state, "merged": merged}
    taken.execute(update(runs).where(runs.c.key == key).values(**values))


def _batches(given: Connection, query: Any) -> Iterator[list[dict[str, Any]]]:
    found = given.execution_options(yield_per=_BATCH).execute(query)
    for rows in found.partitions():
        yield [row._asdict() for row in rows]


def _there(
    taken: Connection, table: Table, key: int, name: str, rows: Sequence[dict[str, Any]]
) -> dict[Any, Any]:
    wanted = table.c[name].in_([row[name] for row in rows])
    found = taken.execute(select(table).where(table.c.run == key, wanted))
    return {getattr(row, name): row for row in found}


def _replace(
    taken: Connection,
    table: Table,
    key: int,
    name: str,
    rows: Sequence[dict[str, Any]],
    there: dict[Any, Any],
) -> None:
    old = [row[name] for row in rows if row[name] in there]
    if old:
        taken.execute(delete(table).where(table.c.run == key, table.c[name].in_(old)))
    if rows:
        taken.execute(insert(table), [{**row, "run": key} for row in rows])
