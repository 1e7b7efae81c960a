"""From a status and a body to what a model said, whichever way they came. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from adjudge.models.dialects import Dialect
from adjudge.models.failures import error_of, failure
from adjudge.models.transport import ModelFailure, ModelResponse


def understand(
    dialect: Dialect, status: int, raw: str, headers: Mapping[str, str], asked: str
) -> ModelResponse:
    """The response in the body ``raw``, which came with this HTTP status from ``asked``.

    Raises ``ModelFailure`` where it is an error, under whichever status, or no response.
    """
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        body = None
    return understand_body(dialect, status, body, raw, headers, asked)


def understand_body(
    dialect: Dialect, status: int, body: Any, raw: str, headers: Mapping[str, str], asked: str
) -> ModelResponse:
    """As ``understand``, where the body is parsed already; ``None`` where it is no JSON."""
    if status != 200 or error_of(body) is not None:
        raise failure(status, body, raw, headers)
    if not isinstance(body, dict):
        shown = " ".join(raw.split())[:100]
        raise ModelFailure(
            f"bad_body: {asked} answered 200 with no JSON object: {shown}",
            http_status=200,
            raw=raw,
        )
    return dialect.read(body, raw)
