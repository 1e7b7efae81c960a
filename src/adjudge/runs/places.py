"""The pieces of all sources in order, each with its place and the id of a case without one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.inputs import Line, Piece, Source, read_source
from adjudge.runs.positions import Counts

ALL_CASES = 1 << 62
"""More than any record holds."""


@dataclass(frozen=True, slots=True)
class Place:
    """One piece of input: its number among all, its source's number, and the id it would give.

    ``skip`` cases of it are judged and counted already. Of those behind them the first ``judged``
    (of all cases, skipped ones included) are only counted and named: they are judged already, or by
    another shard.
    """

    number: int
    source: int
    default_id: str
    piece: Piece
    skip: int = 0
    judged: int = 0

    @property
    def line(self) -> int | None:
        """The 1-based line where the piece stands, if known."""
        return self.piece.line


def places(
    sources: Sequence[Source],
    start: int = 0,
    skip: int = 0,
    is_part: Callable[[Any], bool] = lambda value: False,
) -> Iterator[Place]:
    """Every piece of ``sources`` from the ``start``-th on, ``skip`` cases of which are judged.

    ``is_part`` is the judge's: whether an element of an array is only a part of one case.
    """
    number = 0
    for index, source in enumerate(sources):
        for default_id, piece in _named(source.label, read_source(source, is_part)):
            if number >= start:
                yield Place(number, index, default_id, piece, skip if number == start else 0)
            number += 1


def less_judged(there: Iterable[Place], judged: Counts) -> Iterator[Place]:
    """The places where so many first cases of each record are judged; cases must have been judged
    in order."""
    for place in there:
        count = judged[place.number]
        yield place if count <= place.judged else replace(place, judged=count)


def _named(label: str, pieces: Iterable[Piece]) -> Iterator[tuple[str, Piece]]:
    """``label-LINE`` in JSON lines, ``label-N`` in an array, ``label`` for a file of one case."""
    held: Piece | None = None
    for count, piece in enumerate(pieces, start=1):
        if isinstance(piece, Line):
            yield f"{label}-{piece.line}", piece
        elif count == 1:
            held = piece
        else:
            if held is not None:
                yield f"{label}-1", held
                held = None
            yield f"{label}-{count}", piece
    if held is not None:
        yield label, held
