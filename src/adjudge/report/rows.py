"""A case in the page: a short row to list, filter and search, and all there is to show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from adjudge.agreement.labels import LabelValue
from adjudge.contract import JsonObject
from adjudge.report.agreed import OwnLabels
from adjudge.report.cutting import cut
from adjudge.report.packing import packed
from adjudge.report.told import Told
from adjudge.report.views import view_of

_IN_A_BLOCK = 64
_HEADLINE = 200
_MOST_SCORES = 12


def blocks(cases: Iterable[Told], labels: OwnLabels) -> Iterator[JsonObject]:
    """``{"rows", "cases"}``, each packed, for so many cases at a time."""
    rest = iter(cases)
    while some := list(islice(rest, _IN_A_BLOCK)):
        made = [_case(one, labels.of(one.verdict["case_id"])) for one in some]
        yield {
            "rows": packed([row for row, _ in made]),
            "cases": packed([shown for _, shown in made]),
        }


def _case(told: Told, labels: Mapping[str, LabelValue]) -> tuple[JsonObject, JsonObject]:
    verdict = told.verdict
    headline, laid_out = "", None
    if told.case is not None:
        headline, laid_out = view_of(told.case, verdict)
    shown = cut({"verdict": verdict, "blocks": laid_out, "why": told.why, "labels": dict(labels)})
    return _row(verdict, headline, labels), shown


def _row(verdict: JsonObject, headline: str, labels: Mapping[str, LabelValue]) -> JsonObject:
    scores = verdict["scores"]
    return {
        "p": verdict["position"],
        "id": _line(verdict["case_id"] or ""),
        "status": verdict["status"],
        "reason": _line((verdict["reason"] or "").partition(":")[0]),
        "about": _line(headline),
        "scores": scores if len(scores) <= _MOST_SCORES else {},
        "success": verdict["success"],
        "reward": verdict["reward"],
        "rules": verdict["rules"],
        "flags": verdict["flags"],
        "findings": sorted({finding["kind"] for finding in verdict["findings"]}),
        "found": len(verdict["findings"]),
        "label": _agrees(verdict, labels),
    }


def _line(text: str) -> str:
    return " ".join(text[: 2 * _HEADLINE].split())[:_HEADLINE]


def _agrees(verdict: JsonObject, labels: Mapping[str, LabelValue]) -> str | None:
    """Whether the verdict says what its labels say, wherever it says anything."""
    said = dict(verdict["scores"])
    if verdict["success"] is not None:
        said.setdefault("success", verdict["success"])
    pairs = [(said[name], value) for name, value in labels.items() if name in said]
    if not pairs or verdict["status"] != "scored":
        return "without a verdict" if labels else None
    return "equal" if all(a == b for a, b in pairs) else "apart"
