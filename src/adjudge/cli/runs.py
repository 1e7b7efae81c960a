"""``adjudge runs``: what is in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.cli.ending import command
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from adjudge.runs.store import RunInfo


@command
def runs(store: StoreOption = None) -> None:
    """List the runs in the store, the newest last.

    \b
    Example:
      adjudge runs --store results.db
    """
    from adjudge.cli.terminal import cell, console, plain_table, show
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened:
        there = opened.runs()
    headers = ("run", "created", "judge", "method", "model", "state", "cases", "scored", "inputs")
    table = plain_table(*headers)
    for info in there:
        names = [str(one["name"]) for one in info.inputs]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        part = f", shard {info.shard}" if info.shard else ""
        table.add_row(
            info.id,
            info.created,
            cell(f"{info.judge} {info.judge_version}"),
            cell(info.method),
            cell(_models(info)),
            info.state,
            str(info.total),
            str(info.counts.get("scored", 0)),
            cell(", ".join(names[:3]) + more + part),
        )
    show(console(), table)


def _models(info: RunInfo) -> str:
    samples = info.asking.get("samples", 1)
    times = f" x{samples}" if samples > 1 else ""
    return ", ".join(model + times for model in info.models) or "-"
