"""The words that every part of Adjudge speaks: findings, bounds, questions, opinions, verdicts."""

from adjudge.contract.asking import (
    BUDGET,
    Ask,
    Message,
    Question,
    Reply,
    ReplyStatus,
    Usage,
    answer,
)
from adjudge.contract.base import Frozen, JsonObject, Scores, ScoreValue, Status
from adjudge.contract.conclude import BoundsConflict, combine, conclude, hold, intersect
from adjudge.contract.evidence import Bound, Evidence, Finding, FindingLog, Severity
from adjudge.contract.faults import Fault
from adjudge.contract.judge import Decision, Judge, Method, Published
from adjudge.contract.opinions import Opinion
from adjudge.contract.records import CaseError, Reader, Record
from adjudge.contract.scales import Scale
from adjudge.contract.verdicts import BoundRecord, OpinionRecord, Verdict

__all__ = [
    "BUDGET",
    "Ask",
    "Bound",
    "BoundRecord",
    "BoundsConflict",
    "CaseError",
    "Decision",
    "Evidence",
    "Fault",
    "Finding",
    "FindingLog",
    "Frozen",
    "JsonObject",
    "Judge",
    "Message",
    "Method",
    "Opinion",
    "OpinionRecord",
    "Published",
    "Question",
    "Reader",
    "Record",
    "Reply",
    "ReplyStatus",
    "Scale",
    "ScoreValue",
    "Scores",
    "Severity",
    "Status",
    "Usage",
    "Verdict",
    "answer",
    "combine",
    "conclude",
    "hold",
    "intersect",
]
