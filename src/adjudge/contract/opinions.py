"""What one method and model make of a case, before bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudge.contract.asking import Usage
from adjudge.contract.base import Frozen, JsonObject, ScoreValue, Status
from adjudge.contract.evidence import Evidence


class Opinion(Frozen):
    """One juror's view: scores per dimension, the text that goes with them, what it cites.

    ``evidence`` replaces the case's own where the method proved more on its way (``grounded``).
    ``unscored`` names dimensions left open, with the reason. ``model``, ``sample``, ``replies``
    and ``usage`` are filled by whoever asked the model; a method leaves them alone.
    """

    scores: Mapping[str, ScoreValue] = {}
    output: JsonObject = {}
    cites: tuple[str, ...] = ()
    evidence: Evidence[Any] | None = None
    status: Status = "scored"
    reason: str | None = None
    unscored: Mapping[str, str] = {}
    model: str | None = None
    sample: int = 0
    replies: tuple[JsonObject, ...] = ()
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
