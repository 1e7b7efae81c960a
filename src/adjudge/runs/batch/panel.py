"""Models that answer from result files: what has no result yet is left for another time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import cast

from adjudge.contract import JsonObject
from adjudge.models import (
    BATCH_FORMATS,
    PROVIDERS,
    BatchFormat,
    Endpoint,
    ModelClient,
    ModelRequest,
    ModelResponse,
    ModelSpec,
    Prices,
    Retry,
    Sampling,
    Unanswered,
    parse_model,
    request_key,
)
from adjudge.models.dialects import Dialect
from adjudge.runs.batch.results import Results
from adjudge.runs.panel import Asking, BadAsking, Panel, make_panel
from adjudge.runs.patient import PatientJuror
from adjudge.runs.seen import Seen


@dataclass(frozen=True, slots=True)
class Missing:
    """A question without a result, as the request that would ask it."""

    model: str
    key: str
    format: BatchFormat
    path: str
    body: Callable[[], JsonObject]


class Outstanding:
    """Questions that have no result: those that ``wait`` for one and those to be ``asked``, each
    counted once; the latter go to ``ask``."""

    def __init__(
        self, waiting: Seen, ask: Callable[[Missing], None] = lambda missing: None
    ) -> None:
        self.wait = 0
        self.asked = 0
        self._waiting = waiting
        self._ask = ask
        self._seen = Seen()

    def add(self, missing: Missing) -> None:
        """Count one."""
        if missing.key in self._seen:
            return
        self._seen.add(missing.key)
        if missing.key in self._waiting:
            self.wait += 1
        else:
            self.asked += 1
            self._ask(missing)


class _FromResults:
    """A transport that answers from results."""

    def __init__(
        self, spec: ModelSpec, results: Results, outstanding: Outstanding, without: Collection[str]
    ) -> None:
        self._endpoint = Endpoint(spec.provider, spec.name)
        self._dialect: Dialect = PROVIDERS[spec.provider].dialect
        self._format = BATCH_FORMATS[spec.provider]
        self._results = results
        self._outstanding = outstanding
        self._without = tuple(sorted(without))

    async def send(self, request: ModelRequest) -> ModelResponse:
        """The result; raises ``Unanswered`` where there is none."""
        key = request_key(self._endpoint, request)
        result = self._results.get(key)
        if result is not None:
            return replace(result.response(self._dialect), without=self._without)
        self._outstanding.add(
            Missing(
                str(self._endpoint),
                key,
                self._format,
                self._dialect.path,
                lambda: self._dialect.body(self._endpoint.model, request, self._without),
            )
        )
        raise Unanswered


def batch_panel(
    asking: Asking,
    results: Results | None = None,
    outstanding: Outstanding | None = None,
    without: Callable[[str], Collection[str]] = lambda model: (),
) -> Panel:
    """The panel for ``asking`` that asks nobody: no key and no URL is needed.

    ``without`` says what an endpoint does not know. Raises ``BadAsking`` for a model that takes no
    batch files.
    """
    given = asking.get("model")
    models = [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    prices = asking.get("prices")
    known = prices if isinstance(prices, Prices) else Prices.load(*([prices] if prices else []))
    sampling = Sampling(
        asking.get("temperature", 0.0), asking.get("max_output_tokens"), asking.get("seed")
    )
    clients = []
    for spec in map(_spec, models):
        transport = _FromResults(
            spec,
            results or Results(),
            outstanding or Outstanding(Seen()),
            without(str(spec)),
        )
        clients.append(
            ModelClient(
                transport,
                Endpoint(spec.provider, spec.name),
                sampling=sampling,
                prices=known,
                retry=Retry(attempts=1),
            )
        )
    panel = make_panel(cast(Asking, {**asking, "model": clients, "base_url": None}))
    jurors = tuple(PatientJuror(juror.client, juror.sample) for juror in panel.jurors)
    return replace(panel, jurors=jurors)


def _spec(model: object) -> ModelSpec:
    provider = model.partition(":")[0] if isinstance(model, str) else "python"
    if not isinstance(model, str) or provider in ("llamacpp", "python"):
        raise BadAsking(
            f"model: expected one that takes batch files ({', '.join(BATCH_FORMATS)}), found "
            f"{model if isinstance(model, str) else type(model).__name__}; ask it directly"
        )
    return parse_model(model)
