"""``adjudge runs``: what is in the store."""

from __future__ import annotations

from adjudge.cli.ending import command
from adjudge.cli.options import StoreOption


@command
def runs(store: StoreOption = None) -> None:
    """List the runs in the store, the newest last.

    \b
    Example:
      adjudge runs --store results.db
    """
    from rich.table import Table

    from adjudge.cli.terminal import cell, console
    from adjudge.runs.database import DEFAULT_STORE
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened:
        there = opened.runs()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("run", "created", "judge", "method", "state"):
        table.add_column(name, no_wrap=True)
    table.add_column("cases", justify="right")
    table.add_column("scored", justify="right")
    table.add_column("inputs")
    for info in there:
        names = [str(one["name"]) for one in info.inputs]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        table.add_row(
            info.id,
            info.created,
            cell(f"{info.judge} {info.judge_version}"),
            cell(info.method),
            info.state,
            str(info.total),
            str(info.counts.get("scored", 0)),
            cell(", ".join(names[:3]) + more),
        )
    console().print(table)
