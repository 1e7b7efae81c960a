"""The one thread that writes: rows in, committed in batches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Engine, Table, insert

BATCH_ROWS = 64
BATCH_SECONDS = 0.1
_MOST_WAITING = 16 * BATCH_ROWS

Row = dict[str, Any]


class Writer:
    """Commits rows at 64 or after 100 ms, whichever is first; a fault is raised at the next call.

    ``beat`` is run within the thread's transaction every ``every`` seconds, so that others can see
    that the owner lives.
    """

    def __init__(self, engine: Engine, *, beat: Callable[[Connection], None], every: float) -> None:
        self._engine = engine
        self._beat = beat
        self._every = every
        self._rows: list[tuple[Table, Row]] = []
        self._changed = threading.Condition()
        self._closing = False
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="adjudge-writer", daemon=True)
        self._thread.start()

    def put(self, table: Table, row: Row) -> None:
        """Hand over one row; waits while too many are not yet written."""
        with self._changed:
            while len(self._rows) >= _MOST_WAITING and self._fault is None:
                self._changed.wait()
            if self._fault is not None:
                raise self._fault
            self._rows.append((table, row))
            if len(self._rows) in (1, BATCH_ROWS):
                self._changed.notify_all()

    def close(self) -> None:
        """Write what is left and end the thread; raises what went wrong."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        try:
            with self._engine.connect() as connection:
                beaten = time.monotonic()
                while True:
                    batch, last = self._next(beaten + self._every - time.monotonic())
                    if batch:
                        self._write(connection, batch)
                    if time.monotonic() - beaten >= self._every:
                        self._beat(connection)
                        connection.commit()
                        beaten = time.monotonic()
                    if last:
                        return
        except BaseException as fault:
            with self._changed:
                self._fault = fault
                self._changed.notify_all()

    def _next(self, patience: float) -> tuple[list[tuple[Table, Row]], bool]:
        """A full batch, or what there is after 100 ms; and whether it is the last."""
        with self._changed:
            if not self._rows and not self._closing:
                self._changed.wait(max(patience, 0.0))
            if self._rows:
                until = time.monotonic() + BATCH_SECONDS
                while len(self._rows) < BATCH_ROWS and not self._closing:
                    left = until - time.monotonic()
                    if left <= 0:
                        break
                    self._changed.wait(left)
            batch, self._rows = self._rows[:BATCH_ROWS], self._rows[BATCH_ROWS:]
            self._changed.notify_all()
            return batch, self._closing and not self._rows

    def _write(self, connection: Connection, batch: list[tuple[Table, Row]]) -> None:
        by_table: dict[Table, list[Row]] = {}
        for table, row in batch:
            by_table.setdefault(table, []).append(row)
        for table, rows in by_table.items():
            connection.execute(insert(table), rows)
        connection.commit()
