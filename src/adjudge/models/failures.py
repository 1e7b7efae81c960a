"""What an endpoint's error means: to be tried again, too long, refused, or a part unknown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from adjudge.contract import JsonObject, ReplyStatus, Usage
from adjudge.models.transport import ModelFailure

RETRYABLE = frozenset({408, 409, 425, 429})
"""Of the 4xx only these are tried again; of the 5xx all."""

SHOWN = 300
"""So many characters of an endpoint's own words stand in a reason."""

_OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|context window|"
    r"available context size|prompt is too long|input is too long|exceed context limit|"
    r"maximum model length|max_model_len|request_too_large|too many (input )?tokens",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"content_filter|content_policy|ResponsibleAIPolicyViolation|content management policy|"
    r"violating our usage policy",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient_quota|spend_limit|billing", re.IGNORECASE)
_PARTS = (
    (
        "schema",
        re.compile(
            r"response_format|json_schema|output_config|output_format|structured.output|"
            r"guided_json|grammar|\bschema\b|\btools?\b",
            re.IGNORECASE,
        ),
    ),
    ("temperature", re.compile(r"\btemperature\b", re.IGNORECASE)),
    ("seed", re.compile(r"\bseed\b", re.IGNORECASE)),
    ("max_tokens", re.compile(r"\bmax_(completion_)?tokens\b", re.IGNORECASE)),
)


def failure(
    http_status: int,
    body: Any,
    raw: str,
    headers: Mapping[str, str],
    now: datetime | None = None,
) -> ModelFailure:
    """The failure that an error status, or an error body under status 200, stands for.

    ``body`` is the parsed body, or ``None`` where it is no JSON. A status inside the body counts
    where the outer one says 200.
    """
    error = error_of(body) or {}
    if http_status < 400:
        inner = error.get("code", error.get("status"))
        http_status = inner if isinstance(inner, int) and 400 <= inner < 600 else http_status
    words = message_of(error) or " ".join(raw.split())
    codes = " ".join(str(error.get(name) or "") for name in ("type", "code", "innererror"))
    kind = f"http_{http_status}" if http_status != 200 else "error_body"
    told = f"{kind}: {words[:SHOWN] or 'no explanation given'}"
    status: ReplyStatus = "error"
    if http_status < 500 and http_status != 429:
        if http_status == 413 or _OVERFLOW.search(f"{codes} {words}"):
            status = "overflow"
        elif _REFUSED.search(f"{codes} {words}"):
            status = "refused"
    spent = http_status == 429 and _NO_CREDIT.search(f"{codes} {error.get('details') or ''}")
    return ModelFailure(
        told,
        status=status,
        retryable=(http_status in RETRYABLE or http_status >= 500) and not spent,
        retry_after=retry_after(headers, now),
        http_status=http_status,
        raw=raw,
        usage=usage_of(body.get("usage") if isinstance(body, dict) else None),
    )


def error_of(body: Any) -> JsonObject | None:
    """The error object of a body, whichever way it is wrapped; ``None`` where there is none."""
    if not isinstance(body, dict):
        return None
    error = body.get("error")
    if isinstance(error, dict) and error:
        return error
    if isinstance(error, str) and error:
        return {"message": error}
    if body.get("object") == "error" or ("detail" in body and len(body) == 1):
        return body
    return None


def message_of(error: JsonObject) -> str:
    """The words of an error object, in one line."""
    words = error.get("message", error.get("detail", ""))
    return " ".join(str(words).split())


def unknown_part(http_status: int | None, raw: str) -> str | None:
    """The part of a request that an endpoint says it does not know, if that is what it says.

    Where the error has a ``param`` it decides; else the first part that its words name.

    >>> unknown_part(400, '{"error": {"message": "`temperature` is deprecated for this model."}}')
    'temperature'
    """
    if http_status not in (400, 404, 415, 422, 501):
        return None
    try:
        error = error_of(json.loads(raw)) or {}
    except (ValueError, RecursionError):
        error = {}
    param = error.get("param")
    for text in (param if isinstance(param, str) else "", message_of(error)[:SHOWN]):
        for part, named in _PARTS:
            if text and named.search(text):
                return part
    return None


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds to wait, from ``retry-after-ms`` or ``Retry-After`` (seconds or an HTTP date).

    >>> retry_after({"retry-after-ms": "1500", "Retry-After": "9"})
    1.5
    """
    for name, unit in (("retry-after-ms", 0.001), ("Retry-After", 1.0)):
        given = (headers.get(name) or "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", given):
            return float(given) * unit
        if given and unit == 1.0:
            try:
                when = parsedate_to_datetime(given)
            except ValueError:
                return None
            if when.tzinfo is None:
                when = when.replace(tzinfo=UTC)
            return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
    return None


def usage_of(usage: Any, calls: int = 1) -> Usage:
    """The tokens an endpoint counted, in either dialect; nonsense counts as nothing.

    Anthropic counts what its cache read and wrote beside the other input, everybody else counts
    what a cache read within it.
    """
    if not isinstance(usage, dict):
        return Usage(calls=calls)
    beside = _total(usage, ("cache_read_input_tokens",))
    kept = _total(usage, ("cache_creation_input_tokens",))
    read = _total(usage, ("prompt_tokens", "input_tokens")) + beside + kept
    details = usage.get("prompt_tokens_details")
    within = _total(details, ("cached_tokens",)) if isinstance(details, dict) else 0
    return Usage(
        calls=calls,
        input_tokens=read,
        output_tokens=_total(usage, ("completion_tokens", "output_tokens")),
        cache_read_tokens=beside or min(within, read),
        cache_write_tokens=kept,
    )


def _total(usage: JsonObject, names: tuple[str, ...]) -> int:
    return sum(
        given
        for name in names
        if isinstance(given := usage.get(name), int)
        and not isinstance(given, bool)
        and 0 <= given < 2**53
    )
