"""Bytes to located records: JSON, JSON lines, gzip, folders. Text is made safe once, here."""

from adjudge.inputs.memory import record_of
from adjudge.inputs.pieces import Broken, Line, Piece
from adjudge.inputs.reading import parse, read_source
from adjudge.inputs.safetext import make_safe
from adjudge.inputs.sources import Source, expand

__all__ = [
    "Broken",
    "Line",
    "Piece",
    "Source",
    "expand",
    "make_safe",
    "parse",
    "read_source",
    "record_of",
]
