"""What a run came to, in numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from adjudge.contract import BUDGET, ScoreValue
from adjudge.runs.brief import Brief

_UNREAD = ("bad_json", "unreadable")


@dataclass
class Tally:
    """Counts over verdicts: by status, reason, score of each dimension, rule, flag and kind of
    failure in the trajectory. Real scores are counted to one decimal.

    Of the models' opinions: all of them, those ``settled`` without a question, the ``answers`` in
    them, and how the failed ones failed.
    """

    total: int = 0
    unread: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    scores: dict[str, Counter[ScoreValue]] = field(default_factory=dict)
    rules: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    opinions: int = 0
    settled: int = 0
    answers: int = 0
    jurors_failed: Counter[str] = field(default_factory=Counter)

    def add(self, brief: Brief) -> None:
        """Count one verdict."""
        self.total += 1
        self.statuses[brief.status] += 1
        if brief.reason is not None:
            reason = brief.reason.partition(":")[0]
            self.reasons[brief.status, reason] += 1
            self.unread += reason in _UNREAD
        for dimension, score in brief.scores.items():
            value = round(score, 1) if isinstance(score, float) else score
            self.scores.setdefault(dimension, Counter())[value] += 1
        self.rules.update(brief.rules)
        self.flags.update(brief.flags)
        if brief.failure is not None:
            self.failures[brief.failure] += 1
        self.opinions += brief.opinions
        self.settled += brief.settled
        self.answers += brief.answers
        for status, why in brief.jurors_failed:
            self.jurors_failed[f"{status}: {(why or 'no reason').partition(':')[0]}"] += 1

    @property
    def left_open(self) -> int:
        """How many cases were not judged for want of budget."""
        return self.reasons["skipped", BUDGET]

    @property
    def all_scored(self) -> bool:
        """Whether there was something and all of it was scored."""
        return 0 < self.total == self.statuses["scored"]

    @property
    def nothing_read(self) -> bool:
        """Whether not one record could be read."""
        return self.unread == self.total


def briefs(lines: Iterable[str]) -> Iterator[Brief]:
    """The briefs of verdicts in JSON lines."""
    for line in lines:
        yield Brief.of_json(json.loads(line))
