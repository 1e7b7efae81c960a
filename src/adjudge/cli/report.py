"""``adjudge report``: a run as one page to look at."""

from __future__ import annotations

import sys
from typing import Annotated

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


@command
def report(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-O", metavar="FILE", help="The page to write; - is standard output."
        ),
    ],
    labels: LabelsOption = None,
    label: LabelOption = None,
    annotator: AnnotatorOption = None,
    cluster: ClusterOption = None,
    cases: CasesOption = None,
    reader: ReaderOption = None,
    judge: JudgeOption = None,
    store: StoreOption = None,
) -> None:
    """Write a run as one HTML page: its numbers, its agreement with labels, and every case with
    the evidence beside the trajectory.

    The page needs no network and runs no script but its own. Cases are read again from the run's
    inputs; where those are gone or have changed, the page says so and shows verdicts alone.

    \b
    Examples:
      adjudge report last -O report.html
      adjudge report 3f2a -O report.html --labels people.csv
    """
    from adjudge.exports.files import write_whole
    from adjudge.report.page import Page
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened:
        info = opened.find(run)
        page = Page.of(
            opened,
            info,
            judge=judge,
            labelling=labelling_of(store or DEFAULT_STORE, info, labels, label, annotator, cluster),
            cases=cases or (),
            reader=reader,
        )
        if output == "-":
            page.write(sys.stdout)
        else:
            write_whole(output, page.write)
            print(f"{output}: {info.total:,} verdicts of run {info.id}")
