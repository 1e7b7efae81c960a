"""A GGUF model in this process, by llama.cpp (``xllamacpp``)."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from adjudge.contract import JsonObject
from adjudge.models.dialects import OpenAIChat
from adjudge.models.failures import error_of, failure
from adjudge.models.negotiation import Negotiation
from adjudge.models.transport import ModelFailure, ModelRequest, ModelResponse

MAX_TOKENS = 1024
"""Small models may never stop; where no limit is set this one holds."""


class LlamaCppTransport:
    """Runs one file, one request at a time, in a thread of its own.

    The file is loaded at the first request. ``context`` is the room for question and answer in
    tokens. The schema constrains what the model can write. ``threads`` compute, by default one
    less than there are processors: they wait for each other in a loop, so that where one has to
    give way to the rest of the run all do.
    """

    def __init__(
        self, file: str | Path, *, context: int = 8192, threads: int | None = None
    ) -> None:
        self._file = Path(file)
        self._threads = threads or max(1, _processors() - 1)
        self._context = context
        self._dialect = OpenAIChat()
        self._negotiation = Negotiation()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="adjudge-llamacpp")
        self._server: Any = None

    def __repr__(self) -> str:
        return f"LlamaCppTransport({self._file.name!r})"

    async def send(self, request: ModelRequest) -> ModelResponse:
        """Ask once, plus once where the schema cannot be turned into a grammar."""
        return await self._negotiation.send(partial(self._post, request))

    async def aclose(self) -> None:
        """Forget the model; waits for a request under way."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._unload)
        self._thread.shutdown(wait=False)

    async def _post(self, request: ModelRequest, without: frozenset[str]) -> ModelResponse:
        body = self._dialect.body(self._file.name, request, without)
        body.setdefault("max_tokens", MAX_TOKENS)
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._thread, self._run, body)
        raw = json.dumps(answer, ensure_ascii=False)
        if error_of(answer) is not None:
            raise failure(200, answer, raw, {})
        return self._dialect.read(answer, raw)

    def _run(self, body: JsonObject) -> JsonObject:
        if self._server is None:
            self._server = self._load()
        try:
            answer: JsonObject = self._server.handle_chat_completions(body)
        except ValueError as problem:
            # what llama-server would answer with 400
            return {"error": {"code": 400, "message": str(problem)}}
        return answer

    def _load(self) -> Any:
        xllamacpp = importlib.import_module("xllamacpp")
        params = xllamacpp.CommonParams()
        params.model.path = str(self._file)
        params.n_ctx = self._context
        params.n_parallel = 1
        params.cpuparams.n_threads = self._threads
        params.cpuparams_batch.n_threads = self._threads
        params.warmup = False
        params.verbosity = -1
        # The library also opens a port on this machine. Nobody else is to use it.
        params.api_keys = [secrets.token_hex(32)]
        try:
            return xllamacpp.Server(params)
        except Exception as problem:
            raise ModelFailure(f"load: {self._file.name} cannot be loaded: {problem}") from None

    def _unload(self) -> None:
        self._server = None


def _processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
