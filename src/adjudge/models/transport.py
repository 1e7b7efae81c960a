"""The one public seam between Adjudge and a language model: one request in, one response out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from adjudge.contract import Message, ReplyStatus, Usage
from adjudge.models.allowance import Allowance
from adjudge.models.forms import Form

Finish = Literal["stop", "length", "refusal", "other"]
"""Why a model stopped: said all, ran into the token limit, would not answer, anything else."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an answer is drawn. ``max_tokens`` and ``seed`` are left to the endpoint when ``None``.

    With a ``seed``, sample *n* is drawn with ``seed + n``.
    """

    temperature: float = 0.0
    max_tokens: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question as a transport sees it; nothing in it belongs to one provider.

    ``form`` carries the JSON schema of the answer (``form.schema``, ``form.schema_json``);
    ``sample`` numbers the answers when one question is asked several times. So many characters of
    the last message as ``shared`` says, and all messages before it, stand in other requests as
    well; it shapes no answer.
    """

    messages: tuple[Message, ...]
    form: Form
    sampling: Sampling = Sampling()
    sample: int = 0
    shared: int = 0

    @property
    def seed(self) -> int | None:
        """The seed of this sample."""
        return None if self.sampling.seed is None else self.sampling.seed + self.sample


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """What a model said.

    ``text`` is the answer without reasoning parts, ``refusal`` the model's words where it would
    not answer, ``raw`` the whole body as it came, ``without`` the parts of the request that the
    endpoint does not know (``schema``, ``temperature`` …) and that were left out, ``told`` what its
    headers say is still allowed.
    """

    text: str
    finish: Finish = "stop"
    refusal: str | None = None
    usage: Usage = field(default=Usage(calls=1))
    raw: str | None = None
    without: tuple[str, ...] = ()
    told: tuple[Allowance, ...] = ()


class ModelFailure(Exception):
    """A request that brought no answer.

    ``status`` is the reply's (``error``, ``overflow``, ``refused``); ``retryable`` says whether
    asking again can help, ``retry_after`` in how many seconds the endpoint wants to be asked
    again, ``usage`` what the endpoint counted all the same, ``told`` what it still allows.
    """

    def __init__(
        self,
        reason: str,
        *,
        status: ReplyStatus = "error",
        retryable: bool = False,
        retry_after: float | None = None,
        http_status: int | None = None,
        raw: str | None = None,
        usage: Usage = Usage(calls=1),
        told: tuple[Allowance, ...] = (),
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status: ReplyStatus = status
        self.retryable = retryable
        self.retry_after = retry_after
        self.http_status = http_status
        self.raw = raw
        self.usage = usage
        self.told = told

    @property
    def rate_limited(self) -> bool:
        """Whether too much was asked, and asking again later can help (429)."""
        return self.http_status == 429 and self.retryable


class Unanswered(BaseException):
    """There is no answer yet: the question, and the case it is about, are left for another time.

    It is no ``Exception``, so that nobody takes it for a failure of the request.
    """


@runtime_checkable
class Transport(Protocol):
    """Anything that can answer one request.

    Raise ``ModelFailure`` to say how it failed. ``TimeoutError`` and ``OSError`` are taken as
    faults of the connection and tried again; ``Unanswered`` leaves the case for another time; any
    other exception ends the question as ``error``.

    >>> class Parrot:
    ...     async def send(self, request: ModelRequest) -> ModelResponse:
    ...         return ModelResponse('{"score": 3}')
    >>> isinstance(Parrot(), Transport)
    True
    """

    async def send(self, request: ModelRequest) -> ModelResponse:
        """Ask once; no retries."""
        ...
