"""The name of a request: the hash of what shapes its reply, and of nothing else."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from adjudge.models.transport import ModelRequest

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Who is asked: the kind of endpoint (``openai``, ``llamacpp`` …) and the model's name.

    Where it stands and with which key are not part of it. ``weights`` tells two local files of
    one name apart.
    """

    kind: str
    model: str
    weights: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.model}"


def request_key(endpoint: Endpoint, request: ModelRequest) -> str:
    """SHA-256 (hex) of the canonical JSON of endpoint, messages, form, sampling and sample.

    A message counts by its role and the SHA-256 of its text.
    """
    sampling = request.sampling
    shape = {
        "form": [request.form.name, request.form.digest],
        "kind": endpoint.kind,
        "max_tokens": sampling.max_tokens,
        "messages": [[message.role, _digest(message.content)] for message in request.messages],
        "model": endpoint.model,
        "sample": request.sample,
        "seed": sampling.seed,
        "temperature": float(sampling.temperature),
        "weights": endpoint.weights,
    }
    return hashlib.sha256(_canonical(shape).encode("ascii")).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
