"""Where runs are kept: found by name, claimed by one process, their verdicts read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, CursorResult, Select, and_, func, or_, select

from adjudge.contract import Fault, JsonObject, Usage
from adjudge.inputs.safetext import make_safe
from adjudge.judges.origin import Origin
from adjudge.runs import address
from adjudge.runs.claims import add_run, hold
from adjudge.runs.clock import seconds_now
from adjudge.runs.database import named_errors, open_engine
from adjudge.runs.identity import Identity
from adjudge.runs.owner import Owner
from adjudge.runs.schema import LEFT_OPEN, replies, runs, verdicts
from adjudge.runs.shards import Shard
from adjudge.runs.stored_run import OpenRun

_NO_RUN = -1


class NoSuchRun(Fault, LookupError):
    """No run, or more than one, goes by this name."""


@dataclass(frozen=True)
class RunInfo:
    """A run as listed: ``state`` is ``running``, ``complete`` or ``interrupted``; ``shard``
    says which part of a whole run it is."""

    key: int
    id: str
    judge: str
    judge_version: str
    options: JsonObject
    method: str
    models: tuple[str, ...]
    asking: JsonObject
    inputs: tuple[JsonObject, ...]
    created: str
    state: str
    counts: dict[str, int]
    shard: Shard | None = None
    origin: Origin | None = None

    @property
    def total(self) -> int:
        """How many verdicts it has."""
        return sum(self.counts.values())


class Asked(NamedTuple):
    """What one model was asked in a run: questions (not counting repair turns), and what that
    took."""

    model: str
    questions: int
    usage: Usage


class Store:
    """The runs in one database. ``Store.open`` says how to get one; close it when done."""

    def __init__(self, engine: Any, shown: str) -> None:
        self._engine = engine
        self._reading: dict[CursorResult[Any], Connection] = {}
        self.shown = shown

    @classmethod
    def open(cls, text: str, *, create: bool = False) -> Store:
        """The store at a URL or the path of a SQLite file; raises ``StoreError``.

        ``create`` makes what is missing.
        """
        url = address.parse_url(text)
        return cls(open_engine(url, create=create), address.shown(url))

    @property
    def engine(self) -> Any:
        """The database, for tables beside those of runs."""
        return self._engine

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        for found, connection in list(self._reading.items()):
            found.close()
            connection.close()
        self._engine.dispose()

    def claim(self, identity: Identity, *, retry: bool = False) -> OpenRun:
        """The run of this identity, new or as it was left, for this process alone.

        With ``retry`` its failures are taken as not there.
        Raises ``RunIsLive``, naming the process that works on it.
        """
        with named_errors(self.shown):
            add_run(self._engine, _row(identity))
            me = Owner.me()
            try:
                with self._engine.begin() as connection:
                    row = hold(connection, identity.hash, me)
                return OpenRun(
                    self._engine, self.shown, row.key, row.id, row.state, me, retry=retry
                )
            except BaseException:
                me.let_go()
                raise

    def look_at(self, identity: Identity, *, retry: bool = False) -> OpenRun:
        """The run of this identity as it was left, to be read and not to be worked on; an empty one
        where there is none."""
        with named_errors(self.shown):
            with self._engine.connect() as connection:
                query = select(runs).where(runs.c.identity == identity.hash)
                row = connection.execute(query).first()
            key, state = (row.key, row.state) if row is not None else (_NO_RUN, "open")
            nobody = Owner(pid=0, host="", since="")
            return OpenRun(self._engine, self.shown, key, identity.id, state, nobody, retry=retry)

    def runs(self) -> list[RunInfo]:
        """All runs, the newest last."""
        return self._infos(select(runs).order_by(runs.c.key))

    def find(self, name: str) -> RunInfo:
        """The run of this id, of an id that begins so, or the newest for ``last``."""
        with named_errors(self.shown), self._engine.connect() as connection:
            there = list(connection.scalars(select(runs.c.id).order_by(runs.c.key)))
        if not there:
            raise NoSuchRun(f"store {self.shown}: holds no runs yet")
        found = [one for one in there if one.startswith(name)] if name != "last" else there[-1:]
        if len(found) != 1:
            what = f"{len(found)} runs begin so" if found else "no such run"
            known = ", ".join((found or there)[-5:])
            raise NoSuchRun(f"run {name[:40]!r}: {what}; there are: {known}")
        return self._infos(select(runs).where(runs.c.id == found[0]))[0]

    def _infos(self, query: Select[Any]) -> list[RunInfo]:
        with named_errors(self.shown), self._engine.connect() as connection:
            rows = connection.execute(query).all()
            counted = (
                select(verdicts.c.run, verdicts.c.status, func.count())
                .where(verdicts.c.run.in_([row.key for row in rows]))
                .group_by(verdicts.c.run, verdicts.c.status)
            )
            counts: dict[int, dict[str, int]] = {row.key: {} for row in rows}
            for run, status, count in connection.execute(counted):
                counts[run][status] = count
            now = connection.scalar(select(seconds_now())) or 0
            return [_info(row, counts[row.key], now) for row in rows]

    def verdicts(
        self,
        run: RunInfo,
        *,
        status: str | None = None,
        failed: bool | None = None,
        left_open: bool | None = None,
        limit: int | None = None,
    ) -> Iterator[str]:
        """The run's verdicts as JSON lines, by position, one at a time in memory.

        ``failed``: only those of which something failed, or nothing. ``left_open``: only those that
        were skipped for want of budget, or the others.
        """
        wanted = [verdicts.c.run == run.key]
        if status is not None:
            wanted.append(verdicts.c.status == status)
        if failed is not None:
            wanted.append(verdicts.c.failed != 0 if failed else verdicts.c.failed == 0)
        if left_open is not None:
            f = verdicts.c.failed
            wanted.append(f == LEFT_OPEN if left_open else f != LEFT_OPEN)
        query = select(verdicts.c.body).where(*wanted).order_by(verdicts.c.position)
        return self._stream(query.limit(limit) if limit is not None else query)

    def asked(self, run: RunInfo | OpenRun) -> list[Asked]:
        """What each of the run's models was really asked; replies of other runs cost it nothing."""
        r = replies.c
        sums = (
            select(
                r.model,
                func.count(),
                func.count(r.repairs),
                *(func.sum(r[name]) for name in Usage.model_fields),
            )
            .where(r.run == run.key)
            .group_by(r.model)
        )
        with named_errors(self.shown), self._engine.connect() as connection:
            found = [
                Asked(
                    model,
                    count - repairs,
                    # PostgreSQL's sums are decimals
                    Usage(**dict(zip(Usage.model_fields, map(int, spent), strict=True))),
                )
                for model, count, repairs, *spent in connection.execute(sums)
            ]
        return sorted(found)  # databases have orders of their own

    def verdicts_of(self, run: RunInfo, case: str) -> list[str]:
        """The verdicts on the case of this id; without one, that at this position."""
        case, _ = make_safe(case)  # as ids are when they are read
        by_id = self._where(run, verdicts.c.case_id == case)
        if by_id or not case.isdecimal() or len(case) > 18:
            return by_id
        return self._where(run, verdicts.c.position == int(case))

    def _where(self, run: RunInfo, wanted: ColumnElement[bool]) -> list[str]:
        query = select(verdicts.c.body).where(and_(verdicts.c.run == run.key, wanted))
        return list(self._stream(query.order_by(verdicts.c.position)))

    def near(self, run: RunInfo, case: str, most: int = 5) -> list[str]:
        """Ids of cases whose name holds ``case``, or begins like it."""
        case, _ = make_safe(case)
        like = or_(
            verdicts.c.case_id.icontains(case, autoescape=True),
            verdicts.c.case_id.istartswith(case[:3], autoescape=True),
        )
        query = select(verdicts.c.case_id).where(verdicts.c.run == run.key, like)
        return list(self._stream(query.order_by(verdicts.c.position).limit(most)))

    def _stream(self, query: Select[Any]) -> Iterator[str]:
        with named_errors(self.shown), self._engine.connect() as connection:
            found = connection.execution_options(yield_per=256).execute(query)
            # whoever reads may have enough before the end: what is left open ends with the store
            self._reading[found] = connection
            try:
                for (value,) in found:
                    yield value
            finally:
                found.close()
                self._reading.pop(found, None)


def _row(identity: Identity) -> dict[str, Any]:
    shard = identity.shard
    part = shard and {"index": shard.index, "count": shard.count, "whole": identity.whole.hash}
    return {
        "id": identity.id,
        "identity": identity.hash,
        "judge": identity.judge,
        "judge_version": identity.judge_version,
        "options": json.dumps(identity.options),
        "method": identity.method,
        "models": json.dumps(identity.models),
        "asking": json.dumps(identity.asking),
        "inputs": json.dumps(identity.inputs),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "state": "open",
        "shard": part and json.dumps(part),
        "origin": identity.origin and identity.origin.model_dump_json(),
    }


def _info(row: Any, counts: dict[str, int], now: int) -> RunInfo:
    state = row.state
    if state != "complete":
        owner = Owner.of_json(row.owner) if row.owner else None
        live = owner is not None and owner.alive(row.heartbeat, now)
        state = "running" if live else "interrupted"
    shard = json.loads(row.shard) if row.shard else None
    return RunInfo(
        key=row.key,
        id=row.id,
        judge=row.judge,
        judge_version=row.judge_version,
        options=json.loads(row.options),
        method=row.method,
        models=tuple(json.loads(row.models)),
        asking=json.loads(row.asking),
        inputs=tuple(json.loads(row.inputs)),
        created=row.created,
        state=state,
        counts=counts,
        shard=shard and Shard(shard["index"], shard["count"]),
        origin=Origin.model_validate_json(row.origin) if row.origin else None,
    )
