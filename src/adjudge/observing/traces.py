"""What is asked and concluded, for OpenTelemetry: spans and events of its GenAI conventions.

Nothing of OpenTelemetry is imported here: who has set up an SDK has imported it. A case is a span
``evaluate JUDGE``, each question in it a span ``chat MODEL`` with all its attempts, and each score
an event ``gen_ai.evaluation.result``: a log record where log records are set up, else an event of
the case's span. What models are asked and say is told only where
``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` wants it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from time import time_ns
from typing import Any

from adjudge.observing.events import Asked, CaseAt, Ended, explanation, kind_of

CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
EVALUATION = "gen_ai.evaluation.result"
_NAME = "adjudge"
_ON_SPANS = ("true", "1", "span_only", "span_and_event")
_ON_EVENTS = ("true", "1", "event_only", "span_and_event")


class Traces:
    """The observer."""

    def __init__(self) -> None:
        self._tracer: tuple[Any, Any] = (None, None)

    def listens(self) -> bool:
        """Whether an SDK for traces or log records is set up in this process."""
        return _provider("trace", "get_tracer_provider") is not None or _log_provider() is not None

    def exchange(self, asked: Asked) -> _Exchange:
        """See ``Observer``."""
        return _Exchange(self._tracer_now(), asked)

    def sitting(self, case: CaseAt) -> _Sitting:
        """See ``Observer``."""
        return _Sitting(self._tracer_now(), case)

    def run(self, event: str, fields: Mapping[str, Any]) -> None:
        """A run may take days and hold any number of cases: it is no span."""

    def _tracer_now(self) -> Any:
        from opentelemetry import trace

        provider = trace.get_tracer_provider()
        if self._tracer[0] is not provider:
            self._tracer = (provider, provider.get_tracer(_NAME))
        return self._tracer[1]


TRACES = Traces()


def _provider(module: str, getter: str) -> Any:
    """The provider that was set up; ``None`` where the API would only pretend."""
    api = sys.modules.get(f"opentelemetry.{module}")
    provider = getattr(api, getter)() if api is not None else None
    return None if type(provider).__module__.startswith("opentelemetry." + module) else provider


def _log_provider() -> Any:
    return _provider("_logs", "get_logger_provider")


class _Open:
    """A span that is the current one until it is ended."""

    def __init__(self, tracer: Any, name: str, kind: str, attributes: Mapping[str, Any]) -> None:
        from opentelemetry import context, trace

        self.span = tracer.start_span(
            name, kind=trace.SpanKind[kind], attributes=_given(attributes)
        )
        self._token = context.attach(trace.set_span_in_context(self.span))

    def set(self, attributes: Mapping[str, Any]) -> None:
        """More attributes; those that are ``None`` are left out."""
        self.span.set_attributes(_given(attributes))

    def fail(self, error: str) -> None:
        """Say that it came to nothing."""
        from opentelemetry.trace import Status, StatusCode

        self.span.set_attribute("error.type", error)
        self.span.set_status(Status(StatusCode.ERROR))

    def end(self, when: int | None = None) -> None:
        """End it (at ``when``, in nanoseconds); what was the current span before is so again."""
        from opentelemetry import context

        context.detach(self._token)
        self.span.end(when)


class _Exchange:
    """The span of one question, from when it first goes out."""

    def __init__(self, tracer: Any, asked: Asked) -> None:
        self._tracer = tracer
        self._asked = asked
        self._open: _Open | None = None
        self._attempts = 0
        self._back: int | None = None

    def sent(self, attempt: int) -> None:
        self._attempts = attempt
        if self._open is None:
            kind = "CLIENT" if self._asked.server else "INTERNAL"
            name = f"chat {self._asked.model}"
            self._open = _Open(self._tracer, name, kind, _request(self._asked))

    def back(self) -> None:
        self._back = time_ns()

    def failed(self, error: str, wait: float | None) -> None:
        """Attempts are one span together."""

    def ended(self, ended: Ended | None) -> None:
        if self._open is None:
            return
        self._open.set({"adjudge.attempts": self._attempts})
        if ended is None:
            self._open.fail("cancelled")
        else:
            self._open.set(_response(ended))
            if ended.error is not None:
                self._open.fail(ended.error)
        self._open.end(self._back)


class _Sitting:
    """The span of one case."""

    def __init__(self, tracer: Any, case: CaseAt) -> None:
        self._judge = case.judge
        self._about = _given(
            {
                "adjudge.judge": case.judge,
                "adjudge.method": case.method,
                "adjudge.case.id": case.case_id,
                "adjudge.case.position": case.position,
            }
        )
        self._open = _Open(tracer, f"evaluate {case.judge}", "INTERNAL", self._about)

    def concluded(self, verdict: Mapping[str, Any]) -> None:
        self._open.set({"adjudge.status": verdict["status"]})
        if verdict["status"] == "error":
            self._open.fail(kind_of(verdict["reason"]) or "error")
        for attributes in _evaluations(self._judge, verdict):
            self._emit({**attributes, **self._about})

    def ended(self) -> None:
        self._open.end()

    def _emit(self, attributes: Mapping[str, Any]) -> None:
        provider = _log_provider()
        if provider is None:
            self._open.span.add_event(EVALUATION, attributes)
        else:
            provider.get_logger(_NAME).emit(event_name=EVALUATION, attributes=attributes)


def _request(asked: Asked) -> dict[str, Any]:
    host, port = asked.server or (None, None)
    found = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": asked.provider,
        "gen_ai.request.model": asked.model,
        "gen_ai.request.temperature": float(asked.temperature),
        "gen_ai.request.max_tokens": asked.max_tokens,
        "gen_ai.request.seed": asked.seed,
        "gen_ai.output.type": "json",
        "server.address": host,
        "server.port": port,
        "adjudge.question": asked.key,
    }
    if _captured(_ON_SPANS):
        said = [(m.role, [{"type": "text", "content": m.content}]) for m in asked.messages]
        found["gen_ai.system_instructions"] = json.dumps(
            [part for role, parts in said if role == "system" for part in parts]
        )
        found["gen_ai.input.messages"] = json.dumps(
            [{"role": role, "parts": parts} for role, parts in said if role != "system"]
        )
    return found


def _response(ended: Ended) -> dict[str, Any]:
    found: dict[str, Any] = {"adjudge.reply.status": ended.status}
    if ended.finish is not None:
        found["gen_ai.response.finish_reasons"] = [ended.finish]
    usage = ended.usage
    if usage.input_tokens or usage.output_tokens:
        found["gen_ai.usage.input_tokens"] = usage.input_tokens
        found["gen_ai.usage.output_tokens"] = usage.output_tokens
        found["gen_ai.usage.cache_read.input_tokens"] = usage.cache_read_tokens or None
        found["gen_ai.usage.cache_write.input_tokens"] = usage.cache_write_tokens or None
    if ended.text is not None and _captured(_ON_SPANS):
        parts = [{"type": "text", "content": ended.text}]
        said = {"role": "assistant", "parts": parts, "finish_reason": ended.finish or "error"}
        found["gen_ai.output.messages"] = json.dumps([said])
    return found


def _evaluations(judge: str, verdict: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One for each score; one for all where there is none."""
    if verdict["status"] != "scored":
        yield {
            "gen_ai.evaluation.name": judge,
            "error.type": kind_of(verdict["reason"]) or verdict["status"],
            "adjudge.status": verdict["status"],
        }
        return
    scores, success = verdict["scores"], verdict["success"]
    said = explanation(verdict) if _captured(_ON_EVENTS) else None
    for dimension, score in scores.items():
        # parts of a case (turns) are numbers: they are no metric of their own
        name = judge if dimension.isdigit() else f"{judge}.{dimension}"
        found = {"gen_ai.evaluation.name": name, "adjudge.dimension": dimension}
        if isinstance(score, (int, float)):
            found["gen_ai.evaluation.score.value"] = float(score)
            if len(scores) == 1 and success is not None:
                found["gen_ai.evaluation.score.label"] = "pass" if success else "fail"
        else:
            found["gen_ai.evaluation.score.label"] = score or "not_applicable"
        if said is not None:
            found["gen_ai.evaluation.explanation"] = said
        yield found


def _captured(where: tuple[str, ...]) -> bool:
    return os.environ.get(CONTENT, "").strip().lower() in where


def _given(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}
