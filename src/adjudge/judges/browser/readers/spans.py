"""Spans of any export as one plain form, grouped by the conversation they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.browser.readers.building import listed


@dataclass(frozen=True, slots=True)
class Span:
    """One span: ``attributes`` flat as they were, ``start`` in whatever order the export has."""

    name: str
    attributes: JsonObject
    events: tuple[tuple[str, JsonObject], ...]
    trace: str | None
    start: str
    error: str | None = None
    order: int = field(default=0, compare=False)


def spans_in(value: Any) -> list[Span]:
    """Every span in an OTLP document, a list of spans or one span, in order of start."""
    found = [_span(one, index) for index, one in enumerate(_walk(value))]
    return sorted(found, key=lambda span: (len(span.start), span.start, span.order))


def groups(spans: Iterable[Span], key: str) -> dict[str, list[Span]]:
    """Spans by the attribute ``key``, of the span or of another in its trace; else by trace."""
    spans = list(spans)
    session: dict[str | None, str] = {}
    for span in spans:
        value = span.attributes.get(key)
        if isinstance(value, str) and value:
            session.setdefault(span.trace, value)
    grouped: dict[str, list[Span]] = {}
    for span in spans:
        own = span.attributes.get(key)
        name = own if isinstance(own, str) and own else session.get(span.trace, span.trace or "")
        grouped.setdefault(name, []).append(span)
    return grouped


def nested(attributes: JsonObject) -> JsonObject:
    """Dotted attribute names as objects and lists: ``a.0.b`` becomes ``{"a": [{"b": …}]}``.

    >>> nested({"llm.input_messages.0.message.role": "user", "x": 1})
    {'llm': {'input_messages': [{'message': {'role': 'user'}}]}, 'x': 1}
    """
    tree: JsonObject = {}
    for name, value in attributes.items():
        parts = name.removeprefix("attributes.").split(".")
        node = tree
        for part in parts[:-1]:
            inner = node.get(part)
            if not isinstance(inner, dict):
                inner = {}
                node[part] = inner
            node = inner
        node[parts[-1]] = _copied(value)
    return {name: _listed(value) for name, value in tree.items()}


def _copied(value: Any) -> Any:
    """``value`` with objects of its own: what was read must not change where names are merged."""
    if isinstance(value, dict):
        return {name: _copied(inner) for name, inner in value.items()}
    return value


def _listed(node: Any) -> Any:
    if isinstance(node, list):
        return [_listed(one) for one in node]
    if not isinstance(node, dict):
        return node
    if node and all(key.isdecimal() for key in node):
        return [_listed(node[key]) for key in sorted(node, key=int)]
    return {key: _listed(value) for key, value in node.items()}


def _walk(value: Any) -> Iterator[JsonObject]:
    if isinstance(value, list):
        for one in value:
            yield from _walk(one)
        return
    if not isinstance(value, dict):
        return
    for holder in ("resourceSpans", "scopeSpans", "spans"):
        if isinstance(value.get(holder), list):
            yield from _walk(value[holder])
            return
    if isinstance(value.get("attributes"), dict | list):
        yield value


def _span(span: JsonObject, order: int) -> Span:
    held = span.get("context")
    context: JsonObject = held if isinstance(held, dict) else {}
    trace = span.get("traceId") or span.get("trace_id") or context.get("trace_id")
    start = span.get("startTimeUnixNano") or span.get("start_time") or span.get("startTime") or ""
    events = []
    for event in listed(span.get("events")):
        if isinstance(event, dict):
            events.append((str(event.get("name")), _attributes(event.get("attributes"))))
    status = span.get("status")
    code = status.get("code") if isinstance(status, dict) else span.get("status_code")
    message = status.get("message") if isinstance(status, dict) else span.get("status_message")
    failed = code in (2, "2", "ERROR", "STATUS_CODE_ERROR")
    return Span(
        name=str(span.get("name") or ""),
        attributes=_attributes(span.get("attributes")),
        events=tuple(events),
        trace=str(trace) if trace else None,
        start=str(start),
        error=(str(message or "error")[:2000]) if failed else None,
        order=order,
    )


def _attributes(given: Any) -> JsonObject:
    if isinstance(given, dict):
        return given
    made: JsonObject = {}
    for one in given if isinstance(given, list) else ():
        if isinstance(one, dict) and isinstance(one.get("key"), str):
            made[one["key"]] = _otlp(one.get("value"))
    return made


def _otlp(value: Any) -> Any:
    """An OTLP ``AnyValue``."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    [(kind, inner)] = value.items()
    if kind == "arrayValue" and isinstance(inner, dict):
        return [_otlp(one) for one in listed(inner.get("values"))]
    if kind == "kvlistValue" and isinstance(inner, dict):
        return _attributes(inner.get("values"))
    if kind == "intValue" and isinstance(inner, str) and inner.lstrip("-").isdecimal():
        return int(inner)
    return inner
