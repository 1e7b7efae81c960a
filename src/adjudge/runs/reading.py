"""A record, through the judge's reader, as cases: each whole, named, or a named error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from adjudge.contract import CaseError, Fault, Judge, Reader, Record
from adjudge.inputs import Broken, Line, Piece, parse
from adjudge.judges.invalid import case_error
from adjudge.judges.readers import readers_of


class UnknownReader(Fault, LookupError):
    """The judge has no reader of this name."""


@dataclass(frozen=True, slots=True)
class Item:
    """One case to judge, or why there is none. ``id`` is the case's own, or the one given to it."""

    record: Record
    case: Any = None
    id: str | None = None
    error: CaseError | None = None


class CaseReader:
    """Turns pieces of input into cases of one judge.

    ``reader`` is the name of the format; without one each record goes to the first of the judge's
    readers that knows it.
    """

    def __init__(self, judge: Judge, reader: str | None = None) -> None:
        self._judge = judge
        self._readers = dict(readers_of(judge, reader))
        if reader is not None:
            if reader not in self._readers:
                raise UnknownReader(
                    f"reader: expected {', '.join(self._readers)}, found {reader[:80]!r} "
                    f"(the {judge.name} judge has no other)"
                )
            self._readers = {reader: self._readers[reader]}
        self._forced = reader is not None
        self._names = "id" in judge.Case.model_fields

    def items(self, piece: Piece, default_id: str) -> Iterator[Item]:
        """The cases in ``piece``, at least one item; never raises for what is wrong with input."""
        found = parse(piece) if isinstance(piece, Line) else piece
        if isinstance(found, Broken):
            yield Item(found.record, error=found.error)
            return
        number = 0
        for case in self._cases(found):
            number += 1
            yield self._item(found, case, default_id if number == 1 else f"{default_id}-{number}")
        if number == 0:
            none = CaseError("at least one case", found="none in the record")
            yield Item(found, error=none)

    def _cases(self, record: Record) -> Iterator[Any]:
        if isinstance(record.value, self._judge.Case):
            yield record.value
            return
        try:
            yield from self._reader(record).read(record)
        except CaseError as error:
            yield error
        except ValidationError as error:
            yield case_error(error, self._judge.Case, _own_id(record.value))
        except Exception as error:  # a reader's own fault must not lose the other records
            yield CaseError(
                "a record that the reader can read",
                found=f"{type(error).__name__}: {error}"[:300],
                code="reader_failed",
            )

    def _reader(self, record: Record) -> Reader:
        *before, last = self._readers.values()
        if not self._forced:
            for reader in before:
                if reader.detect(record):
                    return reader
        return last

    def _item(self, record: Record, case: Any, default_id: str) -> Item:
        if isinstance(case, CaseError):
            return Item(record, id=case.case_id, error=case)
        own = getattr(case, "id", None)
        if own is None and self._names:
            case = case.model_copy(update={"id": default_id})
        return Item(record, case=case, id=own or default_id)


def _own_id(value: Any) -> str | None:
    own = value.get("id") if isinstance(value, dict) else None
    return own if isinstance(own, str) else None
