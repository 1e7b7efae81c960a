"""``adjudge simulate``: a robot plan's trace, step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudge.cli.ending import command


@command
def simulate(
    cases: Annotated[str, typer.Argument(metavar="CASE", help="A file with the case, or -.")],
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="Its id or position; the first by default.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("-o", "--option", metavar="NAME=VALUE", help="Set an option of the judge."),
    ] = None,
    reader: Annotated[
        str | None, typer.Option(metavar="NAME", help="The case's format; detected otherwise.")
    ] = None,
) -> None:
    """Run a robot plan and show each step with its role, and why the first one that fails does.

    \b
    Example:
      adjudge simulate wash_mug.json
    """
    from adjudge.cli.one_case import one_case
    from adjudge.cli.terminal import cell, console, plain_table, show
    from adjudge.judges import load_judge
    from adjudge.judges.options import judge_from_text
    from adjudge.judges.robot.facts import RobotFacts

    judge = judge_from_text(load_judge("robot"), option or ())
    item = one_case(judge, cases, case, reader)
    evidence = judge.check(item.case).with_findings(item.record.findings)
    facts: RobotFacts = evidence.facts
    out = console()
    out.print(cell(f"{item.id}: {item.case.instruction}"))
    table = plain_table("#", "step", "role")
    for index, (action, role) in enumerate(facts.roles):
        table.add_row(cell(str(index)), cell(action, 60), cell(role))
    show(out, table)
    error = facts.trace.error
    if error is not None:
        kind = f"{error.kind} ({error.error_class})" if error.kind else "failed"
        out.print(cell(f"step {error.step}: {kind}: {error.text}"))
        if error.would_help:
            out.print(cell(f"would have met it: {error.would_help}"))
    for finding in evidence.findings:
        out.print(cell(f"{finding.id} {finding.kind}: {finding.text}"))
    rules = ", ".join(bound.rule for bound in evidence.bounds)
    out.print(cell(f"rules: {rules}"))
