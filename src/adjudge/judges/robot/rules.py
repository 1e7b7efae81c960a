"""The decision table: from what was proved to the scores that are left. Exactly one row decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Situation:
    """What the table asks about a case.

    ``shorter``: a way with fewer steps exists; ``None`` where the search gave up. ``progress``:
    semantic progress, 0 to 1; ``None`` where the way is unknown. ``certain``: the goal is complete,
    or its verbs are known. ``lone_pick``: the only interaction is one pick.
    """

    executed: int
    interactions: int
    exempt: bool
    goal_known: bool
    relevant: bool
    met: bool
    failed: bool
    violated: bool
    gap: bool
    failed_gap: bool
    redundant: bool
    shorter: bool | None
    certain: bool
    progress: float | None
    lone_pick: bool
    step_ratio: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its rule, the rule that stands before it where it is a case of one, when it
    decides, and what it allows then."""

    rule: str
    when: Callable[[Situation], bool]
    allowed: Callable[[Situation], frozenset[int]]
    under: str | None = None


def _only(*scores: int) -> Callable[[Situation], frozenset[int]]:
    left = frozenset(scores)
    return lambda _: left


def _incomplete(s: Situation) -> frozenset[int]:
    if s.lone_pick:
        return frozenset({1})
    if s.progress is None:
        return frozenset({1, 2})
    return frozenset({1 if s.progress < 0.5 else 2})


def _unknown(s: Situation) -> frozenset[int]:
    if not s.failed:
        return frozenset(range(5))
    return frozenset({0, 1, 2, 3} if s.step_ratio >= 0.5 else {0, 1, 3})


_MET = "goal_met"

TABLE: tuple[Row, ...] = (
    Row("empty_trace", lambda s: s.executed == 0, _only(0)),
    Row("navigation_only", lambda s: s.interactions == 0 and not s.exempt, _only(0)),
    Row("irrelevant", lambda s: s.goal_known and not s.relevant, _only(0)),
    Row("crash_after_goal", lambda s: s.goal_known and s.met and s.failed, _only(3), _MET),
    Row("precondition_violated", lambda s: s.goal_known and s.met and s.violated, _only(3), _MET),
    Row("logic_gap", lambda s: s.goal_known and s.met and s.gap, _only(3), _MET),
    Row(
        "inefficient",
        lambda s: s.goal_known and s.met and (s.redundant or s.shorter is True),
        _only(3),
        _MET,
    ),
    Row(
        "efficient",
        lambda s: s.goal_known and s.met and s.shorter is False and s.certain,
        _only(4),
        _MET,
    ),
    Row("efficiency_unknown", lambda s: s.goal_known and s.met, _only(3, 4), _MET),
    Row("incomplete", lambda s: s.goal_known, _incomplete),
    Row("goal_unknown", lambda s: True, _unknown),
)
"""In this order; the first row whose condition holds decides."""

GOAL_RULES = frozenset(
    {_MET, *(row.rule for row in TABLE)} - {"empty_trace", "navigation_only", "goal_unknown"}
)
"""The rules that rest on knowing the goal."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The deciding row and the rules that fired, each with what it allows."""

    row: Row
    allowed: frozenset[int]
    rules: tuple[tuple[str, frozenset[int]], ...]


def decide(situation: Situation) -> Ruling:
    """The first row that applies.

    A failure after the goal was met shows ``logic_gap`` beside it where the failed step was one
    that the audit wanted.
    """
    row = next(row for row in TABLE if row.when(situation))
    allowed = row.allowed(situation)
    rules: list[tuple[str, frozenset[int]]] = []
    if row.under is not None:
        rules.append((row.under, frozenset({3, 4})))
    rules.append((row.rule, allowed))
    if row.rule == "crash_after_goal" and situation.failed_gap:
        rules.append(("logic_gap", frozenset({3})))
    return Ruling(row, allowed, tuple(rules))
