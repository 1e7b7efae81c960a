"""A user's program with OpenTelemetry's SDK: judges, and prints what was exported as JSON.

``python traced.py SETUP`` reads ``{"judge", "cases", "asking"}`` on standard input; ``SETUP`` says
what is set up: ``traces``, ``logs`` or both, as ``traces+logs``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from opentelemetry import trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import adjudge


def main(setup: str) -> None:
    spans, records = InMemorySpanExporter(), InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    if "traces" in setup:
        tracing = TracerProvider()
        tracing.add_span_processor(SimpleSpanProcessor(spans))
        trace.set_tracer_provider(tracing)
    if "logs" in setup:
        logs = LoggerProvider()
        logs.add_log_record_processor(SimpleLogRecordProcessor(records))
        set_logger_provider(logs)
    given = json.load(sys.stdin)
    with trace.get_tracer("user").start_as_current_span("the user's own"):
        adjudge.judge(given["judge"], given["cases"], **given["asking"])
    found: dict[str, list[dict[str, Any]]] = {"spans": [], "records": []}
    for span in spans.get_finished_spans():
        assert span.context is not None
        found["spans"].append(
            {
                "name": span.name,
                "id": span.context.span_id,
                "trace": span.context.trace_id,
                "parent": span.parent.span_id if span.parent else None,
                "kind": span.kind.name,
                "status": span.status.status_code.name,
                "attributes": dict(span.attributes or {}),
                "events": [
                    {"name": event.name, "attributes": dict(event.attributes or {})}
                    for event in span.events
                ],
            }
        )
    for one in records.get_finished_logs():
        record = one.log_record
        found["records"].append(
            {
                "name": record.event_name,
                "span": record.span_id,
                "attributes": dict(record.attributes or {}),
                "body": record.body,
            }
        )
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
