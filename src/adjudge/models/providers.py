"""``PROVIDER:NAME`` to a model that can be asked."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from adjudge.contract import Fault
from adjudge.models.client import ModelClient
from adjudge.models.dialects import AnthropicMessages, Dialect, OpenAIChat
from adjudge.models.http import HttpTransport
from adjudge.models.keys import Endpoint
from adjudge.models.limits import Limiter
from adjudge.models.retry import Retry

_LOCAL_PATIENCE = 3600.0


class ModelSpecError(Fault, ValueError):
    """A model that cannot be asked as it was given; the text says what to do."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model as the user names it."""

    provider: str
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


@dataclass(frozen=True, slots=True)
class Provider:
    """How one provider is reached: its dialect, its URL, the variable that holds its key."""

    dialect: Dialect
    base_url: str | None
    key_variable: str
    key_needed: bool


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(
        OpenAIChat("max_completion_tokens"), "https://api.openai.com/v1", "OPENAI_API_KEY", True
    ),
    "anthropic": Provider(
        AnthropicMessages(), "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", True
    ),
    "openai-compatible": Provider(OpenAIChat(), None, "ADJUDGE_API_KEY", False),
}
"""The providers over HTTP; ``llamacpp`` runs in this process."""


def parse_model(text: str) -> ModelSpec:
    """Split ``PROVIDER:NAME``; the name may hold further colons.

    >>> parse_model("openai-compatible:llama3:8b")
    ModelSpec(provider='openai-compatible', name='llama3:8b')
    """
    provider, colon, name = text.partition(":")
    known = ", ".join((*PROVIDERS, "llamacpp"))
    if not colon or not name.strip():
        raise ModelSpecError(
            f"expected a model as PROVIDER:NAME, found {text!r}; the providers are {known}"
        )
    if provider != "llamacpp" and provider not in PROVIDERS:
        raise ModelSpecError(f"unknown provider {provider!r} in {text!r}; there are {known}")
    return ModelSpec(provider, name.strip())


def connect(
    model: str,
    *,
    base_url: str | None = None,
    concurrency: int = 32,
    environ: Mapping[str, str] = os.environ,
    **options: Any,
) -> ModelClient:
    """A client for ``PROVIDER:NAME``; nothing is asked or loaded yet.

    ``openai:NAME``, ``anthropic:NAME``, ``openai-compatible:NAME`` (with ``base_url``, such as
    ``http://localhost:8000/v1``), ``llamacpp:FILE.gguf``. ``options`` go to ``ModelClient``.
    ``ModelSpecError`` says what is missing: the key's variable, the URL, the file, the extra.
    """
    spec = parse_model(model)
    if spec.provider == "llamacpp":
        return _local(spec, base_url, options)
    provider = PROVIDERS[spec.provider]
    transport = HttpTransport(
        provider.dialect,
        _url(spec, base_url or provider.base_url),
        spec.name,
        key=_key(spec, provider, environ),
        connections=concurrency,
    )
    options.setdefault("limiter", Limiter(concurrency))
    return ModelClient(transport, Endpoint(spec.provider, spec.name), **options)


def _local(spec: ModelSpec, base_url: str | None, options: dict[str, Any]) -> ModelClient:
    from adjudge.models.llamacpp import LlamaCppTransport

    file = Path(spec.name)
    if base_url is not None:
        raise ModelSpecError(f"{spec} runs in this process and has no base URL")
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelSpecError(f"{spec} needs llama.cpp: pip install 'adjudge[local]'")
    if not file.is_file():
        raise ModelSpecError(f"{spec}: there is no file {spec.name}")
    endpoint = Endpoint("llamacpp", file.name, weights=str(file.stat().st_size))
    options.setdefault("limiter", Limiter(1))
    # a model in this process is never unreachable, only slow, and cannot be stopped half way
    options.setdefault(
        "retry", Retry(attempts=1, timeout=_LOCAL_PATIENCE, deadline=_LOCAL_PATIENCE)
    )
    return ModelClient(LlamaCppTransport(file), endpoint, **options)


def _url(spec: ModelSpec, base_url: str | None) -> str:
    if base_url is None:
        raise ModelSpecError(
            f"{spec} needs a base URL, such as --base-url http://localhost:8000/v1"
        )
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelSpecError(f"expected a base URL with http:// or https://, found {base_url!r}")
    return base_url


def _key(spec: ModelSpec, provider: Provider, environ: Mapping[str, str]) -> str | None:
    key = environ.get(provider.key_variable, "").strip()
    if not key:
        if provider.key_needed:
            raise ModelSpecError(f"{spec} needs a key in the environment: {provider.key_variable}")
        return None
    if not key.isascii() or not key.isprintable():
        raise ModelSpecError(f"{provider.key_variable} holds characters that no key has")
    return key
