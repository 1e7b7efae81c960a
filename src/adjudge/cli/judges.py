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
        _print_judge(out, one, whole=bool(name))


def _print_judge(out: Console, name: str, whole: bool) -> None:
    import inspect

    from rich.text import Text

    from adjudge.cli.terminal import cell, plain_table, show, visible
    from adjudge.judges import load_judge
    from adjudge.judges.options import describe_options, make_judge

    judge = load_judge(name)
    about = inspect.cleandoc(judge.__doc__ or "").split("\n\n", 1)
    made = make_judge(judge, {})
    out.print(cell(f"{name} (version {judge.version}): {about[0]}"))
    if whole and len(about) > 1:
        out.print(Text(visible(about[1])))
    methods = ", ".join(
        f"{m.name} (asks a model)" if m.needs_model else m.name for m in made.methods().values()
    )
    out.print(cell(f"  methods: {methods}"))
    out.print(cell(f"  readers: {', '.join(made.readers())}"))
    table = plain_table()
    for option, kind, default, description in describe_options(judge):
        table.add_row(f"  -o {option}=", cell(kind), cell(default), cell(description))
    show(out, table)
