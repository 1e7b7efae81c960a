"""What a page can show of a trajectory, as plain data that the page's script lays out.

A judge's view is a list of these blocks; which judge it is no other code knows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from adjudge.contract import JsonObject

Tone = Literal["good", "quiet", "warn", "bad"]

MOST_ENTRIES = 2_000
"""Entries of a block beyond these are left out, and the block says how many."""


def as_json(value: Any) -> str:
    """JSON to be read; of what nests too deep only that it does."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=1, default=str)
    except RecursionError:
        return "(nested too deep to be shown)"


def fields(title: str, rows: Iterable[tuple[str, Any]], *, note: str = "") -> JsonObject:
    """Names with texts; rows without one are left out."""
    told = [[name, value] for name, value in rows if value not in (None, "", [], {})]
    return _limited({"kind": "fields", "title": title, "note": note}, "rows", told)


def step(
    number: int,
    text: str,
    *,
    role: str = "",
    mark: str = "·",
    tone: Tone = "quiet",
    note: str = "",
    findings: Sequence[str] = (),
) -> JsonObject:
    """One step: what was done, the ``role`` that it played (with a ``mark`` that is no colour)."""
    return {
        "n": number,
        "text": text,
        "role": role,
        "mark": mark,
        "tone": tone,
        "note": note,
        "findings": list(findings),
    }


def steps(title: str, done: Sequence[JsonObject], *, note: str = "") -> JsonObject:
    """Steps in order, each made by ``step``."""
    return _limited({"kind": "steps", "title": title, "note": note}, "steps", done)


def thing(
    name: str, *, how: str = "", about: Sequence[str] = (), touched: bool = False
) -> JsonObject:
    """One thing in a tree; whoever makes it fills ``items``."""
    return {"name": name, "how": how, "about": list(about), "touched": touched, "items": []}


def tree(title: str, groups: Sequence[JsonObject], *, note: str = "") -> JsonObject:
    """Groups of nested things, each made by ``group``."""
    return _limited({"kind": "tree", "title": title, "note": note}, "groups", groups)


def group(name: str, items: Sequence[JsonObject], *, note: str = "", shut: bool = False) -> Any:
    """A named list of things, ``shut`` until someone opens it."""
    return {"name": name, "items": list(items), "note": note, "shut": shut}


def turn(
    number: int,
    who: str,
    text: str,
    *,
    kind: str = "",
    about: str = "",
    aside: bool = False,
    judged: bool = True,
    code: bool = False,
    credit: JsonObject | None = None,
    notes: Sequence[str] = (),
    findings: Sequence[str] = (),
    marks: Sequence[tuple[int, int, str]] = (),
) -> JsonObject:
    """One entry of a conversation.

    ``aside``: it is the other side's. ``judged``: it is what the verdict is about. ``credit``:
    ``{"share": -1 to 1, "text"}``, by which it is shaded. ``marks``: ``(start, end, finding)`` in
    ``text``, in code points.
    """
    return {
        "n": number,
        "who": who,
        "text": text,
        "kind": kind,
        "about": about,
        "aside": aside,
        "judged": judged,
        "code": code,
        "credit": credit,
        "notes": list(notes),
        "findings": list(findings),
        "marks": [[_units(text, start), _units(text, end), which] for start, end, which in marks],
    }


def talk(title: str, turns: Sequence[JsonObject], *, note: str = "") -> JsonObject:
    """A conversation, its entries made by ``turn``."""
    return _limited({"kind": "talk", "title": title, "note": note}, "turns", turns)


class Placed:
    """A verdict's findings, taken out as the view comes to their places."""

    def __init__(self, findings: Sequence[Mapping[str, Any]]) -> None:
        self._left = list(findings)

    def take(self, **at: Any) -> list[Mapping[str, Any]]:
        """The findings not taken yet whose place has all of ``at``."""
        taken = [f for f in self._left if all(f["at"].get(k) == v for k, v in at.items())]
        self._left = [f for f in self._left if f not in taken]
        return taken


def _units(text: str, index: int) -> int:
    """``index`` counted as scripts count: in UTF-16 units."""
    return index if text.isascii() else len(text[:index].encode("utf-16-le", "surrogatepass")) // 2


def _limited(block: JsonObject, field: str, entries: Sequence[Any]) -> JsonObject:
    left_out = max(0, len(entries) - MOST_ENTRIES)
    return {**block, field: list(entries[:MOST_ENTRIES]), "left_out": left_out}
