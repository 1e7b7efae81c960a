"""The transport over HTTP: one aiohttp session to one endpoint."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic_core import to_json

from adjudge.contract import JsonObject
from adjudge.models.allowance import allowances
from adjudge.models.dialects import Dialect
from adjudge.models.negotiation import Negotiation
from adjudge.models.transport import ModelFailure, ModelRequest, ModelResponse
from adjudge.models.understanding import understand

if TYPE_CHECKING:
    import aiohttp

MAX_BODY = 32 * 2**20
"""A reply longer than this many bytes is an error."""

CONNECT_TIMEOUT = 30.0
"""Seconds to reach the endpoint; how long an answer may take is the client's affair."""


class HttpTransport:
    """Speaks one dialect to one endpoint.

    The key is sent and otherwise kept out of everything: texts that come back are searched for
    it before they are passed on. Proxies come from the environment (``HTTPS_PROXY``,
    ``NO_PROXY``), read once. Redirects are not followed, since they would carry the key along.
    """

    def __init__(
        self,
        dialect: Dialect,
        base_url: str,
        model: str,
        *,
        key: str | None = None,
        connections: int = 100,
    ) -> None:
        self._dialect = dialect
        self._url = base_url.rstrip("/") + dialect.path
        self._model = model
        self._key = key
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None
        self._proxy: str | None = None
        self._negotiation = Negotiation()

    def __repr__(self) -> str:
        return f"HttpTransport({self._shown_url!r}, {self._model!r})"

    @property
    def server(self) -> tuple[str, int]:
        """Host and port of the endpoint."""
        parts = urlsplit(self._url)
        return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)

    @property
    def without(self) -> frozenset[str]:
        """What the endpoint turned out not to know (``schema``, ``temperature`` …)."""
        return self._negotiation.without

    async def send(self, request: ModelRequest) -> ModelResponse:
        """Ask once, plus once for each part of the request that the endpoint does not know."""
        return await self._negotiation.send(lambda without: self._post(request, without))

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _post(self, request: ModelRequest, without: frozenset[str]) -> ModelResponse:
        import aiohttp

        session = self._session or self._open()
        body = self._dialect.body(self._model, request, without)
        data = _encoded(body)
        try:
            async with session.post(
                self._url,
                data=data,
                proxy=self._proxy,
                allow_redirects=False,
            ) as response:
                raw = await _read(response)
                status, headers = response.status, response.headers
        except TimeoutError:
            raise
        except (aiohttp.ClientError, OSError) as problem:
            # "from None": the exception holds the request, and so the key
            raise self._broken(problem) from None
        return self._understand(status, headers, self._scrub(raw.decode("utf-8", "replace")))

    def _understand(self, status: int, headers: Any, raw: str) -> ModelResponse:
        told = allowances(headers)
        try:
            response = understand(self._dialect, status, raw, headers, self._shown_url)
            return replace(response, told=told) if told else response
        except ModelFailure as problem:
            problem.told = told
            if status in (404, 405) or 300 <= status < 400:
                problem.reason += f" (asked {self._shown_url}; is the base URL right?)"
            raise

    def _open(self) -> aiohttp.ClientSession:
        import aiohttp

        # Not trust_env: it looks for a netrc in a thread at every request, which costs three
        # times what the request does, and a netrc entry would displace the key.
        self._proxy = _proxy_for(self._url)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._connections),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT),
            headers={
                "Content-Type": "application/json",
                "User-Agent": "adjudge",
                **self._dialect.headers(self._key),
            },
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self._session

    def _broken(self, problem: Exception) -> ModelFailure:
        words = str(problem) if isinstance(problem, OSError) else ""
        told = f"connection: {type(problem).__name__} at {self._shown_url}"
        return ModelFailure(self._scrub(f"{told}: {words}" if words else told), retryable=True)

    def _scrub(self, text: str) -> str:
        if self._key:
            for key in {self._key, self._key.replace("/", "\\/")}:
                if key in text:
                    text = text.replace(key, "[key]")
        return text

    @property
    def _shown_url(self) -> str:
        parts = urlsplit(self._url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def _encoded(body: JsonObject) -> bytes:
    try:
        return to_json(body)
    except ValueError:  # a lone surrogate, for one
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


async def _read(response: aiohttp.ClientResponse) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        if size > MAX_BODY:
            response.close()
            raise ModelFailure(f"bad_body: the reply is longer than {MAX_BODY} bytes")
        chunks.append(chunk)
    return b"".join(chunks)


def _proxy_for(url: str) -> str | None:
    parts = urlsplit(url)
    if urllib.request.proxy_bypass(parts.hostname or ""):
        return None
    return urllib.request.getproxies().get(parts.scheme)
