"""The few things about a verdict that a summary counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from adjudge.contract import BUDGET, ScoreValue, Verdict


def is_left_open(status: str, reason: str | None) -> bool:
    """Whether something was not asked for want of budget: it counts as not there."""
    return status == "skipped" and reason == BUDGET


class Brief(NamedTuple):
    """Status, reason, scores, rules, flags, and the kind of failure in the trajectory, if any.

    Of the models' opinions: how many there are, how many were ``settled`` without a question, how
    many ``answers`` are in them, and status and reason of each that is not scored.
    """

    status: str
    reason: str | None
    scores: Mapping[str, ScoreValue]
    rules: tuple[str, ...]
    flags: tuple[str, ...]
    failure: str | None
    opinions: int = 0
    settled: int = 0
    answers: int = 0
    jurors_failed: tuple[tuple[str, str | None], ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the verdict, or a model's opinion in it, is not scored."""
        return self.status != "scored" or bool(self.jurors_failed)

    @property
    def left_open(self) -> bool:
        """Whether the case was not judged for want of budget."""
        return is_left_open(self.status, self.reason)

    @classmethod
    def of(cls, verdict: Verdict) -> Brief:
        """The brief of a verdict."""
        asked = [o for o in verdict.opinions if o.model is not None]
        return cls(
            verdict.status,
            verdict.reason,
            dict(verdict.scores),
            verdict.rules,
            verdict.flags,
            _failure(verdict.details),
            len(asked),
            sum(o.status == "scored" and not o.replies for o in asked),
            sum(len(o.replies) for o in asked),
            tuple((o.status, o.reason) for o in asked if o.status != "scored"),
        )

    @classmethod
    def of_json(cls, verdict: Mapping[str, Any]) -> Brief:
        """The brief of a verdict as parsed JSON."""
        asked = [o for o in verdict["opinions"] if o["model"] is not None]
        return cls(
            verdict["status"],
            verdict["reason"],
            verdict["scores"],
            tuple(verdict["rules"]),
            tuple(verdict["flags"]),
            _failure(verdict["details"]),
            len(asked),
            sum(o["status"] == "scored" and not o["replies"] for o in asked),
            sum(len(o["replies"]) for o in asked),
            tuple((o["status"], o["reason"]) for o in asked if o["status"] != "scored"),
        )


def _failure(details: Mapping[str, Any]) -> str | None:
    """What went wrong in the trajectory that was judged: ``details.trace.error.kind``."""
    trace = details.get("trace")
    error = trace.get("error") if isinstance(trace, Mapping) else None
    kind = error.get("kind") if isinstance(error, Mapping) else None
    return kind if isinstance(kind, str) else None
