"""What came of a round of batches, and which command comes next."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from adjudge.cli.terminal import cell, visible

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.runs.batch.results import Taken
    from adjudge.runs.batch.rounds import Round
    from adjudge.runs.store import RunInfo, Store


def print_round(
    out: Console, store: Store, info: RunInfo, done: Round, verdicts: int, left: int
) -> None:
    """What was written or read; how many verdicts there are; what is missing."""
    from adjudge.runs.address import DEFAULT_STORE

    if done.taken is not None:
        _print_taken(out, done.taken)
    elif not done.files:
        out.print("nothing to write")
    for file in done.files:
        some = "1 request" if file.requests == 1 else f"{file.requests:,} requests"
        out.print(cell(f"{file.path}: {file.model}, {some}"))
    if not left:
        return
    out.print(cell(f"run {info.id}: {verdicts:,} of {verdicts + left:,} cases have a verdict"))
    missing = done.outstanding
    written = sum(file.requests for file in done.files)
    waiting, ask = missing.wait + written, missing.asked - written
    out.print(
        cell(f"questions without a reply: {waiting:,} wait for results, {ask:,} to be written")
    )
    what = f"write {info.id}" if ask else f"read {info.id} RESULTS…"
    where = "" if store.shown == DEFAULT_STORE else f" --store {shlex.quote(store.shown)}"
    out.print(cell(f"next: adjudge batch {what}{where}"))


def _print_taken(out: Console, taken: Taken) -> None:
    if not taken.lines:
        return
    for what in taken.listed:
        print(f"adjudge: {visible(what)}", file=sys.stderr)
    unlisted = taken.unknown + taken.broken - len(taken.listed)
    if unlisted:
        print(f"adjudge: and {unlisted:,} more", file=sys.stderr)
    kinds = ", ".join(f"{visible(kind)} {count:,}" for kind, count in taken.failed.most_common(6))
    out.print(
        cell(
            f"lines read: {taken.lines:,}; results {taken.good:,}, errors {taken.failed.total():,}"
            + (f" ({kinds})" if kinds else "")
            + f", duplicates {taken.duplicates:,}, unknown {taken.unknown:,}, "
            f"unreadable {taken.broken:,}"
        )
    )
