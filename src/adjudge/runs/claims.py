"""A run's row: made once, and one process at a time works on it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, insert, select, update
from sqlalchemy.exc import IntegrityError

from adjudge.runs.address import StoreError
from adjudge.runs.clock import seconds_now
from adjudge.runs.owner import Owner
from adjudge.runs.schema import runs


class RunIsLive(StoreError):
    """Another process works on the run."""


def add_run(engine: Engine, row: dict[str, Any]) -> None:
    """Make the row unless there is one of this identity."""
    with engine.begin() as connection:
        there = select(runs.c.key).where(runs.c.identity == row["identity"])
        if connection.execute(there).first() is not None:
            return
    try:
        with engine.begin() as connection:
            connection.execute(insert(runs), row)
    except IntegrityError:
        return  # another process was quicker: holding it decides who works on it


def hold(connection: Connection, identity: str, me: Owner) -> Any:
    """The row of this identity, which ``me`` works on from now on; raises ``RunIsLive``."""
    row = connection.execute(select(runs).where(runs.c.identity == identity)).one()
    if row.owner is not None:
        other = Owner.of_json(row.owner)
        if other.alive(row.heartbeat, connection.scalar(select(seconds_now())) or 0):
            raise RunIsLive(
                f"run {row.id}: {other} works on it; wait for it to end, or stop it and give the "
                "same command again"
            )
    free = runs.c.owner.is_(None) if row.owner is None else runs.c.owner == row.owner
    mine = update(runs).where(runs.c.key == row.key, free)
    values = {"owner": me.to_json(), "heartbeat": seconds_now()}
    if connection.execute(mine.values(**values)).rowcount != 1:
        raise RunIsLive(f"run {row.id}: another process has just taken it on")
    return row
