"""``adjudge gate``: whether a run is good enough, as an exit status."""

from __future__ import annotations

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
from adjudge.cli.ending import command, fail
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from typing import TextIO

    from adjudge.agreement.gate import Gate, Statistic

_NOT_MET = 1
_MOST_CASES = 20


@command
def gate(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    least: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="NAME=VALUE", help="At least this over the run; repeatable."),
    ] = None,
    most: Annotated[
        list[str] | None,
        typer.Option("--max", metavar="NAME=VALUE", help="At most this over the run; repeatable."),
    ] = None,
    each: Annotated[
        list[str] | None,
        typer.Option(
            "--each", metavar="NAME=VALUE", help="At least this in each case; repeatable."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="The run that `newly_failing` is counted against."),
    ] = None,
    confident: Annotated[
        bool,
        typer.Option(
            "--confident", help="The worse end of a statistic's 95% interval must meet it too."
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--junit", metavar="FILE", help="Also write JUnit XML."),
    ] = None,
    labels: LabelsOption = None,
    label: LabelOption = None,
    annotator: AnnotatorOption = None,
    cluster: ClusterOption = None,
    cases: CasesOption = None,
    reader: ReaderOption = None,
    judge: JudgeOption = None,
    store: StoreOption = None,
) -> None:
    """Hold a run against conditions.

    NAME is `success` (the share of successes), a dimension or `reward` (its mean), `scored` (the
    share of cases with a verdict; all of them, unless you say less), `newly_failing` (with
    --against), or a statistic of agreement with labels, such as `success.kappa`, `score.mae`,
    `success.true_positive`.

    Exit status: 0 all are met, 1 some are not, 2 the command was wrong.

    \b
    Examples:
      adjudge gate last --min success=0.9 --each score=1 --junit gate.xml
      adjudge gate last --against 3f2a --max newly_failing=0
      adjudge gate last --labels people.csv --min success.kappa=0.6 --confident
    """
    import json

    from adjudge.agreement import gate as gates
    from adjudge.agreement.conditions import conditions_of
    from adjudge.agreement.junit import junit
    from adjudge.exports.files import write_whole
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.of_run import judge_of
    from adjudge.runs.store import Store

    conditions = conditions_of({"min": least or (), "max": most or (), "each": each or ()})
    if not conditions:
        fail("expected a condition: --min, --max or --each NAME=VALUE")
    where = store or DEFAULT_STORE
    with Store.open(where) as opened:
        info = opened.find(run)
        statistic: Statistic | None = None
        if any(c.of_agreement for c in conditions):
            from adjudge.agreement.needs import need_numpy

            need_numpy()
            from adjudge.agreement.page import agreement_page
            from adjudge.agreement.statistic import statistic_of

            page = agreement_page(
                opened,
                info,
                labelling_of(where, info, labels, label, annotator, cluster),
                cases=cases or (),
                reader=reader,
                judge=judge_of(info, judge),
                worst=0,
                bare=False,
            )
            statistic = statistic_of(page)
        failing: list[str] | None = None
        if against is not None:
            before = opened.find(against)
            failing = gates.newly_failing(
                map(json.loads, opened.verdicts(before)), map(json.loads, opened.verdicts(info))
            )
        result = gates.gate(
            map(json.loads, opened.verdicts(info)),
            conditions,
            statistic=statistic,
            newly_failing=failing,
            confident=confident,
        )
        if info.state != "complete":
            fail(f"run {info.id} is {info.state}: not all verdicts are there")
    if output is not None:
        xml = junit(result, name=info.id, judge=info.judge)

        def write(stream: TextIO) -> None:
            stream.write(xml)

        write_whole(output, write)
    _print(result)
    if not result.passed:
        raise typer.Exit(_NOT_MET)


def _print(result: Gate) -> None:
    from adjudge.cli.terminal import cell, console

    out = console()
    for outcome in result.outcomes:
        out.print(
            cell(f"{'met' if outcome.met else 'NOT MET'}  {outcome.condition}: {outcome.said}")
        )
        for case in outcome.cases:
            out.print(cell(f"  {case}"))
    if result.cases:
        passed = sum(case.passed for case in result.cases)
        out.print(cell(f"each case: {passed:,} of {len(result.cases):,} pass"))
        for one in [one for one in result.cases if not one.passed][:_MOST_CASES]:
            out.print(cell(f"  {one.case}: {'; '.join(one.failed) or one.reason}"))
