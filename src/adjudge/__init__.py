"""Adjudge judges what agents did: a model gives the judgement, what can be proved bounds it.

>>> import adjudge
>>> adjudge.__version__
'0.1.0'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudge.contract import (
        Ask,
        Bound,
        CaseError,
        Evidence,
        Fault,
        Finding,
        FindingLog,
        Judge,
        Message,
        Method,
        Opinion,
        Published,
        Question,
        Reader,
        Record,
        Reply,
        Scale,
        Usage,
        Verdict,
        conclude,
    )
    from adjudge.judges import load_judge
    from adjudge.runs.api import judge, judge_async, judge_stream
    from adjudge.runs.asking import Asker

__version__ = "0.1.0"

_CONTRACT = (
    "Ask",
    "Bound",
    "CaseError",
    "Evidence",
    "Fault",
    "Finding",
    "FindingLog",
    "Judge",
    "Message",
    "Method",
    "Opinion",
    "Published",
    "Question",
    "Reader",
    "Record",
    "Reply",
    "Scale",
    "Usage",
    "Verdict",
    "conclude",
)
_WHERE = {
    **dict.fromkeys(_CONTRACT, "adjudge.contract"),
    "Asker": "adjudge.runs.asking",
    "judge": "adjudge.runs.api",
    "judge_async": "adjudge.runs.api",
    "judge_stream": "adjudge.runs.api",
    "load_judge": "adjudge.judges",
}

__all__ = [
    "Ask",
    "Asker",
    "Bound",
    "CaseError",
    "Evidence",
    "Fault",
    "Finding",
    "FindingLog",
    "Judge",
    "Message",
    "Method",
    "Opinion",
    "Published",
    "Question",
    "Reader",
    "Record",
    "Reply",
    "Scale",
    "Usage",
    "Verdict",
    "__version__",
    "conclude",
    "judge",
    "judge_async",
    "judge_stream",
    "load_judge",
]


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first asked for: the command line starts quickly."""
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
