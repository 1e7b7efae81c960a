"""What a run would ask, and what that would take: cases are checked and nobody is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import cast

from adjudge.contract import Usage
from adjudge.inputs import Source
from adjudge.models import (
    Endpoint,
    ModelClient,
    ModelRequest,
    ModelResponse,
    Prices,
    Sampling,
    Unanswered,
    connect,
    parse_model,
    request_key,
)
from adjudge.models.tokens import answer_tokens, question_tokens
from adjudge.runs.engine import Start, Task
from adjudge.runs.identity import identify
from adjudge.runs.panel import Asking, Panel, make_panel, need_prices
from adjudge.runs.patient import PatientJuror
from adjudge.runs.places import places
from adjudge.runs.seen import Seen
from adjudge.runs.stopping import Stop
from adjudge.runs.store import Store
from adjudge.runs.stored_run import OpenRun
from adjudge.runs.stream import stream_places


@dataclass(frozen=True)
class Expected:
    """What one model would be asked: calls, and a guess at tokens and US dollars (``None``: its
    price is not known)."""

    model: str
    usage: Usage
    cost_usd: float | None


@dataclass(frozen=True)
class DryRun:
    """What a run comes to before anyone is asked.

    Of its cases ``there`` are judged already, ``alone`` need no call, ``unreadable`` are none, and
    ``asking`` wait for answers. ``expected`` is by model; ``more`` how often that may have to be
    asked once more at most, in further rounds. ``spent`` is what the run has cost before.
    """

    there: int
    alone: int
    unreadable: int
    asking: int
    expected: tuple[Expected, ...]
    more: int
    spent: tuple[Expected, ...]


def dry_run(
    task: Task,
    sources: Sequence[Source],
    asking: Asking,
    store: Store | None = None,
    *,
    workers: int | None = None,
    retry_failed: bool = False,
) -> DryRun:
    """Check every case and take every method's first step; count what is not in ``store`` yet.

    Neither a key nor a URL is needed. Raises as ``run_stored`` does before it judges.
    """
    return asyncio.run(_dry_run(task, sources, asking, store, workers, retry_failed))


async def _dry_run(
    task: Task,
    sources: Sequence[Source],
    asking: Asking,
    store: Store | None,
    workers: int | None,
    retry_failed: bool,
) -> DryRun:
    panel = _panel(asking)
    method = task.bench(with_model=True).method
    identity = identify(
        task.judge,
        method.name,
        sources,
        reader=task.reader,
        models=panel.models,
        asking=panel.settings,
        shard=task.shard,
    )
    left = store.look_at(identity, retry=retry_failed) if store is not None else None
    spent = store.asked(left) if store is not None and left is not None else []
    if left is not None:
        panel.keep_in(left.replies(panel.models, to_read=True))
    alone = unreadable = 0
    stop = Stop()
    async with aclosing(_stream(task, sources, panel, left, workers, stop)) as statuses:
        async for status in statuses:
            if status == "error":
                unreadable += 1
            else:
                alone += 1
    usual = getattr(method, "usual_rounds", 1)
    clients = {client.name: client for client in panel.clients}
    return DryRun(
        there=left.stored if left is not None else 0,
        alone=alone,
        unreadable=unreadable,
        asking=stop.left,
        expected=tuple(_expected(client, usual) for client in panel.clients),
        more=method.max_rounds - usual,
        spent=tuple(
            Expected(model, usage, clients[model].cost(usage))
            for model, _, usage in spent
            if model in clients
        ),
    )


async def _stream(
    task: Task,
    sources: Sequence[Source],
    panel: Panel,
    left: OpenRun | None,
    workers: int | None,
    stop: Stop,
) -> AsyncGenerator[str, None]:
    """The statuses of cases that nobody need be asked about."""
    if left is not None and left.complete:
        return
    start = left.start() if left is not None else Start()
    stream = stream_places(
        task,
        places(sources, start.record, start.skip, task.judge.is_part),
        [source.name for source in sources],
        panel.jurors,
        workers=1 if workers is None else workers,
        in_flight=panel.in_flight,
        quorum=panel.quorum,
        start=start,
        stop=stop,
    )
    async with aclosing(stream):
        async for judged in stream:
            yield judged.brief.status


class _Counting:
    """A transport that counts what it is to send, each question once, and sends nothing."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._seen = Seen()
        self.usage = Usage()

    async def send(self, request: ModelRequest) -> ModelResponse:
        """Never anything."""
        key = request_key(self._endpoint, request)
        if key not in self._seen:
            self._seen.add(key)
            local = self._endpoint.kind == "llamacpp"  # the schema is a grammar, and not read
            self.usage += Usage(
                calls=1,
                input_tokens=question_tokens(request, with_schema=not local),
                output_tokens=answer_tokens(request.form, request.sampling.max_tokens),
            )
        raise Unanswered


def _panel(asking: Asking) -> Panel:
    given = asking.get("model")
    models = [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    table = asking.get("prices")
    files = () if table is None or isinstance(table, Prices) else (table,)
    prices = table if isinstance(table, Prices) else Prices.load(*files)
    sampling = Sampling(
        asking.get("temperature", 0.0), asking.get("max_output_tokens"), asking.get("seed")
    )
    endpoints = [_endpoint(str(model)) for model in models]
    clients = [
        ModelClient(_Counting(endpoint), endpoint, sampling=sampling, prices=prices)
        for endpoint in endpoints
    ]
    if asking.get("max_cost") is not None:
        need_prices(clients)
    unlimited = {**asking, "model": clients, "base_url": None, "max_cost": None, "max_tokens": None}
    panel = make_panel(cast(Asking, unlimited))
    jurors = tuple(PatientJuror(juror.client, juror.sample) for juror in panel.jurors)
    return replace(panel, jurors=jurors)


def _endpoint(model: str) -> Endpoint:
    spec = parse_model(model)
    if spec.provider == "llamacpp":
        return connect(model).endpoint
    return Endpoint(spec.provider, spec.name)


def _expected(client: ModelClient, rounds: int) -> Expected:
    transport = client.transport
    assert isinstance(transport, _Counting)
    once = transport.usage
    usage = Usage(**{name: count * rounds for name, count in dict(once).items()})
    return Expected(client.name, usage, client.cost(usage))
