"""Verdicts as CSV: one row each, one column for every dimension that occurs."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from typing import Any, TextIO

_BEFORE = (
    "position",
    "case_id",
    "judge",
    "judge_version",
    "method",
    "status",
    "reason",
    "success",
    "reward",
)
_AFTER = (
    "rules",
    "flags",
    "findings",
    "failure",
    "error",
    "calls",
    "input_tokens",
    "output_tokens",
    "cost_usd",
)
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(verdicts: Callable[[], Iterable[str]], stream: TextIO) -> None:
    """Write the table to ``stream``; reads the verdicts twice (the columns must be known first).

    ``scores.NAME`` holds the score, ``null`` for not applicable, and nothing where there is none.
    ``rules``, ``flags`` and ``findings`` (kinds) are separated by blanks. A text that a spreadsheet
    would run as a formula has an apostrophe before it.
    """
    dimensions: dict[str, None] = {}
    for line in verdicts():
        dimensions.update(dict.fromkeys(json.loads(line)["scores"]))
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*_BEFORE, *(_text(f"scores.{name}") for name in dimensions), *_AFTER])
    for line in verdicts():
        writer.writerow(_row(json.loads(line), list(dimensions)))


def _row(verdict: dict[str, Any], dimensions: list[str]) -> list[Any]:
    scores = verdict["scores"]
    usage = verdict["usage"]
    details = verdict["details"]
    trace = details.get("trace") or {}
    failure = trace.get("error") if isinstance(trace, dict) else None
    return [
        *(_cell(verdict[name]) for name in _BEFORE),
        *(_cell(scores[d], null="null") if d in scores else "" for d in dimensions),
        _text(" ".join(verdict["rules"])),
        _text(" ".join(verdict["flags"])),
        _text(" ".join(dict.fromkeys(f["kind"] for f in verdict["findings"]))),
        _text(str(failure.get("kind") or "") if isinstance(failure, dict) else ""),
        _text(_error(details.get("error"))),
        usage["calls"],
        usage["input_tokens"],
        usage["output_tokens"],
        _cell(verdict["cost_usd"]),
    ]


def _error(error: Any) -> str:
    if not isinstance(error, dict):
        return ""
    return "; ".join(f"{name}: {value}" for name, value in error.items() if value is not None)


def _cell(value: Any, null: str = "") -> Any:
    if value is None:
        return null
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
