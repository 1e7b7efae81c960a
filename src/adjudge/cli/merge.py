"""``adjudge merge``: several stores in one."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudge.cli.ending import command, fail
from adjudge.cli.options import StoreOption


@command
def merge(
    stores: Annotated[
        list[str] | None, typer.Argument(metavar="STORE…", help="SQLite files or database URLs.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Put the runs of several stores into one, with replies and labels; shards become whole runs.

    Without a STORE the shards in --store become whole runs. Doing it again changes nothing. A run
    of which shards are missing is completed by its command without --shard.

    A scored verdict takes the place of one that failed. Two scored verdicts on one case that differ
    are refused, and so are two labels by one annotator: that run is left as it was.

    \b
    Examples:
      adjudge merge first.db second.db third.db --store all.db
      adjudge merge --store postgresql+psycopg://me@host/runs
    """
    from adjudge.agreement.label_store import LabelStore
    from adjudge.cli.terminal import cell, console, plain_table, show
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.merging import merge as merge_store
    from adjudge.runs.store import Store

    where = store or DEFAULT_STORE
    rows = []
    with Store.open(where, create=True) as into, LabelStore(where) as labels:
        for text in stores or [where]:
            with Store.open(text) as source, LabelStore(text) as given:
                for one in merge_store(into, source):
                    told = given.of(one.source)
                    joined = labels.join(into.find(one.id), told, source.shown)
                    rows.append((one, source.shown, joined))
        if not rows:
            fail("nothing to merge: expected a store with runs, or one with shards as --store")
        states = {info.id: info.state for info in into.runs()}
    table = plain_table("run", "from", "shard", "new", "replaced", "there", "labels", "state")
    for one, name, joined in rows:
        counts = (f"{count:,}" for count in (one.new, one.replaced, one.there, joined))
        part = str(one.source.shard or "")
        table.add_row(one.id, cell(name), part, *counts, states[one.id])
    show(console(), table)
