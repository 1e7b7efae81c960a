"""Files of labels: CSV with a header, or JSON lines, one label each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.contract import CaseError
from adjudge.inputs import Broken, Line, Source, expand, make_safe, parse, read_source

FIELDS = ("case", "annotator", "dimension", "value")
_OTHER_NAMES = {"case_id": "case"}
ANONYMOUS = "annotator"


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label as it stood in a file; ``value`` is a text in CSV, any JSON value else."""

    where: str
    case: str
    annotator: str
    dimension: str
    value: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """A place in a file that is no label, and why."""

    where: str
    error: CaseError

    def __str__(self) -> str:
        return f"{self.where}: {self.error}"


def read_labels(files: Sequence[str]) -> Iterator[LabelRow | Refused]:
    """Every row of ``files``, in order, one at a time.

    A file whose name ends in ``.csv`` or ``.tsv`` has a header with ``case``, ``dimension``,
    ``value`` and perhaps ``annotator``; any other holds JSON objects with these fields. Without an
    annotator a label is by ``annotator``; other columns are left alone.
    """
    for source in expand(files):
        name = source.name.lower()
        if name.endswith((".csv", ".tsv")):
            yield from _csv(source, "\t" if name.endswith(".tsv") else ",")
        else:
            yield from _json(source)


def _json(source: Source) -> Iterator[LabelRow | Refused]:
    for piece in read_source(source):
        found = parse(piece) if isinstance(piece, Line) else piece
        if isinstance(found, Broken):
            yield Refused(found.record.where, found.error)
        elif isinstance(found.value, dict):
            yield _row(found.where, found.value)
        else:
            error = CaseError("an object", found=type(found.value).__name__)
            yield Refused(found.where, error)


def _csv(source: Source, delimiter: str) -> Iterator[LabelRow | Refused]:
    if source.problem is not None:
        yield Refused(source.name, source.problem.error)
        return
    try:
        with (
            source.open() as raw,
            io.TextIOWrapper(raw, "utf-8-sig", newline="") as text,
        ):
            yield from _rows(source.name, text, delimiter)
    except UnicodeDecodeError as error:
        yield Refused(source.name, CaseError("UTF-8 text", found=str(error)))
    except OSError as error:
        yield Refused(source.name, CaseError("a file that can be read", found=str(error.strerror)))


def _rows(file: str, stream: io.TextIOBase, delimiter: str) -> Iterator[LabelRow | Refused]:
    lines = csv.reader(stream, delimiter=delimiter, strict=True)
    try:
        header = [_OTHER_NAMES.get(name.strip(), name.strip()) for name in next(lines, [])]
        lacking = [name for name in FIELDS if name not in header and name != "annotator"]
        if lacking:
            found = ", ".join(header)[:200] or "nothing"
            error = CaseError(f"a header with {', '.join(FIELDS)}", field=lacking[0], found=found)
            yield Refused(f"{file}:1", error)
            return
        for cells in lines:
            where = f"{file}:{lines.line_num}"
            if not any(cells):
                continue
            if len(cells) != len(header):
                error = CaseError(f"{len(header)} cells", found=str(len(cells)))
                yield Refused(where, error)
                continue
            yield _row(where, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        yield Refused(f"{file}:{lines.line_num}", CaseError("CSV", found=str(error)))


def _row(where: str, given: Mapping[str, Any]) -> LabelRow | Refused:
    named = {_OTHER_NAMES.get(name, name): value for name, value in given.items()}
    texts: dict[str, str] = {}
    for name in ("case", "annotator", "dimension"):
        value = named.get(name)
        if name == "annotator" and value in (None, ""):
            value = ANONYMOUS
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # a turn's number, an annotator's
        if not isinstance(value, str) or not value.strip():
            found = "nothing" if value in (None, "") else repr(value)[:60]
            return Refused(where, CaseError("a name", field=name, found=found))
        safe, _ = make_safe(value)
        texts[name] = safe if name == "case" else safe.strip()
    return LabelRow(where, value=named.get("value", ""), **texts)
