"""From a question to a reply: cache, single flight, limits, transport, parsing, one repair turn."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pydantic import BaseModel

from adjudge.contract import JsonObject, Question, Reply, ReplyStatus, Usage
from adjudge.models.cache import Lookups, ReplyCache, StoredReply
from adjudge.models.flight import Flight
from adjudge.models.forms import form_of
from adjudge.models.keys import Endpoint, request_key
from adjudge.models.limits import Limiter
from adjudge.models.parsing import parse
from adjudge.models.prices import Prices
from adjudge.models.repair import repair
from adjudge.models.retry import Retry
from adjudge.models.transport import ModelFailure, ModelRequest, ModelResponse, Sampling, Transport

RAW_KEPT = 20_000
"""Of a body that is no reply so many characters are kept."""


@dataclass(slots=True)
class Spent:
    """What a client has asked for since it was made: questions, those answered from the cache or
    together with another, and the requests and tokens that the endpoint was really asked for."""

    questions: int = 0
    cached: int = 0
    shared: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def usage(self) -> Usage:
        """Requests and tokens as one record."""
        return Usage(
            calls=self.calls, input_tokens=self.input_tokens, output_tokens=self.output_tokens
        )

    def add(self, usage: Usage) -> None:
        """Count what one request used."""
        self.calls += usage.calls
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens


class ModelClient:
    """Answers questions with one model.

    ``transport`` is any object with ``async def send(request)``; ``endpoint`` names it in keys and
    records. ``clock``, ``sleep`` and ``draw`` stand for time and chance in retries. A client
    belongs to the event loop it is first used in.

    >>> class Parrot:
    ...     async def send(self, request):
    ...         return ModelResponse('{"score": 3}')
    >>> class Mark(BaseModel):
    ...     score: int
    >>> question = Question(key="mark", messages=({"role": "user", "content": "?"},), form=Mark)
    >>> reply = asyncio.run(ModelClient(Parrot(), Endpoint("python", "parrot")).ask(question))
    >>> reply.status, reply.value
    ('ok', Mark(score=3))
    """

    def __init__(
        self,
        transport: Transport,
        endpoint: Endpoint | None = None,
        *,
        sampling: Sampling = Sampling(),
        cache: ReplyCache | None = None,
        limiter: Limiter | None = None,
        retry: Retry = Retry(),
        prices: Prices | None = None,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self.endpoint = endpoint or Endpoint("python", type(transport).__qualname__)
        self.sampling = sampling
        self.spent = Spent()
        self._transport = transport
        self._cache = cache
        self._lookups = Lookups(cache) if cache is not None else None
        self._limiter = limiter or Limiter(clock=clock, sleep=sleep)
        self._retry = retry
        self._prices = prices
        self._clock = clock
        self._sleep = sleep
        self._draw = draw
        self._flight: Flight[Reply] = Flight()

    @property
    def name(self) -> str:
        """``PROVIDER:NAME``, as the user gave it."""
        return str(self.endpoint)

    async def __aenter__(self) -> ModelClient:
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the transport, where it can be closed (``aclose``)."""
        close = getattr(self._transport, "aclose", None)
        if close is not None:
            await close()

    def cost(self, usage: Usage) -> float | None:
        """What ``usage`` costs in US dollars; ``None`` where the model's price is not known."""
        if usage.calls == 0:
            return 0.0
        prices = self._prices or Prices.load()
        return prices.cost(self.name, usage)

    async def ask(self, question: Question, sample: int = 0) -> Reply:
        """The reply to one question; a failure is a reply with its status, never an exception.

        A reply is the same however it was come by (asked, shared, from the cache), so its
        ``usage`` says what the answer took, and ``spent`` what this client really asked for.
        """
        self.spent.questions += 1
        request = ModelRequest(question.messages, form_of(question.form), self.sampling, sample)
        key = request_key(self.endpoint, request)
        begun = False

        async def work() -> Reply:
            nonlocal begun
            begun = True
            return await self._ask(request, key)

        reply = await self._flight.run(key, work)
        if not begun:
            self.spent.shared += 1
        return reply

    async def ask_all(self, questions: Iterable[Question], sample: int = 0) -> dict[str, Reply]:
        """The replies to several questions at once, by the questions' keys."""
        asked = list(questions)
        if len(asked) == 1:
            return {asked[0].key: await self.ask(asked[0], sample)}
        replies = await asyncio.gather(*(self.ask(question, sample) for question in asked))
        return {question.key: reply for question, reply in zip(asked, replies, strict=True)}

    async def _ask(self, request: ModelRequest, key: str) -> Reply:
        first, value = await self._answer(request, key)
        if first.status != "invalid":
            return _reply(key, first, value)
        again = repair(request, first.text or "", first.reason or "")
        second, value = await self._answer(again, request_key(self.endpoint, again))
        return _reply(key, second, value, before=first)

    async def _answer(
        self, request: ModelRequest, key: str
    ) -> tuple[StoredReply, BaseModel | None]:
        """What one request comes to, from the cache or from the endpoint."""
        if self._lookups is not None:
            stored = await self._lookups.get(key)
            if stored is not None:
                parsed = parse(stored.text or "", request.form) if stored.status == "ok" else None
                if parsed is None or parsed.status == "ok":
                    self.spent.cached += 1
                    return stored, parsed.value if parsed else None
        stored, value = await self._send(request)
        self.spent.add(stored.usage)
        if self._cache is not None:
            await self._cache.put(key, stored)
        return stored, value

    async def _send(self, request: ModelRequest) -> tuple[StoredReply, BaseModel | None]:
        """Ask the endpoint, again where that can help."""
        # The place is kept while waiting to ask again: an endpoint in trouble is asked less. It is
        # given up before the answer is read: the next question goes out first.
        async with self._limiter.slot():
            outcome, usage, failed = await self._insist(request)
        await asyncio.sleep(0)
        if isinstance(outcome, ModelResponse):
            return _read(outcome, request, usage, failed)
        return _failed(outcome, usage, failed), None

    async def _insist(
        self, request: ModelRequest
    ) -> tuple[ModelResponse | ModelFailure, Usage, list[int | str]]:
        """The last outcome, what all attempts used, how those before it failed."""
        begun = self._clock()
        failed: list[int | str] = []
        usage: Usage | None = None
        while True:
            outcome = await self._attempt(request, begun)
            usage = outcome.usage if usage is None else usage + outcome.usage
            if isinstance(outcome, ModelResponse):
                return outcome, usage, failed
            failed.append(outcome.http_status or outcome.reason.partition(":")[0])
            if outcome.retryable and outcome.retry_after:
                self._limiter.hold(outcome.retry_after)
            spent = self._clock() - begun
            wait = self._retry.wait(outcome, len(failed), spent, self._draw)
            if wait is None:
                return outcome, usage, failed
            await self._sleep(wait)

    async def _attempt(self, request: ModelRequest, begun: float) -> ModelResponse | ModelFailure:
        left = self._retry.deadline - (self._clock() - begun)
        held = self._limiter.held()
        if held >= left:
            return ModelFailure(f"held: not to be asked for {held:.0f} s", usage=Usage())
        await self._limiter.turn()
        seconds = min(self._retry.timeout, left - held)
        try:
            async with asyncio.timeout(seconds):
                return await self._transport.send(request)
        except ModelFailure as problem:
            return problem
        except TimeoutError:
            return ModelFailure(f"timeout: no answer within {seconds:g} s", retryable=True)
        except OSError as problem:
            return ModelFailure(f"connection: {type(problem).__name__}", retryable=True)
        except Exception as problem:  # a user's transport may raise anything
            return ModelFailure(f"exception: {type(problem).__name__}: {problem}")


def _read(
    response: ModelResponse, request: ModelRequest, usage: Usage, failed: list[Any]
) -> tuple[StoredReply, BaseModel | None]:
    parsed = parse(response.text, request.form, finish=response.finish, refusal=response.refusal)
    meta: JsonObject = {"finish": response.finish}
    if response.without:
        meta["without"] = list(response.without)
    if failed:
        meta["failed"] = failed
    text = response.text
    if parsed.status != "ok" and not text:
        text = response.raw or ""
    return StoredReply(parsed.status, text, parsed.reason, usage, meta), parsed.value


def _failed(problem: ModelFailure, usage: Usage, failed: list[Any]) -> StoredReply:
    raw = problem.raw[:RAW_KEPT] if problem.raw else None
    return StoredReply(problem.status, raw, problem.reason, usage, {"failed": failed})


def _reply(
    key: str, last: StoredReply, value: BaseModel | None, before: StoredReply | None = None
) -> Reply:
    usage, reason, text = last.usage, last.reason, last.text
    meta: JsonObject = {"key": key, **last.meta}
    if before is not None:
        usage = before.usage + last.usage
        meta["repaired"] = before.reason
        if text is None:
            text = before.text
    status: ReplyStatus = last.status
    return Reply(status=status, value=value, text=text, reason=reason, usage=usage, meta=meta)
