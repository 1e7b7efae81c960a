"""Who hears what is asked and concluded: log records, OpenTelemetry. Nothing is made for nobody."""

from __future__ import annotations

from adjudge.observing.events import Asked, Ended, Exchange
from adjudge.observing.hook import (
    NOBODY,
    Exchanges,
    exchange,
    run_ended,
    run_started,
    sitting,
)
from adjudge.observing.json_lines import json_lines_to

__all__ = [
    "NOBODY",
    "Asked",
    "Ended",
    "Exchange",
    "Exchanges",
    "exchange",
    "json_lines_to",
    "run_ended",
    "run_started",
    "sitting",
]
