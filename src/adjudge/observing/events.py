"""What can be heard: plain values, each event one record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from adjudge.contract import Message, Usage

_KIND = re.compile(r"[a-z][a-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on its way to an endpoint: its ``key`` (the reply is kept under it), who is asked,
    how, and the ``server`` (host and port), if there is one."""

    key: str
    provider: str
    model: str
    server: tuple[str, int] | None
    temperature: float
    max_tokens: int | None
    seed: int | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a question: the reply's ``status``; where no answer came the ``error``; why the
    model stopped, what all attempts used, what it wrote."""

    status: str
    reason: str | None
    error: str | None
    finish: str | None
    usage: Usage
    text: str | None


@dataclass(frozen=True, slots=True)
class CaseAt:
    """A case about to be judged."""

    judge: str
    method: str
    case_id: str | None
    position: int


class Exchange(Protocol):
    """Hears what becomes of one question."""

    def sent(self, attempt: int) -> None:
        """It goes out, for the ``attempt``-th time, from 1."""

    def back(self) -> None:
        """An answer came, or it is certain that none will."""

    def failed(self, error: str, wait: float | None) -> None:
        """No answer came; it will be asked again in ``wait`` seconds, or not at all (``None``)."""

    def ended(self, ended: Ended | None) -> None:
        """Nothing more will come; ``None`` where it was called off."""


class Sitting(Protocol):
    """Hears what becomes of one case."""

    def concluded(self, verdict: Mapping[str, Any]) -> None:
        """The verdict, in its JSON form."""

    def ended(self) -> None:
        """Nothing more will come, with a verdict or without."""


class Observer(Protocol):
    """One who may listen."""

    def listens(self) -> bool:
        """Whether it wants to hear anything now; asked for every question and case."""

    def exchange(self, asked: Asked) -> Exchange:
        """A question is about to be asked."""

    def sitting(self, case: CaseAt) -> Sitting:
        """A case is about to be judged."""

    def run(self, event: str, fields: Mapping[str, Any]) -> None:
        """A run started or ended."""


def kind_of(reason: str | None) -> str | None:
    """The word that a reason begins with; what follows may quote a case or a model.

    >>> kind_of("bad_value: score: found 7"), kind_of("Something else"), kind_of(None)
    ('bad_value', None, None)
    """
    word = (reason or "").partition(":")[0]
    return word if _KIND.match(word) else None


def explanation(verdict: Mapping[str, Any]) -> str | None:
    """The words of a verdict in the judge's published form; they may quote the case."""
    said = [text for text in (verdict.get("output") or {}).values() if isinstance(text, str)]
    return "\n".join(said) or None
