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

    Judges are ours, those of installed packages, and yours: package.module:Class, a Python file
    or a rubric.

    \b
    Examples:
      adjudge judges robot
      adjudge judges ./rubric.yaml
    """
    from adjudge.cli.terminal import cell, console
    from adjudge.judges import judge_names
    from adjudge.judges.plugins import PluginError

    out = console()
    for one in name or judge_names():
        try:
            _print_judge(out, one, whole=bool(name))
        except PluginError as error:
            if name:
                raise
            # what one package breaks is no reason not to list the others
            out.print(cell(f"{one}: {error}"))


def _print_judge(out: Console, name: str, whole: bool) -> None:
    import inspect

    from rich.text import Text

    from adjudge.cli.terminal import cell, plain_table, show, visible
    from adjudge.judges import load_judge
    from adjudge.judges.options import describe_options, make_judge
    from adjudge.judges.readers import reader_plugins

    judge = load_judge(name)
    about = inspect.cleandoc(judge.__doc__ or "").split("\n\n", 1)
    made = make_judge(judge, {})
    called = name if name == judge.name else f"{judge.name} ({name})"
    out.print(cell(f"{called} (version {judge.version}): {about[0]}"))
    if whole and len(about) > 1:
        out.print(Text(visible(about[1])))
    # a method may go by several names
    named = {m.name: m.needs_model for m in made.methods().values()}
    methods = ", ".join(f"{n} (asks a model)" if asks else n for n, asks in named.items())
    out.print(cell(f"  methods: {methods}"))
    added = [f"{one} (package {it.package})" for one, it in reader_plugins(made).items()]
    out.print(cell(f"  readers: {', '.join([*added, *made.readers()])}"))
    table = plain_table()
    for option, kind, default, description in describe_options(judge):
        table.add_row(f"  -o {option}=", cell(kind), cell(default), cell(description))
    show(out, table)
