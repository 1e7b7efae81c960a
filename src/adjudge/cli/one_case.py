"""One case out of what a user named, for the commands that show one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from adjudge.cli.ending import fail

if TYPE_CHECKING:
    from adjudge.contract import Judge
    from adjudge.runs.reading import Item


def one_case(judge: Judge, source: str, wanted: str | None, reader: str | None) -> Item:
    """The case called ``wanted`` (an id, or a position from 0), else the first one.

    Ends the command where there is none, or where it cannot be read, with file, line and field.
    """
    found: Item | None = None
    for position, item in enumerate(_items(judge, source, reader)):
        if found is not None:
            print(f"adjudge: showing {found.id}; --case ID shows another", file=sys.stderr)
            break
        if wanted is None or wanted == item.id or wanted == str(position):
            found = item
            if wanted is not None:
                break
    if found is None:
        fail(
            f"{source}: expected "
            + (f"a case {wanted[:80]!r}" if wanted else "a case")
            + ", found none"
        )
    if found.error is not None:
        fail(f"{found.record.where}: {found.error.describe()}")
    return found


def _items(judge: Judge, source: str, reader: str | None) -> Iterator[Item]:
    from adjudge.inputs import expand
    from adjudge.runs.places import places
    from adjudge.runs.reading import CaseReader

    cases = CaseReader(judge, reader)
    for place in places(expand([source]), is_part=judge.is_part):
        yield from cases.items(place.piece, place.default_id)
