"""A run's verdicts, each with its case where that can still be had."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from adjudge.contract import JsonObject
from adjudge.runs.joined import CannotJoin, Pairs
from adjudge.runs.store import RunInfo, Store


@dataclass(frozen=True, slots=True)
class Told:
    """A verdict; its case, or ``why`` there is none to show."""

    verdict: JsonObject
    case: Any = None
    why: str | None = None


NO_CASE = "what stood here could not be read as a case"


def told(store: Store, run: RunInfo, pairs: Pairs | str) -> Iterator[Told]:
    """All verdicts in order, one at a time in memory. ``pairs`` may be the reason why there are no
    cases; where pairing breaks off, the rest of the verdicts have that for a reason."""
    done = 0
    why = pairs if isinstance(pairs, str) else ""
    if not isinstance(pairs, str):
        try:
            for joined in pairs():
                done += 1
                yield Told(joined.verdict, joined.case, NO_CASE if joined.case is None else None)
        except CannotJoin as broken:
            why = str(broken)
    if why:
        for line in islice(store.verdicts(run), done, None):
            yield Told(json.loads(line), why=why)
