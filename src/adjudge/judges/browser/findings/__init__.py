"""What can be proved about a conversation, kind by kind."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.contract import FindingLog
from adjudge.judges.browser.findings import (
    calls,
    claims,
    hostile,
    preferences,
    provenance,
    repeats,
    results,
    tabs,
    wording,
)
from adjudge.judges.browser.findings.provenance import Provenance
from adjudge.judges.browser.findings.wording import Wording
from adjudge.judges.browser.view import View

KINDS = (
    "unknown_tool",
    "tool_alias",
    "malformed_arguments",
    "schema_violation",
    "parallel_calls",
    "call_after_handoff",
    "duplicate_call",
    "page_refetched",
    "invented_url",
    "wrong_tab",
    "orphan_result",
    "missing_result",
    "tool_error_ignored",
    "truncated",
    "unretrieved_preference",
    "unneeded_preferences",
    "false_tool_claim",
    "empty_response",
    "repetition",
    "addresses_the_judge",
    "addresses_the_assistant",
    "knowledge_by_tool",
)
"""Every kind there is; the last one rests on what a model says was asked."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured on the way: the source of each address, and the wording."""

    provenance: tuple[Provenance, ...]
    wording: Wording


def find_all(view: View, log: FindingLog) -> Measured:
    """Log every finding, calls first."""
    calls.find(view, log)
    repeats.find(view, log)
    sources = provenance.provenances(view)
    provenance.find(view, log, sources)
    tabs.find(view, log)
    results.find(view, log)
    claims.find(view, log)
    preferences.find(view, log)
    said = wording.find(view, log)
    hostile.find(view, log)
    return Measured(sources, said)
