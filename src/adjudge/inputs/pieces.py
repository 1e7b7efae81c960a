"""What reading a source yields: unparsed lines, records, and places where neither could be."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.contract import CaseError, Record


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a JSON-lines file, not parsed yet (``line`` is 1-based)."""

    file: str
    line: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Broken:
    """A place in the input where no record could be had, and why.

    Plain text rather than an exception, so that it crosses process borders whole.
    """

    file: str
    line: int | None
    expected: str
    found: str
    code: str = "bad_json"
    field: str = ""

    @property
    def record(self) -> Record:
        """The place, as a record without a value."""
        return Record(value=None, file=self.file, line=self.line)

    @property
    def error(self) -> CaseError:
        """The same as an error."""
        return CaseError(self.expected, field=self.field, found=self.found, code=self.code)


Piece = Line | Record | Broken
"""``Line`` is parsed by ``parse``; the other two are as they are."""
