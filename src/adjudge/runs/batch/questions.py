"""Which questions of a run were written into batch files, and what is known of them."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from adjudge.contract import Usage
from adjudge.runs.database import named_errors
from adjudge.runs.schema import replies
from adjudge.runs.seen import Seen
from adjudge.runs.store import RunInfo, Store

WAITING = "batch: no result yet"
"""The reason of a reply that is to come."""

_CHUNK = 500
_KEY = re.compile("[0-9a-f]{64}")


class Asked(NamedTuple):
    """A question that the run has asked: which model, and whether there is a reply."""

    model: str
    answered: bool


class Failed(NamedTuple):
    """A question whose result is an error: why, and the part of the request (``temperature`` …)
    that the endpoint does not know, if that is it."""

    key: str
    model: str
    reason: str
    unknown: str | None = None


class Written(NamedTuple):
    """Questions to one model that are in files, and what was left out of the requests."""

    model: str
    keys: Iterable[str]
    without: Collection[str] = ()


class BatchQuestions:
    """The written questions of one run.

    Each is a row among the run's replies with status ``skipped``, which is no reply to anybody:
    who looks for one asks. Its reason is ``WAITING`` or, where the result was an error, that
    error. The reply takes the row's place.
    """

    def __init__(self, store: Store, run: RunInfo) -> None:
        self._engine = store.engine
        self._shown = store.shown
        self._run = run.key

    def waiting(self) -> Seen:
        """The keys of those whose results are to come."""
        r = replies.c
        mine = r.run == self._run, r.status == "skipped", r.reason == WAITING
        keys = Seen()
        with named_errors(self._shown), self._engine.connect() as connection:
            rows = connection.execution_options(yield_per=1024).execute(select(r.key).where(*mine))
            for (key,) in rows:
                keys.add(key)
        return keys

    def without(self, model: str) -> frozenset[str]:
        """What this model's endpoint turned out not to know (``temperature`` …)."""
        r = replies.c
        metas = select(r.meta).where(r.run == self._run, r.model == model).distinct()
        with named_errors(self._shown), self._engine.connect() as connection:
            there = [json.loads(meta) for meta in connection.scalars(metas)]
        return frozenset(part for meta in there for part in meta.get("without", ()))

    def wait(self, written: Iterable[Written]) -> None:
        """The results of these are to come: of all or, where the store fails, of none."""
        with named_errors(self._shown), self._engine.begin() as connection:
            for model, keys, without in written:
                rows = (self._row(model, key, WAITING, without) for key in keys)
                self._replace(connection, rows)

    def find(self, keys: Collection[str]) -> dict[str, Asked]:
        """Those of ``keys`` that the run has asked."""
        r = replies.c
        keys = [key for key in keys if _KEY.fullmatch(key)]  # a provider may say anything
        query = select(r.key, r.model, r.status).where(r.run == self._run, r.key.in_(keys))
        with named_errors(self._shown), self._engine.connect() as connection:
            return {
                key: Asked(model, status != "skipped")
                for key, model, status in connection.execute(query)
            }

    def fail(self, failures: Iterable[Failed]) -> None:
        """Keep why these have no reply, so far as they still have none."""
        r = replies.c
        mine = r.run == self._run, r.status == "skipped", r.key == bindparam("failed")
        changed = (
            update(replies).where(*mine).values(reason=bindparam("why"), meta=bindparam("more"))
        )
        rows = [
            {"failed": one.key, "why": one.reason, "more": _meta([one.unknown or ""])}
            for one in failures
        ]
        with named_errors(self._shown), self._engine.begin() as connection:
            connection.execute(changed, rows)

    def _row(self, model: str, key: str, reason: str, without: Collection[str]) -> dict[str, Any]:
        return {
            "run": self._run,
            "key": key,
            "model": model,
            "status": "skipped",
            "reason": reason,
            "text": None,
            **dict(Usage()),
            "repairs": None,
            "meta": _meta(without),
        }

    def _replace(self, connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
        """A question that got its reply meanwhile keeps it."""
        rows = iter(rows)
        r = replies.c
        while some := list(itertools.islice(rows, _CHUNK)):
            mine = r.run == self._run, r.key.in_([row["key"] for row in some])
            connection.execute(delete(replies).where(*mine, r.status == "skipped"))
            answered = set(connection.scalars(select(r.key).where(*mine)))
            left = [row for row in some if row["key"] not in answered]
            if left:
                connection.execute(insert(replies), left)


def _meta(without: Collection[str]) -> str:
    parts = sorted(part for part in without if part)
    return json.dumps({"without": parts} if parts else {})
