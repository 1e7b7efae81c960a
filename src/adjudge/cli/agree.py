"""``adjudge agree``: how right a run is, by its labels."""

from __future__ import annotations

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
def agree(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    labels: LabelsOption = None,
    label: LabelOption = None,
    annotator: AnnotatorOption = None,
    cluster: ClusterOption = None,
    worst: Annotated[int, typer.Option(min=0, help="So many of the worst disagreements.")] = 10,
    epsilon: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="What a judge's lower cost is worth, in the alternative test."
        ),
    ] = 0.2,
    cases: CasesOption = None,
    reader: ReaderOption = None,
    judge: JudgeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole page as JSON.")] = False,
    store: StoreOption = None,
) -> None:
    """Show how a run agrees with its labels: those imported, those in files, the cases' own.

    Several annotators count as one by their lower median, or majority. Intervals are 95% and take
    whole tasks as drawn. What cannot be said is said so, with the reason.

    \b
    Examples:
      adjudge agree last
      adjudge agree last --label success=goal_satisfied
      adjudge agree 3f2a --labels people.csv --cluster meta.task
    """
    from adjudge.agreement.needs import need_numpy
    from adjudge.cli.agreement_page import print_page
    from adjudge.cli.terminal import console, json_lines
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.of_run import judge_of
    from adjudge.runs.store import Store

    need_numpy()
    from adjudge.agreement.page import agreement_page

    with Store.open(store or DEFAULT_STORE) as opened:
        info = opened.find(run)
        page = agreement_page(
            opened,
            info,
            labelling_of(store or DEFAULT_STORE, info, labels, label, annotator, cluster),
            cases=cases or (),
            reader=reader,
            judge=judge_of(info, judge),
            epsilon=epsilon,
            worst=worst,
        )
        if as_json:
            json_lines().write(page.model_dump_json() + "\n")
        else:
            print_page(console(), page, opened, info)
