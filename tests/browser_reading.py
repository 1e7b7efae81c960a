"""Helps of the browser tests: real files as records, records as cases by detection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.contract import CaseError, Evidence, Record
from adjudge.inputs import Broken, Line, expand, parse, read_source
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.judge import BrowserJudge

SHARED = Path(__file__).parents[2] / "shared" / "data" / "browser"


def shared(*parts: str) -> Path:
    """A real file or folder; skips the test where the data are absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the data folder ../shared/data/browser is absent: no {'/'.join(parts)}")
    return path


def records(path: Path, judge: BrowserJudge | None = None) -> list[Record]:
    """The records of a file, as a run would have them."""
    whole = (judge or BrowserJudge()).is_part
    found: list[Record] = []
    for source in expand([str(path)]):
        for piece in read_source(source, whole):
            record = parse(piece) if isinstance(piece, Line) else piece
            assert not isinstance(record, Broken), record
            found.append(record)
    return found


def read(record: Record | Any, judge: BrowserJudge | None = None) -> tuple[str, list[Any]]:
    """The name of the reader that detects a record, and what it reads: cases and errors."""
    if not isinstance(record, Record):
        record = Record(record)
    readers = (judge or BrowserJudge()).readers()
    name = next(name for name, reader in readers.items() if reader.detect(record))
    try:
        return name, list(readers[name].read(record))
    except CaseError as error:
        return name, [error]


def one_case(value: Any, judge: BrowserJudge | None = None) -> BrowserCase:
    """The one case in a JSON value, by detection."""
    _, [case] = read(value, judge)
    assert isinstance(case, BrowserCase), case
    return case


def check(value: Any, **options: Any) -> Evidence[Any]:
    """The evidence on the one case in a JSON value."""
    judge = BrowserJudge(**options)
    return judge.check(one_case(value, judge))


def kinds(evidence: Evidence[Any]) -> list[str]:
    """The kinds of the findings, in order."""
    return [finding.kind for finding in evidence.findings]


def counts(case: BrowserCase) -> tuple[int, int, int]:
    """Messages, calls and results."""
    return (
        len(case.messages),
        sum(len(message.calls) for message in case.messages),
        sum(len(message.results) for message in case.messages),
    )


def folder(name: str) -> Iterator[Path]:
    """The JSON files of a folder of real data, sorted."""
    yield from sorted(shared(name).glob("*.json"))
