"""The one thread that writes: rows in, committed in batches."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Table, and_, bindparam, delete, insert

BATCH_ROWS = 64
BATCH_SECONDS = 0.1
MOST_WAITING = 16 * BATCH_ROWS
MOST_AT_RISK = 2 * BATCH_ROWS
"""Rows of a run that asks which may not be committed yet: they are paid for."""

_SOON = 0.005

Row = dict[str, Any]


class _Write(NamedTuple):
    table: Table
    row: Row
    replace: bool


class Writer:
    """Commits rows at 64 or after 100 ms, whichever is first; a fault is raised at the next call.

    ``beat`` is run within the thread's transaction every ``every`` seconds, so that others can see
    that the owner lives.
    """

    def __init__(self, engine: Engine, *, beat: Callable[[Connection], None], every: float) -> None:
        self._engine = engine
        self._beat = beat
        self._every = every
        self._rows: list[_Write] = []
        self._in_hand = 0
        self._changed = threading.Condition()
        self._closing = False
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="adjudge-writer", daemon=True)
        self._thread.start()

    def put(self, table: Table, row: Row, *, replace: bool = False) -> None:
        """Hand over one row; waits while too many are not yet written.

        With ``replace`` a row of the same primary key goes first.
        """
        with self._changed:
            while len(self._rows) >= MOST_WAITING and self._fault is None:
                self._changed.wait()
            self._add(_Write(table, row, replace))

    async def put_soon(self, table: Table, row: Row, *, replace: bool = False) -> None:
        """As ``put``, without holding up the event loop, and waiting earlier."""
        while True:
            with self._changed:
                at_risk = len(self._rows) + self._in_hand
                if at_risk < MOST_AT_RISK or self._fault is not None:
                    self._add(_Write(table, row, replace))
                    return
            await asyncio.sleep(_SOON)

    def _add(self, write: _Write) -> None:
        if self._fault is not None:
            raise self._fault
        self._rows.append(write)
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
                        _write(connection, batch)
                        self._in_hand = 0
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

    def _next(self, patience: float) -> tuple[list[_Write], bool]:
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
            self._in_hand = len(batch)
            self._changed.notify_all()
            return batch, self._closing and not self._rows


def _write(connection: Connection, batch: list[_Write]) -> None:
    """All of it in one transaction; of several rows with one primary key the last counts."""
    tables = {write.table.name: write.table for write in batch}
    for table in tables.values():
        names = [column.name for column in table.primary_key]
        rows: dict[tuple[Any, ...], Row] = {}
        old: list[Row] = []
        for write in batch:
            if write.table is table:
                key = tuple(write.row[name] for name in names)
                rows[key] = write.row
                if write.replace:
                    old.append({f"old_{name}": write.row[name] for name in names})
        if old:
            same = and_(*(table.c[name] == bindparam(f"old_{name}") for name in names))
            connection.execute(delete(table).where(same), old)
        connection.execute(insert(table), list(rows.values()))
    connection.commit()
