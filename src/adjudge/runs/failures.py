"""Verdicts on what could not be judged: a status with its reason, never a missing row."""

from __future__ import annotations

from typing import Any

from adjudge.contract import CaseError, Judge, Record, Verdict
from adjudge.inputs import make_safe

_LONGEST = 500


def unreadable(
    judge: Judge,
    method: str,
    record: Record,
    error: CaseError,
    *,
    position: int = 0,
    case_id: str | None = None,
) -> Verdict:
    """The verdict on input that is no case: ``details.error`` says where, what was expected and
    what was found."""
    return _error(judge, method, position, case_id, error.code, error.as_json(record), record)


def duplicate(
    judge: Judge, method: str, record: Record, case_id: str, first: str, position: int
) -> Verdict:
    """The verdict on the second case of one id; ``first`` says where the first stood."""
    error = CaseError(
        "an id that no other case has",
        field="id",
        found=f"{case_id[:80]!r}, which first stood at {first}",
        code="duplicate_id",
    )
    return unreadable(judge, method, record, error, position=position, case_id=case_id)


def crashed(
    judge: Judge,
    method: str,
    record: Record,
    fault: BaseException,
    *,
    position: int = 0,
    case_id: str | None = None,
) -> Verdict:
    """The verdict where the judge's own code failed: type and message are kept."""
    details = {
        "file": record.file,
        "line": record.line,
        "type": type(fault).__name__,
        "message": _safe(str(fault)),
    }
    return _error(judge, method, position, case_id, "internal_error", details, record)


def worker_died(
    judge: Judge, method: str, record: Record, *, position: int = 0, case_id: str | None = None
) -> Verdict:
    """The verdict on a record that took its worker process down with it."""
    details = {
        "file": record.file,
        "line": record.line,
        "message": "the worker process ended while it judged this",
    }
    return _error(judge, method, position, case_id, "worker_died", details, record)


def _error(
    judge: Judge,
    method: str,
    position: int,
    case_id: str | None,
    reason: str,
    error: dict[str, Any],
    record: Record,
) -> Verdict:
    findings = tuple(
        f.model_copy(update={"id": f"F{i}"}) for i, f in enumerate(record.findings, start=1)
    )
    return Verdict(
        case_id=case_id,
        position=position,
        judge=judge.name,
        judge_version=judge.version,
        method=method,
        status="error",
        reason=reason,
        findings=findings,
        details={"error": error},
    )


def _safe(text: str) -> str:
    safe, _ = make_safe(text[:_LONGEST])
    return str(safe)
