"""The only place where a score is made: opinions held inside bounds, combined, published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.contract.asking import Usage
from adjudge.contract.base import ScoreValue, Status
from adjudge.contract.evidence import Bound, Evidence
from adjudge.contract.judge import Decision, Judge
from adjudge.contract.opinions import Opinion
from adjudge.contract.scales import Scale
from adjudge.contract.verdicts import BoundRecord, OpinionRecord, Verdict


class BoundsConflict(ValueError):
    """Hard bounds on one dimension that leave no value."""


def intersect(bounds: Sequence[Bound], scales: Mapping[str, Scale]) -> dict[str, BoundRecord]:
    """Dimension to what its hard bounds leave together; only dimensions that have a hard bound.

    Raises ``BoundsConflict`` where nothing is left.
    """
    left: dict[str, frozenset[ScoreValue]] = {}
    because: dict[str, list[str]] = {}
    for bound in bounds:
        if not bound.hard:
            continue
        allowed = bound.allowed
        if bound.dimension in left:
            allowed = left[bound.dimension] & allowed
        if not allowed:
            raise BoundsConflict(f"{bound.dimension}: {bound.rule} leaves no value")
        left[bound.dimension] = allowed
        cited = because.setdefault(bound.dimension, [])
        cited.extend(f for f in bound.because if f not in cited)
    return {
        # of valid bounds: there is nothing to validate
        name: BoundRecord.model_construct(allowed=_ordered(allowed), because=tuple(because[name]))
        for name, allowed in left.items()
    }


def hold(value: ScoreValue, allowed: Sequence[ScoreValue]) -> ScoreValue:
    """The nearest allowed value, the lower one on a tie; the lowest where there is no distance.

    >>> hold(4, [0, 2, 3]), hold(1, [0, 2]), hold(None, [2, 3])
    (3, 0, 2)
    """
    if value in allowed:
        return value
    numbers = [a for a in allowed if isinstance(a, int | float)]
    if isinstance(value, int | float) and numbers:
        given = value
        return min(numbers, key=lambda a: (abs(a - given), a))
    return numbers[0] if numbers else min(allowed, key=_rank)


def combine(values: Sequence[ScoreValue], scale: Scale) -> ScoreValue:
    """Several jurors' values as one: lower median for numbers, majority for choices and null.

    >>> combine([1, 3, 4, 4], Scale.ordinal(0, 4))
    3
    """
    given = [v for v in values if v is not None]
    if len(given) * 2 < len(values) or not given:
        return None
    if scale.kind == "choice":
        counts = Counter(given)
        return min(counts, key=lambda v: (-counts[v], str(v)))
    return sorted(given, key=_rank)[(len(given) - 1) // 2]


def conclude(
    judge: Judge,
    case: Any,
    evidence: Evidence[Any],
    opinions: Sequence[Opinion],
    *,
    position: int = 0,
    method: str = "",
    quorum: int | None = None,
) -> Verdict:
    """The verdict on ``case``: each opinion held inside its evidence, then combined.

    ``quorum`` is how many opinions must be scored (default: more than half). Fewer end in the
    status and reason of the first that was not.
    """
    scales = judge.scales(case)
    bounds = _Bounds(scales)
    jurors = [_hold_juror(opinion, evidence, scales, bounds) for opinion in opinions]
    scored = [juror for juror in jurors if juror.status == "scored"]
    needed = quorum if quorum is not None else len(jurors) // 2 + 1
    shown = scored[0].evidence if scored else next((j.evidence for j in jurors), evidence)
    flags: list[str] = []
    status: Status = "scored"
    reason: str | None = None
    scores: dict[str, ScoreValue] = {}
    unscored: dict[str, str] = {}
    if len(scored) < needed:
        failed = next((j for j in jurors if j.status != "scored"), None)
        status = failed.status if failed else "error"
        reason = (failed.reason if failed else None) or "no_opinion"
        if scored:
            flags.append("no_quorum")
    else:
        for name, scale in scales.items():
            values = [j.scores[name] for j in scored if name in j.scores]
            if len(values) >= min(needed, len(scored)):
                scores[name] = combine(values, scale)
            else:
                unscored[name] = next(
                    (j.opinion.unscored[name] for j in scored if name in j.opinion.unscored),
                    "not_scored",
                )
        flags.extend(_flags(scored, scores))
        chosen = next((j for j in scored if j.scores == scores), scored[0])
        shown = chosen.evidence
    rules = _rules(shown)
    try:
        records = bounds.of(shown)
    except BoundsConflict:
        # the jurors already say so; a verdict shows no bounds that contradict each other
        records = {}
    decision = Decision(
        scores=scores,
        unscored=unscored,
        rules=rules,
        flags=tuple(flags),
        opinion=chosen.opinion if status == "scored" else None,
    )
    published = judge.publish(case, shown, decision)
    moved = status == "scored" and "bounded" in flags
    return Verdict(
        case_id=getattr(case, "id", None),
        position=position,
        judge=judge.name,
        judge_version=judge.version,
        method=method,
        status=status,
        reason=reason,
        scores=scores,
        unscored=unscored,
        success=published.success if status == "scored" else None,
        reward=published.reward if status == "scored" else None,
        bounds=records,
        rules=rules,
        findings=shown.findings,
        output=published.output if status == "scored" else None,
        raw_scores=dict(chosen.opinion.scores) if moved else None,
        flags=tuple(flags),
        opinions=tuple(j.record() for j in jurors),
        usage=opinions[0].usage
        if len(opinions) == 1
        else sum((o.usage for o in opinions), Usage()),
        cost_usd=_cost(opinions),
        details=published.details,
    )


class _Bounds:
    """What the bounds of each evidence leave, worked out once: jurors mostly share theirs."""

    def __init__(self, scales: Mapping[str, Scale]) -> None:
        self._scales = scales
        self._known: dict[int, dict[str, BoundRecord]] = {}

    def of(self, evidence: Evidence[Any]) -> dict[str, BoundRecord]:
        """See ``intersect``."""
        found = self._known.get(id(evidence))
        if found is None:
            found = self._known[id(evidence)] = intersect(evidence.bounds, self._scales)
        return found


class _Juror:
    """An opinion after bounds."""

    def __init__(self, opinion: Opinion, evidence: Evidence[Any]) -> None:
        self.opinion = opinion
        self.evidence = evidence
        self.status: Status = opinion.status
        self.reason = opinion.reason
        self.scores: dict[str, ScoreValue] = {}
        self.flags: list[str] = []

    def fail(self, status: Status, reason: str) -> None:
        self.status, self.reason, self.scores = status, reason, {}

    def flag(self, name: str) -> None:
        if name not in self.flags:
            self.flags.append(name)

    def record(self) -> OpinionRecord:
        own = self.opinion
        return OpinionRecord(
            model=own.model,
            sample=own.sample,
            status=self.status,
            reason=self.reason,
            scores=dict(own.scores),
            replies=own.replies,
        )


def _hold_juror(
    opinion: Opinion, evidence: Evidence[Any], scales: Mapping[str, Scale], bounds: _Bounds
) -> _Juror:
    juror = _Juror(opinion, opinion.evidence or evidence)
    if opinion.status != "scored":
        return juror
    try:
        records = bounds.of(juror.evidence)
    except BoundsConflict as conflict:
        juror.fail("error", f"bounds_conflict: {conflict}")
        return juror
    for name, value in opinion.scores.items():
        scale = scales.get(name)
        if scale is None:
            juror.fail("invalid", f"unknown_dimension: {name}")
            return juror
        if not scale.holds(value):
            found = "null" if value is None else repr(value)[:40]
            juror.fail("invalid", f"out_of_range: {name}={found}")
            return juror
        held = hold(value, records[name].allowed) if name in records else value
        if held != value:
            juror.flag("bounded")
        if any(
            b.dimension == name and value not in b.allowed and (b.disputable or not b.hard)
            for b in juror.evidence.bounds
        ):
            juror.flag("disputed")
        juror.scores[name] = held
    return juror


def _flags(scored: Sequence[_Juror], scores: Mapping[str, ScoreValue]) -> list[str]:
    found = [f for f in ("bounded", "disputed") if any(f in j.flags for j in scored)]
    if any(j.scores != scored[0].scores for j in scored):
        found.append("disagreement")
    return found


def _rules(evidence: Evidence[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(bound.rule for bound in evidence.bounds))


def _cost(opinions: Sequence[Opinion]) -> float | None:
    """The sum, or ``None`` as soon as one price is unknown."""
    total = 0.0
    for opinion in opinions:
        if opinion.cost_usd is None:
            return None
        total += opinion.cost_usd
    return total


def _ordered(values: frozenset[ScoreValue]) -> tuple[ScoreValue, ...]:
    """By rank."""
    if all(type(value) is int for value in values):
        return tuple(sorted(values))  # type: ignore[type-var]
    return tuple(sorted(values, key=_rank))


def _rank(value: ScoreValue) -> tuple[int, float, str]:
    """Numbers first, in order; then choices; null last."""
    if value is None:
        return (2, 0.0, "")
    if isinstance(value, str):
        return (1, 0.0, value)
    return (0, float(value), "")
