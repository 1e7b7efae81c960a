"""Verdicts on a terminal: many as a table, one whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from adjudge.cli.terminal import cell, console, plain_table, show, visible

if TYPE_CHECKING:
    from rich.console import Console

_MARKS = {True: "yes", False: "no", None: ""}


def print_table(out: Console, verdicts: Iterable[Mapping[str, Any]]) -> None:
    """One row a verdict."""
    table = plain_table("#", "case", "scores", "success", "status", "rules", "flags", "reason")
    for verdict in verdicts:
        table.add_row(
            str(verdict["position"]),
            cell(verdict["case_id"] or "", 60),
            cell(_scores(verdict), 120),
            _MARKS[verdict["success"]],
            verdict["status"],
            cell(", ".join(verdict["rules"])),
            cell(", ".join(verdict["flags"])),
            cell(_reason(verdict), 160),
        )
    show(out, table)


def print_verdict(verdict: Mapping[str, Any]) -> None:
    """Everything in it, findings with their place."""
    out = console()
    case = verdict["case_id"] or f"at position {verdict['position']}"
    by = f"{verdict['judge']} {verdict['judge_version']} · {verdict['method']}"
    out.print(cell(f"{case} · {by}"))
    _line(out, "status", verdict["status"] + (f" ({r})" if (r := _reason(verdict)) else ""))
    _line(out, "scores", _scores(verdict))
    _line(out, "unscored", _pairs(verdict["unscored"]))
    _line(out, "success", _MARKS[verdict["success"]])
    _line(out, "reward", "" if verdict["reward"] is None else str(verdict["reward"]))
    for name, bound in verdict["bounds"].items():
        allowed = ", ".join(_value(v) for v in bound["allowed"])
        because = ", ".join(bound["because"])
        _line(out, f"bounds on {name}", allowed + (f"  because of {because}" if because else ""))
    _line(out, "raw scores", _pairs(verdict["raw_scores"] or {}))
    _line(out, "rules", ", ".join(verdict["rules"]))
    _line(out, "flags", ", ".join(verdict["flags"]))
    _findings(out, verdict["findings"])
    for name, value in (verdict["output"] or {}).items():
        _line(out, name, value if isinstance(value, str) else json.dumps(value))
    _opinions(out, verdict["opinions"])
    _block(out, "usage", {**verdict["usage"], "cost_usd": verdict["cost_usd"]})
    _block(out, "details", verdict["details"])


def _findings(out: Console, findings: list[Mapping[str, Any]]) -> None:
    if not findings:
        return
    out.print(cell("findings"))
    table = plain_table()
    for finding in findings:
        place = _pairs({k: v for k, v in finding["at"].items() if v is not None})
        table.add_row(
            f"  {finding['id']}",
            finding["severity"],
            cell(finding["kind"]),
            cell(place),
            cell(finding["text"]),
        )
    show(out, table)


def _opinions(out: Console, opinions: list[Mapping[str, Any]]) -> None:
    """Who said what before bounds; what a model answered word for word is in ``--json``."""
    asked = [opinion for opinion in opinions if opinion["model"] is not None]
    if not asked:
        return
    out.print(cell("opinions"))
    table = plain_table()
    for opinion in asked:
        said = _pairs(opinion["scores"]) or opinion["reason"] or ""
        replies = opinion["replies"]
        table.add_row(
            cell(f"  {opinion['model']}"),
            f"sample {opinion['sample']}",
            opinion["status"],
            cell(said, 160),
            f"{len(replies)} answers" if replies else "not asked",
        )
    show(out, table)


def _line(out: Console, name: str, text: str) -> None:
    if text:
        from rich.text import Text

        out.print(Text.assemble((f"{visible(name)}: ", "bold"), visible(text)))


def _block(out: Console, name: str, value: Any) -> None:
    if value:
        from rich.text import Text

        shown = json.dumps(value, indent=2, ensure_ascii=False)
        out.print(Text.assemble((f"{name}: ", "bold"), visible(shown)))


def _reason(verdict: Mapping[str, Any]) -> str:
    """The reason, and for input that is no case where it stands and what is wrong with it."""
    reason = verdict["reason"] or ""
    error = verdict["details"].get("error")
    if not isinstance(error, dict):
        return reason
    where = error.get("file") or ""
    if error.get("line") is not None:
        where += f":{error['line']}"
    if "expected" in error:
        what = f"{error['field']}: " if error.get("field") else ""
        what += f"expected {error['expected']}"
        what += f", found {error['found']}" if error.get("found") else ""
    else:
        what = ": ".join(str(error[k]) for k in ("type", "message") if error.get(k))
    return f"{reason}: {where}: {what}" if where else f"{reason}: {what}"


def _scores(verdict: Mapping[str, Any]) -> str:
    scores = verdict["scores"]
    alone = len(scores) == 1 and not verdict["unscored"]
    return _value(next(iter(scores.values()))) if alone else _pairs(scores)


def _pairs(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={_value(value)}" for name, value in values.items())


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
