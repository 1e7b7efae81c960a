"""The few things about a verdict that a summary counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from adjudge.contract import ScoreValue, Verdict


class Brief(NamedTuple):
    """Status, reason, scores, rules, flags, and the kind of failure in the trajectory, if any."""

    status: str
    reason: str | None
    scores: Mapping[str, ScoreValue]
    rules: tuple[str, ...]
    flags: tuple[str, ...]
    failure: str | None

    @classmethod
    def of(cls, verdict: Verdict) -> Brief:
        """The brief of a verdict."""
        return cls(
            verdict.status,
            verdict.reason,
            dict(verdict.scores),
            verdict.rules,
            verdict.flags,
            _failure(verdict.details),
        )

    @classmethod
    def of_json(cls, verdict: Mapping[str, Any]) -> Brief:
        """The brief of a verdict as parsed JSON."""
        return cls(
            verdict["status"],
            verdict["reason"],
            verdict["scores"],
            tuple(verdict["rules"]),
            tuple(verdict["flags"]),
            _failure(verdict["details"]),
        )


def _failure(details: Mapping[str, Any]) -> str | None:
    """What went wrong in the trajectory that was judged: ``details.trace.error.kind``."""
    trace = details.get("trace")
    error = trace.get("error") if isinstance(trace, Mapping) else None
    kind = error.get("kind") if isinstance(error, Mapping) else None
    return kind if isinstance(kind, str) else None
