"""A reward server: OpenRLHF's remote-reward request over HTTP. Needs the ``rewards`` extra."""

from __future__ import annotations

import hmac
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, ValidationError

from adjudge.contract import Fault
from adjudge.rewards.source import Judged, RewardSource

TOKEN_VARIABLE = "ADJUDGE_REWARDS_TOKEN"

# What a tokenizer leaves at the end of a completion when it does not skip special tokens.
_ENDINGS = re.compile(
    r"(?:\s*(?:<[|｜][^<>|｜\n]{1,64}[|｜]>|</?(?:s|eos|pad|end_of_turn)>))+\s*\Z"
)


@dataclass(frozen=True)
class Limits:
    """What one request may ask: ``seconds`` to answer in (OpenRLHF gives up after 180),
    ``batch`` completions, ``bytes`` of body."""

    seconds: float = 170.0
    batch: int = 1024
    bytes: int = 64 * 2**20


class RewardRequest(BaseModel):
    """``query`` is prompt and completion together; ``labels`` hold the cases."""

    model_config = ConfigDict(strict=True)

    query: list[str]
    prompts: list[str]
    labels: list[Any]


class _Refused(Exception):
    def __init__(self, status: int, error: str) -> None:
        self.status, self.error = status, error


def reward_app(
    source: RewardSource,
    *,
    limits: Limits = Limits(),
    token: str | None = None,
    missing: float | None = None,
) -> FastAPI:
    """The server as an ASGI app: ``POST /get_reward`` and ``GET /health``.

    A request is ``{"query": [...], "prompts": [...], "labels": [...]}``; each label is the case
    that its completion completes (JSON text or an object). The answer is ``{"rewards", "scores",
    "extra_logs": {"judged"}, "reasons"}``, each list by completion; a reward is ``missing``
    (``null`` unless set) where nothing was judged, and the reason says why. With ``token``, a
    request needs ``Authorization: Bearer TOKEN``.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await source.aclose()

    app = FastAPI(
        title="Adjudge rewards", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan
    )

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok", "judge": source.made.name, "version": source.made.version}

    @app.post("/get_reward")
    async def get_reward(request: Request) -> Response:
        try:
            _authorize(request, token)
            asked = _parse(await _body(request, limits.bytes), limits.batch)
            cases, reasons = _cases(source, asked)
            results = await source.judged(cases, seconds=limits.seconds)
        except _Refused as refused:
            return JSONResponse({"error": refused.error}, refused.status)
        except Fault as fault:
            return JSONResponse({"error": str(fault)}, 422)
        return JSONResponse(_answer(results, reasons, missing))

    return app


def _authorize(request: Request, token: str | None) -> None:
    if token is None:
        return
    given = request.headers.get("authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        raise _Refused(401, "expected Authorization: Bearer with this server's token")


async def _body(request: Request, most: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise _Refused(413, f"expected at most {most} bytes; send smaller batches")
    return bytes(body)


def _parse(body: bytes, most: int) -> RewardRequest:
    try:
        asked = RewardRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        expected = 'expected {"query": [text], "prompts": [text], "labels": [case]}'
        raise _Refused(422, f"{where}: {first['msg']}; {expected}") from None
    counts = len(asked.query), len(asked.prompts), len(asked.labels)
    if len(set(counts)) > 1:
        found = f"{counts[0]} query, {counts[1]} prompts, {counts[2]} labels"
        raise _Refused(422, f"expected lists of one length, found {found}")
    if counts[0] > most:
        raise _Refused(413, f"expected at most {most} completions, found {counts[0]}")
    return asked


def _cases(source: RewardSource, asked: RewardRequest) -> tuple[list[Any], list[str | None]]:
    """A case for each completion, or ``None`` and why there is none."""
    cases: list[Any] = []
    reasons: list[str | None] = []
    for query, prompt, label in zip(asked.query, asked.prompts, asked.labels, strict=True):
        case, reason = None, None
        completion = completion_in(query, prompt)
        if completion is None:
            reason = "no_completion: the query does not hold the prompt"
        else:
            try:
                case = source.case_of(prompt, completion, {source.column: label})
            except Fault as fault:
                reason = f"no_case: {fault}"
        cases.append(case)
        reasons.append(reason)
    return cases, reasons


def completion_in(query: str, prompt: str) -> str | None:
    """What follows the prompt in the query, less special tokens at its end; ``None`` where the
    query does not hold the prompt.

    >>> completion_in("<s>Plan: pick(mug)</s>", "Plan:")
    ' pick(mug)'
    """
    start = query.find(prompt)
    if start < 0:
        return None
    return _ENDINGS.sub("", query[start + len(prompt) :])


def _answer(
    results: list[Judged], reasons: list[str | None], missing: float | None
) -> dict[str, Any]:
    rewards = [missing if result.reward is None else result.reward for result in results]
    return {
        "rewards": rewards,
        "scores": rewards,
        "extra_logs": {"judged": [float(result.reward is not None) for result in results]},
        "reasons": [own or result.reason for own, result in zip(reasons, results, strict=True)],
    }
