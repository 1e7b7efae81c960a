"""A run held against conditions, for CI."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from adjudge.agreement.conditions import (
    NEWLY_FAILING,
    REWARD,
    SCORED,
    BadCondition,
    Condition,
)
from adjudge.agreement.labels import SUCCESS
from adjudge.agreement.statistics.figure import Figure
from adjudge.contract import Frozen, JsonObject

_MOST_NAMED = 20

Statistic = Callable[[str], Figure]
"""A statistic of agreement by its name (``success.kappa``); raises ``BadCondition``."""


class Outcome(Frozen):
    """One condition over the run: the ``found`` value over ``n``, and whether that meets it.

    ``found`` is ``None`` where there is no value: that does not meet it, for the ``reason`` given.
    ``cases`` are those to look at.
    """

    condition: Condition
    met: bool
    found: float | None
    n: int
    reason: str | None = None
    cases: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """What was found, in words."""
        found = f"found {self.found:g}" if self.found is not None else "found nothing"
        return f"{found} over {self.n:,} cases" + (f" ({self.reason})" if self.reason else "")


class CaseOutcome(Frozen):
    """One case and the ``each`` conditions: which it ``failed``, with what was found; or the
    ``reason`` why it has no verdict."""

    case: str
    failed: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.failed and self.reason is None


class Gate(Frozen):
    """All outcomes. ``cases`` is empty without ``each`` conditions."""

    outcomes: tuple[Outcome, ...]
    cases: tuple[CaseOutcome, ...]

    @property
    def passed(self) -> bool:
        """Whether everything is met."""
        return all(o.met for o in self.outcomes) and all(c.passed for c in self.cases)

    def __str__(self) -> str:
        """What is not met, a line each, with the cases to look at."""
        lines: list[str] = []
        for outcome in self.outcomes:
            if not outcome.met:
                lines.append(f"{outcome.condition}: {outcome.said}")
                lines += [f"  {case}" for case in outcome.cases]
        lines += [
            f"{case.case}: {'; '.join(case.failed) or case.reason}"
            for case in self.cases
            if not case.passed
        ]
        return "\n".join(lines)


def gate(
    verdicts: Iterable[JsonObject],
    conditions: Sequence[Condition],
    *,
    statistic: Statistic | None = None,
    newly_failing: Sequence[str] | None = None,
    confident: bool = False,
) -> Gate:
    """Hold verdicts in their JSON form against ``conditions``.

    All cases must be scored, unless a condition on ``scored`` says otherwise: what was not judged
    is in no other figure. ``confident``: the worse end of a ``statistic``'s interval must meet its
    condition too. Raises ``BadCondition`` for a name that the verdicts do not have.
    """
    if not any(c.name == SCORED for c in conditions):
        conditions = (Condition(kind="min", name=SCORED, value=1.0), *conditions)
    each = [c for c in conditions if c.kind == "each"]
    counted = _Counted()
    cases: list[CaseOutcome] = []
    for verdict in verdicts:
        counted.add(verdict)
        if each:
            cases.append(_case(verdict, each))
    for condition in each:
        counted.check(condition)
    outcomes: list[Outcome] = []
    for condition in conditions:
        if condition.kind == "each":
            continue
        if condition.of_agreement and condition.name not in counted.values:
            if statistic is None:
                raise BadCondition(f"{condition}: expected labels, found none")
            outcomes.append(_of_statistic(condition, statistic(condition.name), confident))
        elif confident and condition.name not in (SCORED, NEWLY_FAILING):
            raise BadCondition(
                f"{condition}: expected a statistic with an interval, such as success.judged, since"
                " --confident is given"
            )
        else:
            outcomes.append(counted.outcome(condition, newly_failing))
    return Gate(outcomes=tuple(outcomes), cases=tuple(cases))


def newly_failing(before: Iterable[JsonObject], after: Iterable[JsonObject]) -> list[str]:
    """Cases that succeeded in one run and fail in the other."""
    fine = {verdict["case_id"] for verdict in before if verdict["success"] is True}
    return [v["case_id"] for v in after if v["success"] is False and v["case_id"] in fine]


class _Counted:
    """Values by name with their cases."""

    def __init__(self) -> None:
        self.total = 0
        self.values: dict[str, list[tuple[float, str]]] = {}
        self.unscored: list[str] = []

    def add(self, verdict: JsonObject) -> None:
        self.total += 1
        case = _name(verdict)
        if verdict["status"] != "scored":
            self.unscored.append(f"{case} ({_why(verdict)})")
        for name, value in _values(verdict).items():
            self.values.setdefault(name, []).append((value, case))

    def check(self, condition: Condition) -> None:
        if self.values and condition.name not in self.values:
            known = ", ".join([SCORED, NEWLY_FAILING, *self.values])
            raise BadCondition(
                f"--{condition.kind}: expected one of {known}, or a statistic of agreement such as "
                f"success.kappa, found {condition.name!r:.60}"
            )

    def outcome(self, condition: Condition, failing: Sequence[str] | None) -> Outcome:
        if condition.name == SCORED:
            if not self.total:
                return _outcome(condition, None, 0, reason="there are no cases")
            share = 1 - len(self.unscored) / self.total
            return _outcome(condition, share, self.total, self.unscored)
        if condition.name == NEWLY_FAILING:
            if failing is None:
                raise BadCondition(f"{condition}: expected a run to compare with (--against)")
            return _outcome(condition, float(len(failing)), self.total, failing)
        self.check(condition)
        values = sorted(self.values.get(condition.name, ()))
        if not values:
            return _outcome(condition, None, 0, reason="no case was scored")
        mean = sum(value for value, _ in values) / len(values)
        lowest = [case for value, case in values if value < condition.value]
        return _outcome(condition, mean, len(values), lowest if condition.kind == "min" else ())


def _outcome(
    condition: Condition,
    found: float | None,
    n: int,
    cases: Sequence[str] = (),
    reason: str | None = None,
) -> Outcome:
    met = found is not None and condition.met_by(found)
    shown = () if met else tuple(cases[:_MOST_NAMED])
    return Outcome(condition=condition, met=met, found=found, n=n, reason=reason, cases=shown)


def _of_statistic(condition: Condition, figure: Figure, confident: bool) -> Outcome:
    if figure.value is None or not confident:
        return _outcome(condition, figure.value, figure.n, reason=figure.reason)
    worse = figure.high if condition.kind == "max" else figure.low
    if worse is None:
        reason = f"{figure.value:g}, without an interval: {figure.reason}"
        return _outcome(condition, None, figure.n, reason=reason)
    return _outcome(condition, worse, figure.n, reason=f"the worse end of {figure.value:g}")


def _case(verdict: JsonObject, each: Sequence[Condition]) -> CaseOutcome:
    if verdict["status"] != "scored":
        return CaseOutcome(case=_name(verdict), reason=_why(verdict))
    values = _values(verdict)
    failed: list[str] = []
    for condition in each:
        name = condition.name
        if name in values:
            if not condition.met_by(values[name]):
                failed.append(f"{condition}: found {values[name]:g}")
        elif name not in verdict["scores"]:  # there it is null: it does not apply
            failed.append(f"{condition}: found nothing ({verdict['unscored'].get(name, 'none')})")
    return CaseOutcome(case=_name(verdict), failed=tuple(failed))


def _name(verdict: JsonObject) -> str:
    case_id: str | None = verdict["case_id"]
    return case_id if case_id is not None else f"position {verdict['position']}"


def _why(verdict: JsonObject) -> str:
    reason = verdict["reason"]
    return f"{verdict['status']}: {reason}" if reason else str(verdict["status"])


def _values(verdict: JsonObject) -> dict[str, float]:
    found = {
        name: float(score)
        for name, score in verdict["scores"].items()
        if isinstance(score, int | float)
    }
    for name in (SUCCESS, REWARD):
        if verdict[name] is not None:
            found[name] = float(verdict[name])
    return found
