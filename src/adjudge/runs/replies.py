"""The store as the clients' cache: every reply of the run, the good ones of all others."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from sqlalchemy import Engine, or_, select

from adjudge.contract import ReplyStatus, Usage
from adjudge.models import StoredReply
from adjudge.runs.database import named_errors
from adjudge.runs.schema import replies
from adjudge.runs.seen import Seen
from adjudge.runs.writer import BATCH_ROWS, MOST_WAITING, Row, Writer

_RECENT = MOST_WAITING + 2 * BATCH_ROWS
"""More than the writer can have taken on and not yet committed."""


class StoredReplies:
    """Keeps replies as they arrive; what ``put`` has taken on is committed within 100 ms.

    Which keys there are is known from the start (some 16 bytes each): a question which is new costs
    no look-up. With ``retry`` the run's own failures are given up: all that is not ok, less what a
    repair turn has put right. So are questions that were given up for want of budget. What these
    took is handed back with status ``skipped``, so that it is not forgotten. Without a ``writer``
    they are only read.
    """

    def __init__(
        self,
        engine: Engine,
        shown: str,
        run: int,
        writer: Writer | None,
        models: Collection[str],
        *,
        retry: bool = False,
    ) -> None:
        self._engine = engine
        self._shown = shown
        self._run = run
        self._writer = writer
        self._known = Seen()
        self._again: set[str] = set()
        self._recent: OrderedDict[str, StoredReply] = OrderedDict()
        self._load(models, retry)

    def may_have(self, key: str) -> bool:
        """Whether there may be a reply."""
        return key in self._known

    async def get_many(self, keys: Sequence[str]) -> Mapping[str, StoredReply]:
        """The replies there are, by key; the run's own before those of others."""
        found = {key: self._recent[key] for key in keys if key in self._recent}
        wanted = [key for key in keys if key not in found]
        if wanted:
            found.update(await asyncio.to_thread(self._select, wanted))
        return found

    async def put(self, key: str, reply: StoredReply) -> None:
        """Keep one reply."""
        meta = {name: value for name, value in reply.meta.items() if name != "repairs"}
        row: Row = {
            "run": self._run,
            "key": key,
            "model": reply.model,
            "status": reply.status,
            "reason": reply.reason,
            "text": reply.text,
            **dict(reply.usage),
            "repairs": reply.meta.get("repairs"),
            "meta": json.dumps(meta),
        }
        assert self._writer is not None, "these replies are only to be read"
        with named_errors(self._shown):
            await self._writer.put_soon(replies, row, replace=key in self._known)
        self._known.add(key)
        (self._again.add if reply.status == "skipped" else self._again.discard)(key)
        self._recent[key] = reply
        if len(self._recent) > _RECENT:
            self._recent.popitem(last=False)

    def _load(self, models: Collection[str], retry: bool) -> None:
        repaired: set[str] = set()
        r = replies.c
        usable = r.model.in_(models), or_(r.run == self._run, r.status == "ok")
        keys = select(r.key, r.run, r.status, r.repairs).where(*usable)
        with named_errors(self._shown), self._engine.connect() as connection:
            for row in connection.execution_options(yield_per=1024).execute(keys):
                self._known.add(row.key)
                if row.run == self._run and (retry or row.status == "skipped"):
                    if row.status != "ok":
                        self._again.add(row.key)
                    elif row.repairs is not None:
                        repaired.add(row.repairs)
        self._again -= repaired

    def _select(self, keys: list[str]) -> dict[str, StoredReply]:
        r = replies.c
        usable = select(replies).where(r.key.in_(keys), or_(r.run == self._run, r.status == "ok"))
        found: dict[str, StoredReply] = {}
        given_up: dict[str, StoredReply] = {}
        with named_errors(self._shown), self._engine.connect() as connection:
            for row in connection.execute(usable):
                own = row.run == self._run
                if own and row.key in self._again:
                    given_up[row.key] = replace(_reply(row), status="skipped")
                elif own or row.key not in found:
                    found[row.key] = _reply(row)
        return {**given_up, **found}


def _reply(row: Any) -> StoredReply:
    meta = json.loads(row.meta)
    if row.repairs is not None:
        meta["repairs"] = row.repairs
    usage = Usage(**{name: getattr(row, name) for name in Usage.model_fields})
    return StoredReply(row.model, cast(ReplyStatus, row.status), row.text, row.reason, usage, meta)
