"""``adjudge show``: a run's verdicts, or one of them whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.ending import command, fail
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from adjudge.runs.store import RunInfo, Store


@command
def show(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="One case: its id, or its position.")
    ] = None,
    status: Annotated[
        str | None, typer.Option(metavar="STATUS", help="Only verdicts of this status.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="How many at most; 0 shows all.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="JSON, one verdict a line.")] = False,
    store: StoreOption = None,
) -> None:
    """Show a run's verdicts as a table, or the whole verdict on one case.

    \b
    Examples:
      adjudge show last
      adjudge show last --status error
      adjudge show 3f2a --case wash-mug
    """
    from adjudge.cli.terminal import json_lines
    from adjudge.exports import write_jsonl
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened:
        info = opened.find(run)
        if case is not None:
            _show_case(opened, info, case, as_json)
        elif as_json:
            write_jsonl(
                lambda: opened.verdicts(info, status=status, limit=limit or None), json_lines()
            )
        else:
            _show_table(opened, info, status, limit)


def _show_case(store: Store, info: RunInfo, case: str, as_json: bool) -> None:
    from adjudge.cli.terminal import json_lines
    from adjudge.cli.verdict import print_verdict
    from adjudge.exports import write_jsonl

    found = store.verdicts_of(info, case)
    if not found:
        near = ", ".join(store.near(info, case))
        fail(
            f"case {case[:80]!r}: run {info.id} has none of this id or position"
            + (f"; there are: {near}" if near else "")
        )
    if as_json:
        write_jsonl(lambda: found, json_lines())
    else:
        for line in found:
            print_verdict(json.loads(line))


def _show_table(store: Store, info: RunInfo, status: str | None, limit: int) -> None:
    from itertools import islice

    from adjudge.cli.terminal import cell, console
    from adjudge.cli.verdict import print_table

    out = console()
    shown = 0
    lines = iter(store.verdicts(info, status=status, limit=limit or None))
    while chunk := [json.loads(line) for line in islice(lines, 500)]:
        print_table(out, chunk)
        shown += len(chunk)
    total = info.counts.get(status, 0) if status else info.total
    if shown < total:
        out.print(cell(f"… {total - shown} more: --limit 0 shows all"))
    out.print(cell(f"run {info.id} is {info.state}: {total} verdicts"))
