"""Where a case came from, and how bad input is named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from adjudge.contract.base import JsonObject
from adjudge.contract.evidence import Finding


@dataclass(frozen=True, slots=True)
class Record:
    """One located piece of input: a parsed JSON value and where it stood.

    ``file`` is the path as the user gave it (``-`` for standard input), ``line`` the 1-based line
    of a JSONL file or ``None``; ``findings`` say what was made safe while reading (see ``inputs``).
    """

    value: Any
    file: str = "<memory>"
    line: int | None = None
    findings: tuple[Finding, ...] = field(default=())

    @property
    def where(self) -> str:
        """``file`` or ``file:line``."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class CaseError(ValueError):
    """A record that is no case: which field, what was expected, what was found.

    ``code`` is the verdict's reason (``bad_json``, ``bad_case``, ``duplicate_id``, ``unreadable``).
    """

    def __init__(
        self,
        expected: str,
        *,
        field: str = "",
        found: str = "",
        code: str = "bad_case",
        case_id: str | None = None,
    ) -> None:
        self.code = code
        self.field = field
        self.expected = expected
        self.found = found
        self.case_id = case_id
        super().__init__(self.describe())

    def describe(self) -> str:
        """The error in one line, without file and line (the reader of the file adds those)."""
        text = f"{self.field}: " if self.field else ""
        text += "expected " + self.expected
        return text + (f", found {self.found}" if self.found else "")

    def as_json(self, record: Record | None = None) -> JsonObject:
        """``{"file", "line", "field", "expected", "found"}``, for a verdict's details."""
        return {
            "file": record.file if record else None,
            "line": record.line if record else None,
            "field": self.field or None,
            "expected": self.expected,
            "found": self.found or None,
        }


class Reader(Protocol):
    """Turns one record of some format into cases; never changes the record.

    ``read`` yields a case, or a ``CaseError`` in a case's place where one part of the record is
    broken and the others are not; it raises ``CaseError`` where nothing can be read.
    """

    @property
    def name(self) -> str: ...
    def detect(self, record: Record) -> bool: ...
    def read(self, record: Record) -> Iterable[Any]: ...
