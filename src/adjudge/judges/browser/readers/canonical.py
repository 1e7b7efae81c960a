"""The canonical form itself, as ``BrowserCase`` writes it."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from adjudge.contract import Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.invalid import case_error


class CanonicalReader:
    """One JSON object in the form of ``BrowserCase``."""

    name = "canonical"

    def detect(self, record: Record) -> bool:
        """Only this form says where the response begins."""
        return isinstance(record.value, dict) and "response_from" in record.value

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The case. Raises ``CaseError`` that names the field."""
        given = record.value.get("id") if isinstance(record.value, dict) else None
        try:
            yield BrowserCase.model_validate(record.value)
        except ValidationError as error:
            case_id = given if isinstance(given, str) else None
            raise case_error(error, BrowserCase, case_id) from None
