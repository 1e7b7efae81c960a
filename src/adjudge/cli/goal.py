"""``adjudge goal``: what a robot case is for, and where that was read."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudge.cli.ending import command


@command
def goal(
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
    """Show a robot case's goal, where it came from, and what the audit wants besides.

    \b
    Example:
      adjudge goal wash_mug.json
    """
    from adjudge.cli.one_case import one_case
    from adjudge.cli.terminal import cell, console
    from adjudge.judges.options import judge_from_text
    from adjudge.judges.robot.judge import RobotJudge

    judge = judge_from_text(RobotJudge, option or ())
    assert isinstance(judge, RobotJudge)
    item = one_case(judge, cases, case, reader)
    proof, reason = judge.prove(item.case)
    out = console()
    out.print(cell(f"{item.id}: {item.case.instruction}"))
    purpose = proof.purpose
    if purpose is None:
        out.print(cell(f"no goal: {reason}"))
        return
    out.print(cell(f"goal ({purpose.source}): {purpose.gate}"))
    for node, audited in purpose.audit:
        out.print(cell(f"audit: {node} ({audited.text})"))
    for (word, name), value in purpose.presupposed.items():
        said = f"{name} {value[0]} {value[1]}" if word == "place" else f"{name} {word}: {value}"
        out.print(cell(f"presupposed: {said}"))
    for name in purpose.free_delivery:
        out.print(cell(f"free: one delivery of {name} afterwards"))
    met = {True: "yes", False: "no", None: "unknown"}[proof.met]
    out.print(cell(f"met: {met}"))
