"""One run in this process's hands: where it was left, rows going in, its end."""

from __future__ import annotations

import itertools
import time

from sqlalchemy import Connection, Engine, func, select, update

from adjudge.runs.database import StoreError, named_errors
from adjudge.runs.engine import Judged, Start, pack
from adjudge.runs.owner import HEARTBEAT_SECONDS, Owner
from adjudge.runs.schema import runs, verdicts
from adjudge.runs.writer import Writer


class OpenRun:
    """A claimed run. Leaving the block writes what is left and lets go of it."""

    def __init__(
        self, engine: Engine, shown: str, key: int, run_id: str, state: str, owner: Owner
    ) -> None:
        self._engine = engine
        self._shown = shown
        self._key = key
        self._owner = owner.to_json()
        self._writer: Writer | None = None
        self.id = run_id
        self.complete = state == "complete"
        self.stored = 0

    def start(self) -> Start:
        """Where judging goes on: verdicts are stored in order, so all before it are there.

        The last record may have been cut between two of its cases, so it is read again.
        """
        mine = verdicts.c.run == self._key
        start = Start()
        with named_errors(self._shown), self._engine.connect() as connection:
            start.position = self.stored = (
                connection.scalar(select(func.max(verdicts.c.position) + 1).where(mine)) or 0
            )
            if not self.stored:
                return start
            last = mine, verdicts.c.position == self.stored - 1
            start.record = connection.scalar(select(verdicts.c.record).where(*last)) or 0
            start.skip = self._cases_of(connection, start.record)
            known = (
                select(verdicts.c.case_id, verdicts.c.source, verdicts.c.line)
                .where(mine, verdicts.c.case_id.is_not(None))
                .order_by(verdicts.c.position)
            )
            rows = connection.execution_options(yield_per=1024).execute(known)
            for case_id, source, line in rows:
                start.seen.add(case_id, pack(source, line))
        return start

    def _cases_of(self, connection: Connection, record: int) -> int:
        """How many verdicts of the last record there are (walking back from the newest)."""
        records = (
            select(verdicts.c.record)
            .where(verdicts.c.run == self._key)
            .order_by(verdicts.c.position.desc())
        )
        rows = connection.execution_options(yield_per=64).execute(records)
        return sum(1 for _ in itertools.takewhile(lambda row: row.record == record, rows))

    def begin(self) -> None:
        """Start to write, and to show others that this process lives."""
        self._writer = Writer(self._engine, beat=self._beat, every=HEARTBEAT_SECONDS)

    def put(self, judged: Judged) -> None:
        """Store one verdict; it is committed within 100 ms."""
        assert self._writer is not None, "begin() comes first"
        row = {
            "run": self._key,
            "position": judged.position,
            "record": judged.record,
            "source": judged.source,
            "line": judged.line,
            "case_id": judged.case_id,
            "status": judged.brief.status,
            "body": judged.text,
        }
        with named_errors(self._shown):
            self._writer.put(verdicts, row)

    def finish(self) -> None:
        """Everything is judged: write what is left and mark the run complete."""
        self._flush()
        with named_errors(self._shown), self._engine.begin() as connection:
            self._update(connection, state="complete")
        self.complete = True

    def __enter__(self) -> OpenRun:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._flush()
        finally:
            with named_errors(self._shown), self._engine.begin() as connection:
                self._update(connection, owner=None)

    def _flush(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with named_errors(self._shown):
                writer.close()

    def _beat(self, connection: Connection) -> None:
        self._update(connection, heartbeat=int(time.time()))

    def _update(self, connection: Connection, **values: object) -> None:
        mine = update(runs).where(runs.c.key == self._key, runs.c.owner == self._owner)
        if connection.execute(mine.values(**values)).rowcount != 1:
            raise StoreError(f"run {self.id}: another process has taken it over")
