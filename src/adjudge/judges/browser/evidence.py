"""The evidence on a conversation: findings, the bounds that follow, and the facts behind both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.contract import Evidence, FindingLog, Scale
from adjudge.judges.browser.bounds import Row, bounds_of
from adjudge.judges.browser.findings import Measured, find_all
from adjudge.judges.browser.scales import scales_of
from adjudge.judges.browser.view import View


@dataclass(frozen=True, slots=True)
class BrowserFacts:
    """The conversation with its calls resolved, and what was measured."""

    view: View
    measured: Measured

    @property
    def scales(self) -> Mapping[str, Scale]:
        """Dimension to scale."""
        return scales_of(self.view.case, self.view.catalogue)


BrowserEvidence = Evidence[BrowserFacts]


def evidence_of(view: View, rows: Sequence[Row]) -> BrowserEvidence:
    """All that code can prove about the conversation."""
    log = FindingLog()
    measured = find_all(view, log)
    findings = log.all()
    return Evidence(
        findings=findings,
        bounds=bounds_of(view, findings, rows),
        facts=BrowserFacts(view, measured),
    )
