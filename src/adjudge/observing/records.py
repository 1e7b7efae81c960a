"""What is asked and concluded, as records of Python's ``logging`` under the logger ``adjudge``.

A record's ``event`` names it and ``fields`` holds its values. Runs, questions asked again and
questions that failed are ``INFO``; every question sent or answered and every verdict ``DEBUG``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from time import monotonic
from typing import Any

from adjudge.observing.events import Asked, CaseAt, Ended, explanation, kind_of

LOGGER = logging.getLogger("adjudge")
# Without it Python prints warnings of libraries on standard error where nobody set up logging.
LOGGER.addHandler(logging.NullHandler())

_case: ContextVar[CaseAt | None] = ContextVar("adjudge_case", default=None)


class Records:
    """The observer. ``content`` says whether prompts, answers and explanations are in records."""

    def __init__(self) -> None:
        self.content = False

    def listens(self) -> bool:
        """Whether anyone reads such records."""
        return LOGGER.isEnabledFor(logging.INFO)

    def exchange(self, asked: Asked) -> _Exchange:
        """See ``Observer``."""
        return _Exchange(asked, self.content)

    def sitting(self, case: CaseAt) -> _Sitting:
        """See ``Observer``."""
        return _Sitting(case, self.content)

    def run(self, event: str, fields: Mapping[str, Any]) -> None:
        """See ``Observer``."""
        _write(logging.INFO, event, fields)


RECORDS = Records()


class _Exchange:
    def __init__(self, asked: Asked, content: bool) -> None:
        self._asked = asked
        self._content = content
        self._attempt = 0
        self._sent = 0.0
        self._took: float | None = None
        case = _case.get()
        self._about: dict[str, Any] = {} if case is None else {"case_id": case.case_id}
        self._about["question"] = asked.key
        self._about["model"] = f"{asked.provider}:{asked.model}"
        if asked.server is not None:
            self._about["server"] = "{}:{}".format(*asked.server)

    def sent(self, attempt: int) -> None:
        self._attempt, self._sent, self._took = attempt, monotonic(), None
        fields: dict[str, Any] = {"attempt": attempt}
        if self._content:
            fields["messages"] = [message.model_dump() for message in self._asked.messages]
        self._write(logging.DEBUG, "question.sent", fields)

    def back(self) -> None:
        if self._attempt:
            self._took = monotonic() - self._sent

    def failed(self, error: str, wait: float | None) -> None:
        if wait is not None:
            fields = {**self._attempted(), "error": error, "wait_ms": _ms(wait)}
            self._write(logging.INFO, "question.retried", fields)

    def ended(self, ended: Ended | None) -> None:
        if ended is None:
            self._write(logging.DEBUG, "question.cancelled", self._attempted())
            return
        fields = {
            **self._attempted(),
            "status": ended.status,
            "reason": kind_of(ended.reason),
            "calls": ended.usage.calls,
            "input_tokens": ended.usage.input_tokens,
            "output_tokens": ended.usage.output_tokens,
        }
        if self._content:
            fields.update(reason=ended.reason, text=ended.text)
        if ended.error is None:
            fields["finish"] = ended.finish
            self._write(logging.DEBUG, "question.answered", fields)
        else:
            fields["error"] = ended.error
            self._write(logging.INFO, "question.failed", fields)

    def _attempted(self) -> dict[str, Any]:
        took = None if self._took is None else _ms(self._took)
        return {"attempt": self._attempt, "latency_ms": took}

    def _write(self, level: int, event: str, fields: Mapping[str, Any]) -> None:
        _write(level, event, {**self._about, **fields})


class _Sitting:
    def __init__(self, case: CaseAt, content: bool) -> None:
        self._case = case
        self._content = content
        self._token = _case.set(case)

    def concluded(self, verdict: Mapping[str, Any]) -> None:
        fields = {
            "case_id": self._case.case_id,
            "position": self._case.position,
            "judge": self._case.judge,
            "method": self._case.method,
            "status": verdict["status"],
            "reason": kind_of(verdict["reason"]),
            "scores": verdict["scores"],
            "success": verdict["success"],
            "reward": verdict["reward"],
            "flags": verdict["flags"],
            "rules": verdict["rules"],
            **verdict["usage"],
            "cost_usd": verdict["cost_usd"],
        }
        if self._content:
            fields.update(reason=verdict["reason"], explanation=explanation(verdict))
        _write(logging.DEBUG, "verdict", fields)

    def ended(self) -> None:
        _case.reset(self._token)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


class _Fields(dict[str, Any]):
    """An event's values, in words where a record is written as text."""

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.items())


def _write(level: int, event: str, fields: Mapping[str, Any]) -> None:
    if LOGGER.isEnabledFor(level):
        told = _Fields(fields)
        LOGGER.log(level, "%s %s", event, told, extra={"event": event, "fields": told})
