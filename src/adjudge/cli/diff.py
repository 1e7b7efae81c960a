"""``adjudge diff``: what changed from one run to another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.comparing import (
    AnnotatorOption,
    CasesOption,
    ClusterOption,
    JudgeOption,
    LabelOption,
    LabelsOption,
    ReaderOption,
    labelling_of,
)
from adjudge.cli.ending import command
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.agreement.compare import Comparison
    from adjudge.runs.store import RunInfo, Store

_MOST_LISTED = 20


@command
def diff(
    before: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    after: Annotated[str, typer.Argument(help="The run to compare with it.")],
    labels: LabelsOption = None,
    label: LabelOption = None,
    annotator: AnnotatorOption = None,
    cluster: ClusterOption = None,
    limit: Annotated[int, typer.Option(min=0, help="So many changes of each dimension.")] = 10,
    cases: CasesOption = None,
    reader: ReaderOption = None,
    judge: JudgeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The comparison as JSON.")] = False,
    store: StoreOption = None,
) -> None:
    """Show what changed between two runs, paired by case id: values, and who is right by labels.

    Differences of means have 95% intervals from resampled tasks; of successes, McNemar's exact p.

    \b
    Examples:
      adjudge diff 3f2a 77bc
      adjudge diff 3f2a last --labels people.csv
    """
    from adjudge.agreement.needs import need_numpy
    from adjudge.cli.terminal import console, json_lines
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.of_run import judge_of
    from adjudge.runs.store import Store

    need_numpy()
    from adjudge.agreement.compare import compare
    from adjudge.agreement.gather import gather

    with Store.open(store or DEFAULT_STORE) as opened:
        infos = [opened.find(before), opened.find(after)]
        sides = [
            gather(
                opened,
                info,
                labelling_of(store or DEFAULT_STORE, info, labels, label, annotator, cluster),
                cases=cases or (),
                reader=reader,
                judge=judge_of(info, judge),
                bare=False,
            )
            for info in infos
        ]
        for problem in sides[0].refused[:_MOST_LISTED]:
            print(f"adjudge: {problem}", file=sys.stderr)
        compared = compare(sides[0], sides[1], (infos[0].id, infos[1].id), most=limit)
        if as_json:
            json_lines().write(compared.model_dump_json() + "\n")
        else:
            _print(console(), compared, opened, infos[1])


def _print(out: Console, c: Comparison, store: Store, info: RunInfo) -> None:
    from adjudge.cli.figures import figure_cells, p_value, shown
    from adjudge.cli.summary import show_command
    from adjudge.cli.terminal import cell, plain_table, show

    out.print(
        cell(
            f"{c.before} to {c.after}: {c.cases:,} cases in both, {c.only_before:,} only before, "
            f"{c.only_after:,} only after"
        )
    )
    for title, cases in (
        ("newly failing", c.newly_failing),
        ("newly passing", c.newly_passing),
        ("newly without a verdict", c.newly_unscored),
    ):
        listed = ", ".join(cases[:_MOST_LISTED])
        more = f" and {len(cases) - _MOST_LISTED:,} more" if len(cases) > _MOST_LISTED else ""
        out.print(cell(f"{title}: {len(cases):,}" + (f": {listed}{more}" if cases else "")))
    table = plain_table(
        "", "pairs", "changed", "up", "down", "before", "after", "difference", "95% interval", "p"
    )
    for d in c.differences:
        table.add_row(
            cell(d.name),
            *(f"{count:,}" for count in (d.n, d.changed, d.up, d.down)),
            figure_cells(d.before)[0],
            figure_cells(d.after)[0],
            *figure_cells(d.mean),
            "" if d.p_value is None else p_value(d.p_value),
        )
    show(out, table)
    if c.labelled:
        table = plain_table(
            "right by label", "pairs", "both", "only before", "only after", "neither", "p"
        )
        for one in c.labelled:
            counts = (one.n, one.both, one.only_before, one.only_after, one.neither)
            table.add_row(cell(one.name), *(f"{count:,}" for count in counts), p_value(one.p_value))
        show(out, table)
    for d in c.differences:
        for change in d.changes:
            part = "" if change.dimension == d.name else f" {change.dimension}"
            said = f"{d.name}{part} {shown(change.before)} to {shown(change.after)}"
            out.print(cell(f"{change.case}: {said}"))
    out.print(cell(f"One case: {show_command(store, info, '--case ID')}"))
