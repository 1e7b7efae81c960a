"""The result of judging one case."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.contract.asking import Usage
from adjudge.contract.base import Frozen, JsonObject, ScoreValue, Status
from adjudge.contract.evidence import Finding


class OpinionRecord(Frozen):
    """One juror as the verdict remembers it; ``scores`` are the juror's own, before bounds."""

    model: str | None
    sample: int
    status: Status
    reason: str | None
    scores: Mapping[str, ScoreValue]
    replies: tuple[JsonObject, ...]


class BoundRecord(Frozen):
    """The intersection of a dimension's hard bounds and the findings behind it."""

    allowed: tuple[ScoreValue, ...]
    because: tuple[str, ...]


class Verdict(Frozen):
    """One case's result: a status and, where scored, scores inside the bounds, with the evidence.

    A dimension has a value, is ``None`` (not applicable), or is absent from ``scores`` and named
    in ``unscored`` with its reason. ``raw_scores`` are the juror's own where bounds moved them.
    """

    case_id: str | None
    position: int
    judge: str
    judge_version: str
    method: str
    status: Status
    reason: str | None = None
    scores: Mapping[str, ScoreValue] = {}
    unscored: Mapping[str, str] = {}
    success: bool | None = None
    reward: float | None = None
    bounds: Mapping[str, BoundRecord] = {}
    rules: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    output: JsonObject | None = None
    raw_scores: Mapping[str, ScoreValue] | None = None
    flags: tuple[str, ...] = ()
    opinions: tuple[OpinionRecord, ...] = ()
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    details: JsonObject = {}

    def to_json(self) -> str:
        """The verdict as one line of JSON, byte for byte the same for equal verdicts."""
        return self.model_dump_json()
