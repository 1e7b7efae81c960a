"""``adjudge judges``: the judges, their methods, readers and options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.ending import command

if TYPE_CHECKING:
    from rich.console import Console


@command
def judges(
    name: Annotated[
        list[str] | None, typer.Argument(help="Only these; all by default.", show_default=False)
    ] = None,
) -> None:
    """List the judges with their methods, case formats and options.

    \b
    Example:
      adjudge judges robot
    """
    from adjudge.cli.terminal import console
    from adjudge.judges import judge_names

    out = console()
    for one in name or judge_names():
        _print_judge(out, one)


def _print_judge(out: Console, name: str) -> None:
    from rich.table import Table

    from adjudge.cli.terminal import cell
    from adjudge.judges import load_judge
    from adjudge.judges.options import describe_options, make_judge

    judge = load_judge(name)
    about = (judge.__doc__ or "").strip().split("\n")[0]
    made = make_judge(judge, {})
    out.print(cell(f"{name} (version {judge.version}): {about}"))
    methods = ", ".join(
        f"{m.name} (asks a model)" if m.needs_model else m.name for m in made.methods().values()
    )
    out.print(cell(f"  methods: {methods}"))
    out.print(cell(f"  readers: {', '.join(made.readers())}"))
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for option, kind, default, description in describe_options(judge):
        table.add_row(f"  -o {option}=", cell(kind), cell(f"default {default}"), cell(description))
    out.print(table)
