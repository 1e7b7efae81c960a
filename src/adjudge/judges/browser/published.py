"""A browser verdict in its own words: six scores, explanation, issues; and the details."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from adjudge.contract import Decision, Finding, JsonObject
from adjudge.judges.browser.evidence import BrowserEvidence, BrowserFacts
from adjudge.judges.browser.scales import DIMENSIONS

TAGS = {
    "unknown_tool": "unknown_tool",
    "malformed_arguments": "bad_arguments",
    "schema_violation": "bad_arguments",
    "duplicate_call": "redundant_call",
    "page_refetched": "redundant_call",
    "call_after_handoff": "call_after_handoff",
    "parallel_calls": "parallel_calls",
    "invented_url": "invented_url",
    "wrong_tab": "wrong_tab",
    "unretrieved_preference": "unretrieved_preference",
    "unneeded_preferences": "unneeded_preferences",
    "false_tool_claim": "false_tool_claim",
    "tool_error_ignored": "tool_error_ignored",
    "empty_response": "empty_response",
    "repetition": "repetition",
}
"""A proved fault of the response to the tag that ``issues`` has for it."""


def output_of(evidence: BrowserEvidence, decision: Decision) -> JsonObject:
    """Six scores (those there are), explanation and issues."""
    judged = judged_findings(evidence)
    said = dict(decision.opinion.output) if decision.opinion else {}
    explanation = said.get("explanation") or _explained(judged)
    tags = [*said.get("issues", ()), *(TAGS[f.kind] for f in judged if f.kind in TAGS)]
    scores = {name: decision.scores[name] for name in DIMENSIONS if name in decision.scores}
    return {**scores, "explanation": explanation, "issues": list(dict.fromkeys(tags))}


def judged_findings(evidence: BrowserEvidence) -> list[Finding]:
    """The findings in the response."""
    case = evidence.facts.view.case
    return [
        f
        for f in evidence.findings
        if case.response_from <= f.at.get("message", -1) < case.response_to
    ]


def _explained(findings: Sequence[Finding]) -> str:
    if not findings:
        return "Nothing is proved against the response; its scores need a model."
    lines = []
    for finding in findings:
        call = f", call {finding.at['call']}" if finding.at.get("call") else ""
        where = f"message {finding.at.get('message')}{call}"
        lines.append(f"{finding.id} {finding.kind} ({where}): {finding.text}.")
    return " ".join(lines)


def details_of(facts: BrowserFacts, ledger: Sequence[JsonObject] = ()) -> JsonObject:
    """The ``details`` of a verdict, as JSON.

    ``calls``: each with what it answers to; ``visible`` counts what stood before it (messages,
    results). ``urls``: where each address came from. ``repeated``: calls equal to an earlier one,
    whether or not that was a fault. ``ledger``: what was cut in the trace, or not shown to a model.
    """
    view, case = facts.view, facts.view.case
    counts = Counter(call.tool_name for call in view.calls)
    equal = Counter((call.tool_name, call.arguments.key) for call in view.calls)
    cut = [
        {
            "message": result.message,
            "call": result.given.call_id,
            "result": result.number,
            "characters": result.given.length,
            "shown": len(result.text),
        }
        for result in view.results
        if result.cut
    ]
    wording = facts.measured.wording
    answered = [result.message for result in view.results]
    return {
        "source": case.source,
        "messages": len(case.messages),
        "response": [case.response_from, case.response_to],
        "calls": [
            {
                "message": call.message,
                "call": call.id,
                "tool": call.tool_name,
                "role": call.role,
                "judged": call.judged,
                "arguments": "ok" if call.arguments.problem is None else "malformed",
                "answer": "error" if call.failed else "ok" if call.answered else None,
                "visible": {
                    "messages": call.message,
                    "results": bisect_left(answered, call.message),
                },
            }
            for call in view.calls
        ],
        "tools": dict(counts),
        "repeated": sum(equal.values()) - len(equal),
        "errors": sum(result.failed for result in view.results),
        "urls": [
            {
                "message": view.calls[one.call - 1].message,
                "call": view.calls[one.call - 1].id,
                "url": one.url,
                "from": one.origin,
                "seen_in": one.message,
            }
            for one in facts.measured.provenance
        ],
        "wording": {
            "characters": wording.characters,
            "words": wording.words,
            "repeated": wording.repeated,
        },
        "drops": [drop.model_dump(exclude={"text"}) for drop in case.drops],
        "ledger": [*cut, *ledger],
    }
