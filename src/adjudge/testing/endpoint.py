"""A small HTTP server that stands for a model, well-behaved or not."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, cast

from aiohttp import web

from adjudge.contract import JsonObject
from adjudge.models.dialects.base import SCHEMA_PROMPT
from adjudge.testing.fault import Answer, Error, Fault, Play
from adjudge.testing.faults import FAULTS
from adjudge.testing.rate_limit import RateLimit
from adjudge.testing.wire import (
    PATHS,
    DialectName,
    Said,
    dumps,
    minimal,
    schema_of,
    text_of,
    write,
    write_error,
)


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came. ``question`` names what was asked, the same in every retry and
    repair turn; ``nth`` counts the requests of that question, from 0."""

    dialect: DialectName
    body: JsonObject
    question: str
    nth: int
    key: str | None = field(repr=False)
    connection: int

    @property
    def prompt(self) -> str:
        """The text of the last user message."""
        users = [m["content"] for m in self.body["messages"] if m["role"] == "user"]
        return text_of(users[-1]) if users else ""


Scripted = str | Mapping[str, Any]
Script = Scripted | Sequence[Scripted] | Callable[[Received], Scripted] | None


class MisbehavingEndpoint:
    """A server on this machine that answers as scripted and misbehaves as told.

    ``answer`` is one answer, a sequence of them (by request of a question, the last repeats), a
    function of the request, or ``None``: the least answer that the request's schema allows.
    ``fault`` is a name in ``FAULTS`` or a ``Fault``; every fault is also there under a URL of its
    own, see ``url_of``. ``latency`` is in seconds. What is above ``rate_limit`` is refused at once
    with 429. ``requests`` keeps what came.

    Use it with ``async with``, or with ``with`` to have it run in a thread:

    >>> with MisbehavingEndpoint({"score": 4}, fault="fence") as endpoint:
    ...     endpoint.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        answer: Script = None,
        *,
        fault: str | Fault | None = None,
        latency: float = 0.0,
        rate_limit: RateLimit | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.answer = answer
        self.fault = fault
        self.latency = latency
        self.rate_limit = rate_limit
        self.requests: list[Received] = []
        self._asked: Counter[tuple[str, str]] = Counter()
        self._host = host
        self._port = port
        self._runner: web.AppRunner | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        """The base URL to give to a client of either dialect."""
        return f"http://{self._host}:{self._port}/v1"

    def url_of(self, fault: str) -> str:
        """The base URL under which the endpoint misbehaves in one way; ``KeyError`` if unknown."""
        return f"http://{self._host}:{self._port}/faults/{FAULTS[fault].name}/v1"

    @property
    def connections(self) -> int:
        """How many connections the requests came over."""
        return len({received.connection for received in self.requests})

    @property
    def asked(self) -> Counter[str]:
        """How many requests each question came to."""
        return Counter(received.question for received in self.requests)

    async def __aenter__(self) -> MisbehavingEndpoint:
        application = web.Application(client_max_size=2**28)
        application.router.add_post("/v1{path:/.+}", self._handle)
        application.router.add_post("/faults/{fault}/v1{path:/.+}", self._handle)
        runner = web.AppRunner(
            application, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await runner.setup()
        site = web.TCPSite(runner, self._host, self._port)
        await site.start()
        self._port = runner.addresses[0][1]
        self._runner = runner
        return self

    async def __aexit__(self, *problem: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def __enter__(self) -> MisbehavingEndpoint:
        started = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(started,), daemon=True)
        self._thread.start()
        started.wait()
        return self

    def __exit__(self, *problem: object) -> None:
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _serve(self, started: threading.Event) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            self._loop.run_until_complete(self.__aenter__())
            started.set()
            self._loop.run_forever()
            self._loop.run_until_complete(self.__aexit__())

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        dialect = PATHS.get(request.match_info["path"])
        if dialect is None:
            raise web.HTTPNotFound(text=json.dumps(write_error("openai", "no such path")))
        fault = self._fault(request.match_info.get("fault"))
        body = await request.json()
        received = self._receive(request, dialect, body, fault)
        refusal, headers = self._limited(dialect)
        if self.latency and refusal is None:
            await asyncio.sleep(self.latency)
        met = fault.play if fault and fault.meets(body, received.nth) else Play()
        play = refusal or met
        raw = self._raw(play, received)
        return await _perform(request, replace(play, headers={**play.headers, **headers}), raw)

    def _limited(self, dialect: DialectName) -> tuple[Play | None, dict[str, str]]:
        """The refusal, if the limit asks for one, and what the limit has every answer say."""
        if self.rate_limit is None:
            return None, {}
        found = self.rate_limit.admit(monotonic())
        headers = dict(found.headers(dialect)) if self.rate_limit.headers else {}
        if found.admitted:
            return None, headers
        if self.rate_limit.retry_after:
            headers["Retry-After"] = str(math.ceil(found.retry_after))
        error = Error("Rate limit reached", "rate_limit_error", "rate_limit_exceeded")
        return Play(429, error=error), headers

    def _fault(self, name: str | None) -> Fault | None:
        if name is None:
            return FAULTS[self.fault] if isinstance(self.fault, str) else self.fault
        if name not in FAULTS:
            known = ", ".join(FAULTS)
            raise web.HTTPNotFound(text=f"there is no fault {name!r}; there are {known}")
        return FAULTS[name]

    def _receive(
        self, request: web.Request, dialect: DialectName, body: JsonObject, fault: Fault | None
    ) -> Received:
        question = _question(body)
        scope = (request.path, question)
        key = request.headers.get("x-api-key") or request.headers.get("Authorization")
        received = Received(dialect, body, question, self._asked[scope], key, _port(request))
        self._asked[scope] += 1
        self.requests.append(received)
        return received

    def _raw(self, play: Play, received: Received) -> bytes:
        if play.body is not None:
            return play.body.encode() if isinstance(play.body, str) else play.body
        if play.error is not None:
            error = play.error
            words = error.message.replace("{key}", received.key or "")
            told = write_error(
                received.dialect, words, kind=error.kind, code=error.code, param=error.param
            )
            return json.dumps(told).encode()
        answer = self._answer(received)
        text = answer if isinstance(answer, str) else dumps(answer)
        if play.text is not None:
            text = play.text(json.loads(answer) if isinstance(answer, str) else answer)
        said = Said(text, play.finish, play.refusal, play.reasoning, play.as_parts)
        body: Any = write(received.dialect, str(received.body.get("model")), said)
        if play.edit is not None:
            body = play.edit(body)
        # a surrogate such as \\udcff stands for the byte ff, which is no UTF-8
        raw = dumps(body).encode("utf-8", "surrogateescape")
        return play.spoil(raw) if play.spoil is not None else raw

    def _answer(self, received: Received) -> str | Answer:
        script = self.answer
        if script is None:
            return cast(Answer, minimal(schema_of(received.body) or {"type": "object"}))
        if callable(script):
            script = script(received)
        if isinstance(script, str):
            return script
        if isinstance(script, Mapping):
            return dict(script)
        chosen = script[min(received.nth, len(script) - 1)]
        return chosen if isinstance(chosen, str) else dict(chosen)


def _port(request: web.Request) -> int:
    """The client's port, which names the connection."""
    name = request.transport.get_extra_info("peername") if request.transport else None
    return int(name[1]) if name else 0


def _question(body: JsonObject) -> str:
    """The hash of what is asked, whether the schema stands in the prompt and how often."""
    told = [text_of(body.get("system"))]
    for message in body["messages"]:
        if message["role"] == "assistant":
            break
        told.append(text_of(message["content"]).partition(SCHEMA_PROMPT)[0])
    return hashlib.sha256("\0".join(told).encode("utf-8", "replace")).hexdigest()[:16]


async def _perform(request: web.Request, play: Play, raw: bytes) -> web.StreamResponse:
    if play.before:
        await asyncio.sleep(play.before)
    headers = {name: v if isinstance(v, str) else v() for name, v in play.headers.items()}
    transport = request.transport
    if play.cut == "before" and transport is not None:
        transport.close()
        return web.Response()
    if not play.cut and not play.within:
        return web.Response(status=play.status, headers=headers, body=raw)
    response = web.StreamResponse(status=play.status, headers=headers)
    response.content_length = len(raw)
    await response.prepare(request)
    await response.write(raw[: len(raw) // 2])
    if play.cut and transport is not None:
        if play.cut == "half" and isinstance(transport, asyncio.Transport):
            transport.write_eof()
            await asyncio.sleep(0.05)
        transport.abort()
        return response
    await asyncio.sleep(play.within)
    await response.write(raw[len(raw) // 2 :])
    return response
