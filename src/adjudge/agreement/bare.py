"""What a run's models would have scored without bounds, from the values they gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.agreement.labels import SUCCESS
from adjudge.agreement.units import Judged, Unjudged
from adjudge.contract import Decision, Evidence, JsonObject, Judge, Opinion, ScoreValue, combine


@dataclass(frozen=True, slots=True)
class Bare:
    """One verdict without its bounds: values by dimension (and ``success``), and which rules held
    some model's value back."""

    values: Mapping[str, Judged]
    rules: tuple[str, ...]


def was_asked(verdict: JsonObject) -> bool:
    """Whether the verdict rests on what models answered, and on nothing else."""
    scored = [o for o in verdict["opinions"] if o["status"] == "scored"]
    return bool(scored) and all(opinion["replies"] for opinion in scored)


def bare_of(judge: Judge, case: Any, verdict: JsonObject) -> Bare | None:
    """The verdict as if there were no bounds; ``None`` where no model was asked, or it failed.

    Nobody is asked again: each opinion's own scores are kept in the verdict. ``success`` is said by
    the judge.
    """
    if verdict["status"] != "scored" or not was_asked(verdict):
        return None
    opinions = [o for o in verdict["opinions"] if o["status"] == "scored"]
    scales = judge.scales(case)
    scores: dict[str, ScoreValue] = {}
    for name in verdict["scores"]:
        values = [o["scores"][name] for o in opinions if name in o["scores"]]
        if values:
            scores[name] = combine(values, scales[name])
    evidence = judge.check(case)
    bare: dict[str, Judged] = dict(scores)
    if verdict["success"] is not None:
        bare[SUCCESS] = _success(judge, case, evidence, verdict, scores)
    return Bare(bare, _held(evidence, verdict, opinions))


def _success(
    judge: Judge,
    case: Any,
    evidence: Evidence[Any],
    verdict: JsonObject,
    scores: Mapping[str, ScoreValue],
) -> Judged:
    said = Decision(
        scores=scores,
        unscored={},
        rules=(),
        flags=(),
        opinion=Opinion(scores=scores, output=verdict["output"] or {}),
    )
    try:
        success = judge.publish(case, evidence.model_copy(update={"bounds": ()}), said).success
    except Exception as fault:  # a judge may need more of the opinion than a verdict keeps
        return Unjudged(f"{type(fault).__name__} when it was published")
    return Unjudged("no success or failure") if success is None else success


def _held(
    evidence: Evidence[Any], verdict: JsonObject, opinions: Sequence[JsonObject]
) -> tuple[str, ...]:
    """The rules that a model's value broke.

    Where a model led to other bounds than the case alone has, and bounds moved it, it is all rules
    of the verdict.
    """
    hard = [bound for bound in evidence.bounds if bound.hard]
    if {bound.rule for bound in evidence.bounds} != set(verdict["rules"]):
        return tuple(verdict["rules"]) if "bounded" in verdict["flags"] else ()
    broken = (
        bound.rule
        for bound in hard
        for opinion in opinions
        if bound.dimension in opinion["scores"]
        and opinion["scores"][bound.dimension] not in bound.allowed
    )
    return tuple(dict.fromkeys(broken))
