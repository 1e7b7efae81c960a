"""From a question to a reply: cache, single flight, limits, transport, parsing, one repair turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pydantic import BaseModel

from adjudge.contract import JsonObject, Question, Reply, Usage
from adjudge.models.budget import Gate
from adjudge.models.cache import Lookups, ReplyCache, StoredReply
from adjudge.models.flight import Flight
from adjudge.models.forms import form_of
from adjudge.models.keys import Endpoint, request_key
from adjudge.models.limits import Limiter
from adjudge.models.parsing import parse, safe
from adjudge.models.prices import Prices
from adjudge.models.repair import repair
from adjudge.models.sending import Sender
from adjudge.models.transport import ModelFailure, ModelRequest, Sampling, Transport
from adjudge.models.warmth import shared_beginning
from adjudge.observing import Asked, Ended, Exchanges, exchange

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
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def usage(self) -> Usage:
        """Requests and tokens as one record."""
        return Usage(
            calls=self.calls,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cache_read_tokens=self.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens,
        )

    def add(self, usage: Usage) -> None:
        """Count what one request used."""
        self.calls += usage.calls
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.cache_read_tokens += usage.cache_read_tokens
        self.cache_write_tokens += usage.cache_write_tokens


class ModelClient:
    """Answers questions with one model.

    ``transport`` is any object with ``async def send(request)``; ``endpoint`` names it in keys and
    records, ``name`` is that as ``PROVIDER:NAME``. ``samples`` says how often each question will be
    asked. ``sending`` goes to ``Sender``: ``limiter``, ``retry``, and ``clock``, ``sleep`` and
    ``draw`` for time and chance. A client belongs to the event loop it is first used in.

    >>> from adjudge.models import ModelResponse
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
        prices: Prices | None = None,
        samples: int = 1,
        **sending: Any,
    ) -> None:
        self.endpoint = endpoint or Endpoint("python", type(transport).__qualname__)
        self.name = str(self.endpoint)
        self.sampling = sampling
        self._samples = samples
        self.spent = Spent()
        self.transport = transport
        self._sender = Sender(transport, **sending)
        self._cache: ReplyCache | None = None
        self._lookups: Lookups | None = None
        if cache is not None:
            self.keep_in(cache)
        self.price = (prices or Prices.load()).price(self.name)
        self._flight: Flight[Reply] = Flight()

    async def __aenter__(self) -> ModelClient:
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.aclose()

    @property
    def limiter(self) -> Limiter:
        """What holds back its requests."""
        return self._sender.limiter

    def stand_before(self, gate: Gate | None) -> None:
        """Have ``gate`` asked before every request, or nobody."""
        self._sender.gate = gate

    def keep_in(self, cache: ReplyCache) -> None:
        """From now on look for replies in ``cache``, and keep them there."""
        self._cache = cache
        self._lookups = Lookups(cache)

    async def aclose(self) -> None:
        """Close the transport, where it can be closed (``aclose``)."""
        close = getattr(self.transport, "aclose", None)
        if close is not None:
            await close()

    def cost(self, usage: Usage) -> float | None:
        """What ``usage`` costs in US dollars; ``None`` where the model's price is not known."""
        if usage.calls == 0:
            return 0.0
        return self.price.of(usage) if self.price else None

    async def ask(self, question: Question, sample: int = 0, *, shared: int = 0) -> Reply:
        """The reply to one question. A failure of the model is a reply with its status; only a
        cache that fails raises.

        A reply is the same however it was come by (asked, shared, from the cache), so its
        ``usage`` says what the answer took, and ``spent`` what this client really asked for. So
        many characters of the last message as ``shared`` says stand in other questions as well.
        """
        if self._samples > 1:
            shared = len(question.messages[-1].content)
        self.spent.questions += 1
        request = ModelRequest(
            question.messages, form_of(question.form), self.sampling, sample, shared
        )
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
        shared = shared_beginning([question.messages for question in asked])
        replies = await asyncio.gather(
            *(self.ask(question, sample, shared=shared) for question in asked)
        )
        return {question.key: reply for question, reply in zip(asked, replies, strict=True)}

    async def _ask(self, request: ModelRequest, key: str) -> Reply:
        first, value = await self._answer(request, key)
        if first.status != "invalid":
            return self._reply(key, first, value)
        again = repair(request, first.text or "", first.reason or "")
        second, value = await self._answer(again, request_key(self.endpoint, again), repairs=key)
        return self._reply(key, second, value, before=first)

    def _reply(
        self,
        key: str,
        last: StoredReply,
        value: BaseModel | None,
        before: StoredReply | None = None,
    ) -> Reply:
        """The last answer, with what the one before it took."""
        usage, text = last.usage, last.text
        meta: JsonObject = {"key": key, **last.meta}
        if before is not None:
            usage = before.usage + last.usage
            meta["repaired"] = before.reason
            text = before.text if text is None else text
        cost = self.cost(usage)
        if cost is not None:
            meta["cost_usd"] = cost
        return Reply(
            status=last.status, value=value, text=text, reason=last.reason, usage=usage, meta=meta
        )

    async def _answer(
        self, request: ModelRequest, key: str, repairs: str | None = None
    ) -> tuple[StoredReply, BaseModel | None]:
        """What one request comes to, from the cache or from the endpoint."""
        before: Usage | None = None
        if self._lookups is not None:
            stored = await self._lookups.get(key)
            if stored is not None and stored.status == "skipped":
                before = stored.usage
            elif stored is not None:
                parsed = parse(stored.text or "", request.form) if stored.status == "ok" else None
                if parsed is None or parsed.status == "ok":
                    self.spent.cached += 1
                    return stored, parsed.value if parsed else None
        stored, value = await self._observed(request, key)
        if repairs is not None:
            stored.meta["repairs"] = repairs
        self.spent.add(stored.usage)
        if stored.status == "skipped" and not stored.usage.calls:
            return stored, None
        if before is not None:
            stored = replace(stored, usage=before + stored.usage)
        if self._cache is not None:
            await self._cache.put(key, stored)
        return stored, value

    async def _observed(
        self, request: ModelRequest, key: str
    ) -> tuple[StoredReply, BaseModel | None]:
        heard = exchange(lambda: self._asked(request, key))
        ended: Callable[[], Ended] | None = None
        try:
            stored, value = await self._send(request, heard)
            ended = partial(_ended, stored)
            return stored, value
        finally:
            heard.ended(ended)

    def _asked(self, request: ModelRequest, key: str) -> Asked:
        sampling = request.sampling
        return Asked(
            key=key,
            provider=self.endpoint.kind,
            model=self.endpoint.model,
            server=getattr(self.transport, "server", None),
            temperature=sampling.temperature,
            max_tokens=sampling.max_tokens,
            seed=request.seed,
            messages=request.messages,
        )

    async def _send(
        self, request: ModelRequest, heard: Exchanges
    ) -> tuple[StoredReply, BaseModel | None]:
        """What the endpoint answers, read by the form."""
        sent = await self._sender.send(request, heard)
        outcome = sent.outcome
        meta: JsonObject = {"failed": list(sent.failed)} if sent.failed else {}
        if isinstance(outcome, ModelFailure):
            raw = safe(outcome.raw[:RAW_KEPT]) if outcome.raw else None
            reason = safe(outcome.reason)
            return StoredReply(self.name, outcome.status, raw, reason, sent.usage, meta), None
        meta["finish"] = outcome.finish
        if outcome.without:
            meta["without"] = list(outcome.without)
        text, form = safe(outcome.text), request.form
        parsed = parse(text, form, finish=outcome.finish, refusal=outcome.refusal)
        # of a refusal or a cut without words the body is kept; an empty answer is an answer
        kept = text if text or parsed.status in ("ok", "invalid") else safe(outcome.raw or "")
        stored = StoredReply(self.name, parsed.status, kept, parsed.reason, sent.usage, meta)
        return stored, parsed.value


def _ended(stored: StoredReply) -> Ended:
    answered = "finish" in stored.meta
    return Ended(
        status=stored.status,
        reason=stored.reason,
        error=None if answered else str(stored.meta["failed"][-1]),
        finish=stored.meta.get("finish"),
        usage=stored.usage,
        text=stored.text,
    )
