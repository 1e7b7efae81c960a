"""One fault: what an endpoint does instead of answering well. Plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from adjudge.contract import JsonObject
from adjudge.testing.wire import DialectName

Answer = dict[str, Any]
Cut = Literal["", "before", "within", "half"]
FOREVER = 10_000
BOTH: tuple[DialectName, ...] = ("openai", "anthropic")


@dataclass(frozen=True, slots=True)
class Error:
    """An error body in the words of the dialect."""

    message: str
    kind: str = "invalid_request_error"
    code: str | int | None = None
    param: str | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """What the endpoint does with one request.

    It answers ``text`` (made from the scripted answer), an ``error`` or the bare ``body``; after
    ``before`` seconds, with a pause of ``within`` seconds in the middle of the body; ``cut`` drops
    the connection before the headers, within the body, or shuts only its own side of it.
    """

    status: int = 200
    headers: Mapping[str, str | Callable[[], str]] = field(default_factory=dict)
    text: Callable[[Answer], str] | None = None
    finish: str = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    as_parts: bool = False
    error: Error | None = None
    body: bytes | str | None = None
    edit: Callable[[JsonObject], Any] | None = None
    spoil: Callable[[bytes], bytes] | None = None
    before: float = 0.0
    within: float = 0.0
    cut: Cut = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to misbehave: ``play`` for the first ``times`` requests of a question, then well.

    ``when`` limits it to some requests; ``slow`` says that only a client's time-out ends it.
    """

    name: str
    about: str
    play: Play
    times: int = FOREVER
    when: Callable[[JsonObject], bool] | None = None
    dialects: tuple[DialectName, ...] = BOTH
    slow: bool = False

    def meets(self, body: JsonObject, nth: int) -> bool:
        """Whether the ``nth`` request (0, 1 …) of a question is met with the fault."""
        return nth < self.times and (self.when is None or self.when(body))
