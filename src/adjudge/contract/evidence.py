"""What was proved: findings, the bounds that follow from them, and a judge's own facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Literal, TypeVar

from adjudge.contract.base import Frozen, JsonObject, ScoreValue

F = TypeVar("F")
Severity = Literal["info", "warning", "error"]


class Finding(Frozen):
    """One proved fact about a case.

    ``at`` says where it stands: ``{"step": 3}``, ``{"message": 2, "call": "c1"}``,
    ``{"field": "instruction"}``. Ids are F1, F2 …: appended, never renumbered.
    """

    id: str
    kind: str
    severity: Severity
    at: JsonObject
    text: str


class Bound(Frozen):
    """The values that ``rule`` allows for one dimension, and the findings behind it.

    A hard bound holds whatever a model says. A soft one only flags. ``disputable`` marks a bound
    that rests on a reading rather than on a given fact: a model that is held by it leaves the flag
    ``disputed`` on the verdict.
    """

    dimension: str
    allowed: frozenset[ScoreValue]
    rule: str
    because: tuple[str, ...] = ()
    hard: bool = True
    disputable: bool = False


class Evidence(Frozen, Generic[F]):
    """All that plain code knows about a case before anyone gives an opinion."""

    findings: tuple[Finding, ...]
    bounds: tuple[Bound, ...]
    facts: F

    def with_findings(self, more: Iterable[Finding]) -> Evidence[F]:
        """The same evidence with ``more`` appended under the next free ids."""
        found = list(self.findings)
        for finding in more:
            found.append(finding.model_copy(update={"id": f"F{len(found) + 1}"}))
        return self.model_copy(update={"findings": tuple(found)})


class FindingLog:
    """Findings in the making: numbers them F1, F2 … in the order they are added.

    >>> log = FindingLog()
    >>> log.add("unknown_tool", "error", {"call": "c1"}, "no tool is called fetch")
    'F1'
    """

    def __init__(self) -> None:
        self._findings: list[Finding] = []

    def add(self, kind: str, severity: Severity, at: JsonObject, text: str) -> str:
        """Append one finding and return its id."""
        found = f"F{len(self._findings) + 1}"
        self._findings.append(Finding(id=found, kind=kind, severity=severity, at=at, text=text))
        return found

    def all(self) -> tuple[Finding, ...]:
        """Everything added so far."""
        return tuple(self._findings)
