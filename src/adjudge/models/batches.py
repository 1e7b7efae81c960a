"""How providers take many requests as files and give the results back. Pure: no I/O."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from adjudge.contract import JsonObject, Usage
from adjudge.models.dialects import Dialect
from adjudge.models.failures import error_of
from adjudge.models.transport import ModelFailure, ModelResponse
from adjudge.models.understanding import understand_body


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """The most requests and the most bytes of one file."""

    requests: int
    size: int


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What one request came to: an HTTP status and a body, or ``why`` there is neither."""

    custom_id: str
    status: int = 200
    body: Any = None
    why: str | None = None

    @property
    def errored(self) -> bool:
        """Whether it is an error rather than an answer."""
        return self.why is not None or self.status != 200 or error_of(self.body) is not None

    def response(self, dialect: Dialect) -> ModelResponse:
        """What the model said; raises ``ModelFailure``, as over HTTP."""
        if self.why is not None:
            raise ModelFailure(self.why, usage=Usage())
        try:
            raw = json.dumps(self.body, ensure_ascii=False)
        except RecursionError:
            raise ModelFailure("bad_body: the answer is nested too deep") from None
        return understand_body(dialect, self.status, self.body, raw, {}, "the batch")


class BatchFormat(Protocol):
    """One provider's way to write requests and results. A file is ``head``, requests with
    ``between`` between them, ``tail``; a file of results is one JSON object a line."""

    suffix: str
    limits: BatchLimits
    head: bytes
    between: bytes
    tail: bytes

    def request(self, custom_id: str, body: JsonObject, path: str) -> JsonObject:
        """The request to ``path`` (``/chat/completions`` …) as it stands in a file."""
        ...

    def result(self, line: JsonObject) -> BatchResult | None:
        """The result in one line; ``None`` where it is none."""
        ...


class OpenAIBatch:
    """JSON lines of ``custom_id``, ``method``, ``url`` and ``body``; vLLM and others read them too.

    The result of a request is in the output file or, where it failed, in the error file.
    """

    suffix = ".jsonl"
    head, between, tail = b"", b"\n", b"\n"

    def __init__(self, limits: BatchLimits) -> None:
        self.limits = limits

    def request(self, custom_id: str, body: JsonObject, path: str) -> JsonObject:
        """One line."""
        return {"custom_id": custom_id, "method": "POST", "url": f"/v1{path}", "body": body}

    def result(self, line: JsonObject) -> BatchResult | None:
        """A ``response`` with its status, or an ``error`` where nobody was asked."""
        custom_id, response, error = line.get("custom_id"), line.get("response"), line.get("error")
        if not isinstance(custom_id, str):
            return None
        if isinstance(response, dict):
            status, body = response.get("status_code"), response.get("body")
            if body is None and error:
                body = {"error": error}
            return BatchResult(custom_id, status if isinstance(status, int) else 200, body)
        if isinstance(error, dict):
            return BatchResult(custom_id, why=_why(error.get("code"), error.get("message")))
        return None


_STATUS = {
    "invalid_request": 400,
    "authentication": 401,
    "billing": 402,
    "permission": 403,
    "not_found": 404,
    "request_too_large": 413,
    "rate_limit": 429,
    "api": 500,
    "timeout": 504,
    "overloaded": 529,
}
"""The HTTP status that each kind of error has online."""


class AnthropicBatch:
    """The body of ``POST /v1/messages/batches``: ``requests`` of ``custom_id`` and ``params``."""

    suffix = ".json"
    head, between, tail = b'{"requests":[\n', b",\n", b"\n]}\n"

    def __init__(self, limits: BatchLimits) -> None:
        self.limits = limits

    def request(self, custom_id: str, body: JsonObject, path: str) -> JsonObject:
        """One element."""
        return {"custom_id": custom_id, "params": body}

    def result(self, line: JsonObject) -> BatchResult | None:
        """A ``result`` that ``succeeded``, ``errored``, was ``canceled`` or ``expired``."""
        custom_id, result = line.get("custom_id"), line.get("result")
        if not isinstance(custom_id, str) or not isinstance(result, dict):
            return None
        kind = str(result.get("type"))
        if kind == "succeeded":
            return BatchResult(custom_id, body=result.get("message"))
        if kind == "errored":
            told = result.get("error")
            whole = told if error_of(told) else {"type": "error", "error": told}
            kind = str((error_of(whole) or {}).get("type")).removesuffix("_error")
            return BatchResult(custom_id, _STATUS.get(kind, 500), whole)
        return BatchResult(custom_id, why=_why(kind, None))


_OPENAI = OpenAIBatch(BatchLimits(requests=50_000, size=200_000_000))

BATCH_FORMATS: Mapping[str, BatchFormat] = {
    "openai": _OPENAI,
    "openai-compatible": _OPENAI,
    "anthropic": AnthropicBatch(BatchLimits(requests=100_000, size=256_000_000)),
}
"""By provider, with its limits; one that is not here knows no batch files."""


def _why(code: object, message: object) -> str:
    """
    >>> _why("expired", None)
    'batch: expired'
    """
    words = " ".join(str(message or "").split())
    return f"batch: {code or 'failed'}" + (f": {words}" if words else "")
