"""``adjudge label``: labels of a run's cases, kept beside it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from adjudge.cli.comparing import CasesOption, JudgeOption, ReaderOption
from adjudge.cli.ending import command, fail
from adjudge.cli.options import StoreOption

_MOST_NAMED = 100
_SOME_REFUSED = 3

label = typer.Typer(
    help="Keep labels of a run's cases: import, show, remove.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
RunArgument = Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")]


@label.command("import")
@command
def import_labels(
    run: RunArgument,
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="CSV, or JSON lines.")],
    cases: CasesOption = None,
    reader: ReaderOption = None,
    judge: JudgeOption = None,
    store: StoreOption = None,
) -> None:
    """Keep the labels in files: rows of case, annotator, dimension and value.

    A dimension is one of the judge's, or `success` (true, false). An empty value is no label,
    `null` says that the dimension does not apply. What the same annotator said before of the same
    thing is replaced. Rows that cannot be used are named and left out.

    Exit status: 0 all rows were kept, 3 some were not, 2 none was.

    \b
    Examples:
      adjudge label import last people.csv
      adjudge label import 3f2a anna.jsonl ben.jsonl
    """
    from adjudge.agreement.label_store import LabelStore
    from adjudge.agreement.row_labels import labels_in
    from adjudge.cli.terminal import cell, console, visible
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.of_run import judge_of
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened:
        info = opened.find(run)
        found = labels_in(
            opened, info, files, cases=cases or (), reader=reader, judge=judge_of(info, judge)
        )
    for one in found.refused[:_MOST_NAMED]:
        print(f"adjudge: {visible(one)}", file=sys.stderr)
    if len(found.refused) > _MOST_NAMED:
        print(f"adjudge: and {len(found.refused) - _MOST_NAMED} more", file=sys.stderr)
    if not found.labels:
        fail(f"no labels could be kept: {len(found.refused)} rows refused, {found.missing} empty")
    with LabelStore(store or DEFAULT_STORE) as labels:
        new, changed = labels.put(info, found.labels)
    same = len(found.labels) - new - changed
    console().print(
        cell(
            f"run {info.id}: {new:,} labels kept, {changed:,} replaced, {same:,} were there; "
            f"{found.missing:,} empty, {len(found.refused):,} refused"
        )
    )
    if found.refused:
        raise typer.Exit(_SOME_REFUSED)


@label.command("show")
@command
def show_labels(run: RunArgument, store: StoreOption = None) -> None:
    """Count a run's kept labels by annotator and dimension."""
    from collections import Counter

    from adjudge.agreement.label_store import LabelStore
    from adjudge.cli.terminal import cell, console, plain_table, show
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened, LabelStore(store or DEFAULT_STORE) as kept:
        info = opened.find(run)
        counts = Counter((one.annotator, one.dimension) for one in kept.of(info))
    out = console()
    table = plain_table("annotator", "dimension", "labels")
    for (annotator, dimension), count in sorted(counts.items()):
        table.add_row(cell(annotator), cell(dimension), f"{count:,}")
    if counts:
        show(out, table)
    out.print(cell(f"run {info.id}: {sum(counts.values()):,} labels"))


@label.command("remove")
@command
def remove_labels(
    run: RunArgument,
    annotator: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this one's; repeatable.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Drop a run's kept labels, or those of some annotators."""
    from adjudge.agreement.label_store import LabelStore
    from adjudge.cli.terminal import cell, console
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened, LabelStore(store or DEFAULT_STORE) as kept:
        info = opened.find(run)
        count = kept.remove(info, annotator or ())
    console().print(cell(f"run {info.id}: {count:,} labels removed"))
