"""Replies that are already there: what is kept of one, and who keeps it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from adjudge.contract import JsonObject, ReplyStatus, Usage


@dataclass(frozen=True, slots=True)
class StoredReply:
    """What one request to ``model`` (``PROVIDER:NAME``) came to, in plain data.

    ``text`` is what the model wrote, or the body where it wrote nothing; of an ``ok`` reply it is
    enough to make the value again. A repair turn is a request of its own with a key of its own;
    ``meta["repairs"]`` is the key of the reply that it puts right.
    """

    model: str
    status: ReplyStatus
    text: str | None
    reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    meta: JsonObject = field(default_factory=dict)


class ReplyCache(Protocol):
    """Keeps replies by key.

    Which replies are given back is for the cache to say: any within the run that paid for them,
    only ``ok`` ones across runs. One that is ``skipped`` was given up: it is asked for again, and
    what it took is added to what the answer takes. ``put`` is called as each reply arrives. A
    cache that has a method
    ``may_have(key)`` as well is asked for no key of which it says ``False``.
    """

    async def get_many(self, keys: Sequence[str]) -> Mapping[str, StoredReply]:
        """The replies there are, by key."""
        ...

    async def put(self, key: str, reply: StoredReply) -> None:
        """Keep one reply."""
        ...


class MemoryCache:
    """Keeps replies in this process, at most the ``most`` newest; gives back every reply but an
    ``error``."""

    def __init__(self, most: int | None = None) -> None:
        self.replies: dict[str, StoredReply] = {}
        self._most = most

    def may_have(self, key: str) -> bool:
        """Whether there may be a reply."""
        return key in self.replies

    async def get_many(self, keys: Sequence[str]) -> Mapping[str, StoredReply]:
        """The replies there are, by key."""
        found = {key: self.replies[key] for key in keys if key in self.replies}
        return {key: reply for key, reply in found.items() if reply.status != "error"}

    async def put(self, key: str, reply: StoredReply) -> None:
        """Keep one reply."""
        self.replies.pop(key, None)
        self.replies[key] = reply
        if self._most is not None and len(self.replies) > self._most:
            del self.replies[next(iter(self.replies))]


class Lookups:
    """Gathers the keys asked for in one turn of the event loop into one ``get_many``."""

    def __init__(self, cache: ReplyCache) -> None:
        self._cache = cache
        self._may_have: Callable[[str], bool] | None = getattr(cache, "may_have", None)
        self._wanted: dict[str, asyncio.Future[StoredReply | None]] = {}
        self._under_way: set[asyncio.Task[None]] = set()

    async def get(self, key: str) -> StoredReply | None:
        """The reply kept under ``key``, if there is one."""
        if self._may_have is not None and not self._may_have(key):
            return None
        loop = asyncio.get_running_loop()
        if not self._wanted:
            task = loop.create_task(self._fetch())
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        # two askers of one key are already one: see Flight
        wanted = self._wanted.setdefault(key, loop.create_future())
        return await wanted

    async def _fetch(self) -> None:
        wanted, self._wanted = self._wanted, {}
        try:
            found = await self._cache.get_many(list(wanted))
        except Exception as problem:
            for future in wanted.values():
                if not future.done():
                    future.set_exception(problem)
            return
        for key, future in wanted.items():
            if not future.done():
                future.set_result(found.get(key))
