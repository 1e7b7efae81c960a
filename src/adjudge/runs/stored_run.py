"""One run in this process's hands: where it was left, rows going in, its end."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, and_, func, select, update

from adjudge.runs.address import StoreError
from adjudge.runs.clock import seconds_now
from adjudge.runs.database import named_errors
from adjudge.runs.engine import Judged, Start, pack
from adjudge.runs.owner import HEARTBEAT_SECONDS, Owner
from adjudge.runs.replies import StoredReplies
from adjudge.runs.schema import LEFT_OPEN, runs, verdicts
from adjudge.runs.writer import Row, Writer

# the status is in an index
_LEFT_OPEN = and_(verdicts.c.status == "skipped", verdicts.c.failed == LEFT_OPEN)


class OpenRun:
    """A claimed run. Leaving the block writes what is left and lets go of it.

    Verdicts that were skipped for want of budget count as not there, and with ``retry`` those that
    failed, or of which a juror failed; they are replaced as new ones arrive.
    """

    def __init__(
        self,
        engine: Engine,
        shown: str,
        key: int,
        run_id: str,
        state: str,
        owner: Owner,
        *,
        retry: bool = False,
    ) -> None:
        self._engine = engine
        self._shown = shown
        self._key = key
        self._me = owner
        self._owner = owner.to_json()
        self._retry = retry
        self._writer: Writer | None = None
        self._state = state
        self.id = run_id
        self.stored = self._count()
        self._replace = retry or self._any(_LEFT_OPEN)

    @property
    def key(self) -> int:
        """Its number in the database."""
        return self._key

    @property
    def complete(self) -> bool:
        """Whether there is nothing to judge."""
        wanted = verdicts.c.failed != 0 if self._retry else _LEFT_OPEN
        return self._state == "complete" and not self._any(wanted)

    def _count(self) -> int:
        """How many verdicts count as there."""
        with named_errors(self._shown), self._engine.connect() as connection:
            count = select(func.count()).select_from(verdicts).where(*self._there)
            return connection.scalar(count) or 0

    def _any(self, wanted: ColumnElement[bool]) -> bool:
        """Whether there is such a verdict."""
        with named_errors(self._shown), self._engine.connect() as connection:
            there = select(verdicts.c.position).where(verdicts.c.run == self._key, wanted)
            return connection.execute(there.limit(1)).first() is not None

    @property
    def _there(self) -> tuple[Any, ...]:
        mine = verdicts.c.run == self._key
        return mine, verdicts.c.failed == 0 if self._retry else verdicts.c.failed != LEFT_OPEN

    def start(self) -> Start:
        """Where judging goes on: behind the last verdict before which none is missing.

        The record of that one may have been cut between two of its cases, so it is read again.
        """
        start = Start()
        with named_errors(self._shown), self._engine.connect() as connection:
            v = verdicts.c
            there = (
                select(v.position, v.record, v.case_id, v.source, v.line, v.failed)
                .where(v.run == self._key)
                .order_by(v.position)
            )
            gap = -1
            for row in connection.execution_options(yield_per=1024).execute(there):
                if row.failed and (self._retry or row.failed == LEFT_OPEN):
                    gap = row.record
                    continue
                if row.record != gap:
                    start.judged.raise_one(row.record)
                if row.position != start.position:
                    start.done.add(row.position)
                    continue
                start.position += 1
                start.skip = start.skip + 1 if row.record == start.record else 1
                start.record = row.record
                if row.case_id is not None:
                    start.seen.add(row.case_id, pack(row.source, row.line))
        return start

    def begin(self) -> None:
        """Start to write, and to show others that this process lives."""
        if self._state == "complete":
            with named_errors(self._shown), self._engine.begin() as connection:
                self._update(connection, state="open")
        self._writer = Writer(self._engine, beat=self._beat, every=HEARTBEAT_SECONDS)

    def replies(self, models: list[str], *, to_read: bool = False) -> StoredReplies:
        """The replies of these models that may be used again, and where new ones are kept unless
        they are only ``to_read``."""
        writer = None if to_read else self._writing
        return StoredReplies(
            self._engine, self._shown, self._key, writer, models, retry=self._retry
        )

    def put(self, judged: Judged) -> None:
        """Store one verdict; it is committed within 100 ms."""
        with named_errors(self._shown):
            self._writing.put(verdicts, self._row(judged), replace=self._replace)

    async def put_soon(self, judged: Judged) -> None:
        """As ``put``, without holding up the event loop."""
        with named_errors(self._shown):
            await self._writing.put_soon(verdicts, self._row(judged), replace=self._replace)

    @property
    def _writing(self) -> Writer:
        assert self._writer is not None, "begin() comes first"
        return self._writer

    def _row(self, judged: Judged) -> Row:
        return {
            "run": self._key,
            "position": judged.position,
            "record": judged.record,
            "source": judged.source,
            "line": judged.line,
            "case_id": judged.case_id,
            "status": judged.brief.status,
            "failed": LEFT_OPEN if judged.brief.left_open else int(judged.brief.failed),
            "body": judged.text,
        }

    def finish(self) -> None:
        """Everything is judged: write what is left and mark the run complete; one of which cases
        were skipped for want of budget stays open."""
        self._flush()
        if self._any(_LEFT_OPEN):
            return
        with named_errors(self._shown), self._engine.begin() as connection:
            self._update(connection, state="complete")
        self._state = "complete"

    def __enter__(self) -> OpenRun:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._flush()
        finally:
            self._me.let_go()
            with named_errors(self._shown), self._engine.begin() as connection:
                self._update(connection, owner=None)

    def _flush(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with named_errors(self._shown):
                writer.close()

    def _beat(self, connection: Connection) -> None:
        self._update(connection, heartbeat=seconds_now())

    def _update(self, connection: Connection, **values: object) -> None:
        mine = update(runs).where(runs.c.key == self._key, runs.c.owner == self._owner)
        if connection.execute(mine.values(**values)).rowcount != 1:
            raise StoreError(f"run {self.id}: another process has taken it over")
