"""What many verdicts come to: scores per dimension, issues and findings by frequency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from adjudge.contract import JsonObject


class Summary:
    """Counts over verdicts in their JSON form, one at a time; memory does not grow with them.

    >>> summary = Summary(["knowledge"])
    >>> for score in (5, 2, None):
    ...     summary.add({"status": "scored", "scores": {"knowledge": score}})
    >>> summary.as_json()["dimensions"]["knowledge"]["mean"]
    3.5
    """

    def __init__(self, dimensions: Iterable[str] = ()) -> None:
        self._scores: dict[str, Counter[Any]] = {name: Counter() for name in dimensions}
        self._unscored: dict[str, Counter[str]] = {}
        self._statuses: Counter[str] = Counter()
        self._issues: Counter[str] = Counter()
        self._findings: Counter[str] = Counter()
        self._flags: Counter[str] = Counter()

    def add(self, verdict: Mapping[str, Any]) -> None:
        """Count one verdict."""
        status = verdict["status"]
        self._statuses[status] += 1
        self._flags.update(verdict.get("flags") or ())
        self._findings.update(f["kind"] for f in verdict.get("findings") or ())
        if status != "scored":
            return
        for name, score in (verdict.get("scores") or {}).items():
            self._scores.setdefault(name, Counter())[score] += 1
        for name, reason in (verdict.get("unscored") or {}).items():
            self._scores.setdefault(name, Counter())
            self._unscored.setdefault(name, Counter())[reason] += 1
        # a tag counts once a response, however often it is given there
        self._issues.update(set((verdict.get("output") or {}).get("issues") or ()))

    def as_json(self) -> JsonObject:
        """``total``, ``statuses``, ``dimensions``, ``issues``, ``findings``, ``flags``.

        A dimension has ``mean`` (``None`` without a score, or where scores are choices) over ``n``
        scores, their ``distribution``, and how many verdicts were ``null`` (not applicable),
        ``unscored`` (with reasons) and ``failed`` (no verdict was reached).
        """
        failed = sum(n for status, n in self._statuses.items() if status != "scored")
        return {
            "total": sum(self._statuses.values()),
            "statuses": dict(self._statuses.most_common()),
            "dimensions": {
                name: self._dimension(name, counted, failed)
                for name, counted in self._scores.items()
            },
            "issues": dict(self._issues.most_common()),
            "findings": dict(self._findings.most_common()),
            "flags": dict(self._flags.most_common()),
        }

    def _dimension(self, name: str, counted: Counter[Any], failed: int) -> JsonObject:
        values = {score: n for score, n in counted.items() if score is not None}
        n = sum(values.values())
        numbers = all(isinstance(score, int | float) for score in values)
        total = sum(score * times for score, times in values.items()) if numbers else 0
        unscored = self._unscored.get(name, Counter())
        return {
            "mean": total / n if n and numbers else None,
            "n": n,
            "distribution": {str(score): values[score] for score in sorted(values)},
            "null": counted.get(None, 0),
            "unscored": dict(unscored.most_common()),
            "failed": failed,
        }


def summarise(verdicts: Iterable[Mapping[str, Any]], dimensions: Iterable[str] = ()) -> JsonObject:
    """The ``Summary`` of verdicts in their JSON form."""
    summary = Summary(dimensions)
    for verdict in verdicts:
        summary.add(verdict)
    return summary.as_json()
