"""The decision table: exactly one row decides, and it is the one that the rules name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from adjudge.judges.robot.rules import TABLE, Situation, decide


def _grid() -> Iterator[Situation]:
    flags = [False, True]
    for executed, interactions in ((0, 0), (2, 0), (3, 1), (5, 4)):
        for values in product(
            flags, flags, flags, flags, flags, flags, flags, flags, flags, flags, flags
        ):
            for shorter, progress, ratio in (
                (None, None, 0.2),
                (False, 0.0, 0.5),
                (True, 0.49, 0.9),
                (False, 0.5, 0.49),
                (None, 1.0, 1.0),
            ):
                exempt, known, relevant, met, failed, violated = values[:6]
                gap, failed_gap, redundant, certain, lone = values[6:]
                yield Situation(
                    executed=executed,
                    interactions=interactions,
                    exempt=exempt,
                    goal_known=known,
                    relevant=relevant,
                    met=met,
                    failed=failed,
                    violated=violated,
                    gap=gap,
                    failed_gap=failed_gap,
                    redundant=redundant,
                    shorter=shorter,
                    certain=certain,
                    progress=progress,
                    lone_pick=lone,
                    step_ratio=ratio,
                )


def _by_hand(s: Situation) -> tuple[str, set[int]]:
    """The decision tree, written as one would say it."""
    if s.executed == 0:
        return "empty_trace", {0}
    if s.interactions == 0 and not s.exempt:
        return "navigation_only", {0}
    if not s.goal_known:
        if not s.failed:
            return "goal_unknown", {0, 1, 2, 3, 4}
        return "goal_unknown", {0, 1, 3} | ({2} if s.step_ratio >= 0.5 else set())
    if not s.relevant:
        return "irrelevant", {0}
    if not s.met:
        if s.lone_pick:
            return "incomplete", {1}
        if s.progress is None:
            return "incomplete", {1, 2}
        return "incomplete", {1} if s.progress < 0.5 else {2}
    if s.failed:
        return "crash_after_goal", {3}
    if s.violated:
        return "precondition_violated", {3}
    if s.gap:
        return "logic_gap", {3}
    if s.redundant or s.shorter:
        return "inefficient", {3}
    if s.shorter is False and s.certain:
        return "efficient", {4}
    return "efficiency_unknown", {3, 4}


def test_exactly_one_row_decides_over_a_grid_of_facts() -> None:
    deciding: dict[str, int] = {}
    for situation in _grid():
        ruling = decide(situation)
        rule, allowed = _by_hand(situation)
        assert (ruling.row.rule, set(ruling.allowed)) == (rule, allowed)
        before = TABLE[: TABLE.index(ruling.row)]
        assert not any(row.when(situation) for row in before)
        # what the rules that fired leave together is what the deciding row allows
        left = frozenset(range(5))
        for _, scores in ruling.rules:
            left &= scores
        assert left == ruling.allowed
        deciding[ruling.row.rule] = deciding.get(ruling.row.rule, 0) + 1
    assert set(deciding) == {row.rule for row in TABLE}


def test_the_rules_say_what_stands_beside_the_deciding_row() -> None:
    crash = next(
        s
        for s in _grid()
        if s.met and s.failed and s.failed_gap and s.goal_known and s.relevant and s.interactions
    )
    assert [rule for rule, _ in decide(crash).rules] == [
        "goal_met",
        "crash_after_goal",
        "logic_gap",
    ]
