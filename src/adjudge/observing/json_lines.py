"""Log records as JSON, one object a line."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TextIO

from adjudge.observing.records import LOGGER, RECORDS


class JsonLines(logging.Formatter):
    """``time`` (UTC, ISO 8601), ``level``, ``event`` and the event's fields, in that order."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": record.event,  # type: ignore[attr-defined]
            **record.fields,  # type: ignore[attr-defined]
        }
        return json.dumps(line, ensure_ascii=True, default=str)


def is_event(record: logging.LogRecord) -> bool:
    """Whether a record is one of ours; the words of any other may be anyone's."""
    return hasattr(record, "event") and hasattr(record, "fields")


class _Handler(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:
        """Say once that no more is logged; judging goes on."""
        LOGGER.removeHandler(self)
        problem = sys.exc_info()[1]
        told = getattr(problem, "strerror", None) or type(problem).__name__
        print(f"adjudge: warning: the log ends here: {told}", file=sys.stderr)


@contextlib.contextmanager
def json_lines_to(stream: TextIO, *, content: bool = False) -> Iterator[None]:
    """Within the block every event is written to ``stream``, and to no other handler's.

    With ``content`` prompts, answers and explanations are in it.
    """
    handler = _Handler(stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(is_event)
    level, propagate, said = LOGGER.level, LOGGER.propagate, RECORDS.content
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.DEBUG)
    LOGGER.propagate, RECORDS.content = False, content
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        LOGGER.setLevel(level)
        LOGGER.propagate, RECORDS.content = propagate, said
