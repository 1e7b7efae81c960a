"""The models that a run asks, and how: from what the user says to jurors."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from adjudge.contract import Fault, JsonObject, Usage
from adjudge.models import (
    PROVIDERS,
    Budget,
    Endpoint,
    Juror,
    Limiter,
    ModelClient,
    ModelSpec,
    Pace,
    Prices,
    ReplyCache,
    Retry,
    Sampling,
    Transport,
    connect,
    parse_model,
    shared_pace,
)
from adjudge.models.prices import VARIABLE
from adjudge.runs.stopping import Stop

CONCURRENCY = 32
"""Questions in flight at once at one endpoint."""

READY = 32
"""So many cases more are under way than can be asked about: their questions stand ready."""

_LOCAL = Retry(attempts=1, timeout=3600.0, deadline=3600.0)
_CLOSING_SECONDS = 1.0

Model = str | Transport | ModelClient
"""``PROVIDER:NAME``, any object with ``async def send(request)``, or a client."""


class BadAsking(Fault, ValueError):
    """A way of asking that makes no sense; the text says which setting and what it may be."""


class Asking(TypedDict, total=False):
    """How models are asked.

    ``model``: one or several (see ``Model``). ``base_url``: where the ``openai-compatible`` models
    are, one for all or one each; without such a model it is where the others are. ``samples``: so
    many opinions of each model. ``quorum``: how many opinions must be scored (default: more than
    half). ``temperature`` (default 0), ``max_output_tokens`` and ``seed`` (default: the endpoint's)
    shape the answers. ``concurrency``: at most so many questions in flight at once at one
    endpoint (default 32). ``rpm`` and ``tpm``: so many requests and tokens a minute at one endpoint
    (default: what it allows); all in this process who say the same share them.
    ``timeout`` and ``deadline``: seconds for a request (default 120), and for a question with all
    that is asked again (default 600). ``max_cost`` (US dollars) and ``max_tokens`` (read and
    written) are all that may be used: once they are, nothing more is asked, and cases that would
    need it are ``skipped`` with reason ``budget``. ``prices``: a file of prices, or the ``Prices``
    themselves.
    """

    model: Model | Sequence[Model] | None
    base_url: str | Sequence[str] | None
    samples: int
    quorum: int | None
    temperature: float
    max_output_tokens: int | None
    seed: int | None
    concurrency: int
    rpm: float | None
    tpm: float | None
    timeout: float | None
    deadline: float | None
    max_cost: float | None
    max_tokens: int | None
    prices: Prices | str | Path | None


@dataclass(frozen=True)
class Panel:
    """Clients, and the jurors that ask with them, in the order in which opinions stand."""

    clients: tuple[ModelClient, ...]
    jurors: tuple[Juror, ...]
    quorum: int | None
    settings: JsonObject
    in_flight: int
    warnings: tuple[str, ...]
    made: tuple[ModelClient, ...]
    opened: tuple[ModelClient, ...]
    budget: Budget

    @property
    def models(self) -> list[str]:
        """The models' names."""
        return [client.name for client in self.clients]

    @property
    def usage(self) -> Usage:
        """What has really been asked for so far."""
        return sum((client.spent.usage for client in self.clients), Usage())

    @property
    def cost_usd(self) -> float | None:
        """What that cost in US dollars; ``None`` as soon as one price is unknown."""
        total = 0.0
        for client in self.clients:
            cost = client.cost(client.spent.usage)
            if cost is None:
                return None
            total += cost
        return total

    def keep_in(self, cache: ReplyCache) -> None:
        """Keep all replies in ``cache``, whoever made the clients."""
        for client in self.clients:
            client.keep_in(cache)

    def already_spent(self, model: str, usage: Usage) -> None:
        """Count what ``model`` was asked before against the budget."""
        for client in self.clients:
            if client.name == model:
                self.budget.take(usage, client.cost(usage))

    def close_to_new(self) -> None:
        """Send no further request."""
        for client in self.clients:
            client.limiter.close()

    async def aclose(self) -> None:
        """Close the connections that were opened here. A model in this process that still writes
        is not waited for."""
        for client in self.clients:
            client.stand_before(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING_SECONDS):
                for client in self.opened:
                    await client.aclose()


def make_panel(asking: Asking, stop: Stop | None = None) -> Panel:
    """The panel for ``asking``; nothing is asked or loaded yet.

    Raises ``BadAsking``, and ``ModelSpecError`` for a model that cannot be asked as it is given.
    """
    given = asking.get("model")
    models = [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    samples, temperature = asking.get("samples", 1), asking.get("temperature", 0.0)
    concurrency, quorum = asking.get("concurrency", CONCURRENCY), asking.get("quorum")
    _check("samples", samples, at_least=1)
    _check("concurrency", concurrency, at_least=1)
    _check("max_output_tokens", asking.get("max_output_tokens"), at_least=1)
    _check("temperature", temperature, at_least=0)
    _check("rpm", asking.get("rpm"), above=0)
    _check("tpm", asking.get("tpm"), above=0)
    _check("timeout", asking.get("timeout"), at_least=0)
    _check("deadline", asking.get("deadline"), at_least=0)
    _check("max_cost", asking.get("max_cost"), at_least=0)
    _check("max_tokens", asking.get("max_tokens"), at_least=0)
    made = _Clients(asking, models, stop)
    clients = [made.client(model) for model in models]
    names = [client.name for client in clients]
    for name in names:
        if names.count(name) > 1:
            raise BadAsking(
                f"model: expected each once, found {name} {names.count(name)} times; for several "
                "opinions of one model say samples, and give objects of one class each a `name`"
            )
    budget = _budget(asking, clients)
    jurors = [Juror(client, sample) for client in clients for sample in range(samples)]
    if quorum is not None and not 1 <= quorum <= len(jurors):
        raise BadAsking(
            f"quorum: expected 1 to {len(jurors)}, the number of opinions on a case, found {quorum}"
        )
    warnings = []
    if samples > 1 and temperature == 0:
        warnings.append(
            f"samples: {samples} at temperature 0 are mostly one opinion {samples} times; "
            "set a temperature"
        )
    return Panel(
        clients=tuple(clients),
        jurors=tuple(jurors),
        quorum=quorum,
        settings={
            "samples": samples,
            "quorum": quorum,
            "temperature": temperature,
            "max_output_tokens": asking.get("max_output_tokens"),
            "seed": asking.get("seed"),
        },
        in_flight=concurrency + READY,
        warnings=tuple(warnings),
        made=tuple(made.made),
        opened=tuple(made.opened),
        budget=budget,
    )


def _budget(asking: Asking, clients: Sequence[ModelClient]) -> Budget:
    """What may be used, with all clients held to it; ``BadAsking`` where it cannot be counted."""
    budget = Budget(asking.get("max_cost"), asking.get("max_tokens"))
    if budget.max_cost is not None:
        need_prices(clients)
    if budget.limited:
        for client in clients:
            client.stand_before(budget.gate(client.name, client.price))
    return budget


def need_prices(clients: Sequence[ModelClient]) -> None:
    """Raise ``BadAsking`` where a limit in US dollars could not be kept."""
    for client in clients:
        if client.price is None:
            raise BadAsking(
                f'max_cost: there is no price for {client.name}: put ["{client.name}"] with '
                "input and output, US dollars per million tokens, into a file, and name that "
                f"with --prices FILE, prices=FILE or {VARIABLE}; or limit max_tokens"
            )


class _Clients:
    """Makes clients; those of one endpoint share its limit."""

    def __init__(self, asking: Asking, models: Sequence[object], stop: Stop | None) -> None:
        self.made: list[ModelClient] = []
        self.opened: list[ModelClient] = []
        self._asking = asking
        self._concurrency = asking.get("concurrency", CONCURRENCY)
        self._samples = asking.get("samples", 1)
        self._rpm, self._tpm = asking.get("rpm"), asking.get("tpm")
        self._sampling = Sampling(
            asking.get("temperature", 0.0), asking.get("max_output_tokens"), asking.get("seed")
        )
        prices = asking.get("prices")
        given = () if prices is None or isinstance(prices, Prices) else (prices,)
        self._prices = prices if isinstance(prices, Prices) else Prices.load(*given)
        self._sleep = stop.sleep if stop is not None else asyncio.sleep
        self._limiters: dict[tuple[str, str | None], Limiter] = {}
        specs = [parse_model(m) for m in models if isinstance(m, str)]
        self._urls = urls_of(specs, asking.get("base_url"))

    def client(self, model: object) -> ModelClient:
        """The client for one model."""
        if isinstance(model, ModelClient):
            return model
        if isinstance(model, str):
            made = self._connected(parse_model(model))
            self.opened.append(made)
        else:
            made = self._around(model)
        self.made.append(made)
        return made

    def _around(self, model: object) -> ModelClient:
        if not isinstance(model, Transport):
            raise BadAsking(
                "model: expected PROVIDER:NAME or an object with `async def send(request)`, found "
                f"{type(model).__name__}"
            )
        name = getattr(model, "name", None)
        return ModelClient(
            model,
            Endpoint("python", name if isinstance(name, str) else type(model).__qualname__),
            sampling=self._sampling,
            samples=self._samples,
            limiter=self._limiter(Pace(self._rpm, self._tpm)),
            prices=self._prices,
            retry=self._retry(Retry()),
            sleep=self._sleep,
        )

    def _connected(self, spec: ModelSpec) -> ModelClient:
        if spec.provider == "llamacpp":
            return connect(
                str(spec),
                sampling=self._sampling,
                prices=self._prices,
                retry=self._retry(_LOCAL),
            )
        url = self._urls.get(spec)
        there = (spec.provider, url)
        limiter = self._limiters.get(there)
        if limiter is None:
            limiter = self._limiter(shared_pace(*there, self._rpm, self._tpm))
            self._limiters[there] = limiter
        return connect(
            str(spec),
            base_url=url,
            concurrency=self._concurrency,
            sampling=self._sampling,
            samples=self._samples,
            prices=self._prices,
            limiter=limiter,
            retry=self._retry(Retry()),
            sleep=self._sleep,
        )

    def _limiter(self, pace: Pace) -> Limiter:
        return Limiter(self._concurrency, pace=pace, sleep=self._sleep)

    def _retry(self, usual: Retry) -> Retry:
        timeout, deadline = self._asking.get("timeout"), self._asking.get("deadline")
        return Retry(
            attempts=usual.attempts,
            timeout=usual.timeout if timeout is None else timeout,
            deadline=usual.deadline if deadline is None else deadline,
        )


def urls_of(specs: Sequence[ModelSpec], given: str | Sequence[str] | None) -> dict[ModelSpec, str]:
    """Which model is where: a key must never be sent to a place that was meant for another.

    >>> local, remote = ModelSpec("openai-compatible", "a"), ModelSpec("openai", "b")
    >>> list(urls_of([local, remote], "http://here/v1")) == [local]
    True
    """
    urls = [] if given is None else [given] if isinstance(given, str) else list(given)
    if not urls:
        return {}
    remote = [spec for spec in specs if spec.provider in PROVIDERS]
    takers = [spec for spec in remote if PROVIDERS[spec.provider].base_url is None] or remote
    if len(urls) == 1 and takers:
        urls *= len(takers)
    if len(urls) != len(takers):
        raise BadAsking(
            f"base_url: expected one, or one for each of the {len(takers)} models that have one "
            f"({', '.join(map(str, takers)) or 'none'}), found {len(urls)}"
        )
    return dict(zip(takers, urls, strict=True))


def _check(
    name: str, value: float | None, *, at_least: float | None = None, above: float | None = None
) -> None:
    if value is None:
        return
    low = above is not None and value <= above
    if low or not math.isfinite(value) or (at_least is not None and value < at_least):
        wanted = f"above {above}" if above is not None else f"from {at_least}"
        raise BadAsking(f"{name}: expected a number {wanted}, found {value!r:.40}")
