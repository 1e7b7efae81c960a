"""A format of one short row a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.exports.row_formats import RowFormat, Settings
from adjudge.runs.joined import Joined


def rows(pairs: Iterable[Joined], settings: Settings) -> Iterator[dict[str, object]]:
    """The id and the scores; what was not scored is left out and counted."""
    for pair in pairs:
        if pair.verdict["status"] != "scored":
            settings.left_out["not scored"] += 1
            continue
        yield {"id": pair.verdict["case_id"], **pair.verdict["scores"]}


BRIEF = RowFormat("one short row a verdict", rows)
