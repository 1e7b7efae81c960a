"""``adjudge read``: what a reader makes of a file, without judging it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.ending import NOT_ALL_SCORED, command, fail

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.runs.reading import Item


@command
def read(
    cases: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Files, folders, globs, or - for standard input."),
    ],
    reader: Annotated[
        str | None, typer.Option(metavar="NAME", help="The format; detected otherwise.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The conversations in one form, as JSON, one a line.")
    ] = False,
) -> None:
    """Show the conversations in files: format, messages, calls, results, and what was dropped.

    Exit status: 0 all were read, 3 some were not, 2 none was.

    \b
    Examples:
      adjudge read trace.json
      adjudge read traces/ --json | jq .response_from
    """
    from adjudge.cli.terminal import console

    read_some = failed = False
    out = console()
    for item in _items(cases, reader):
        if item.error is not None:
            failed = True
            console(error=True).print(f"{item.record.where}: {item.error.describe()}")
            continue
        read_some = True
        if as_json:
            print(item.case.model_dump_json(exclude_defaults=True))
        else:
            _print(out, item)
    if not read_some:
        fail("no conversation could be read")
    if failed:
        raise typer.Exit(NOT_ALL_SCORED)


def _items(cases: list[str], reader: str | None) -> Iterator[Item]:
    from adjudge.inputs import expand
    from adjudge.judges import load_judge
    from adjudge.runs.places import places
    from adjudge.runs.reading import CaseReader

    judge = load_judge("browser")()
    found = CaseReader(judge, reader)
    for place in places(expand(cases), is_part=judge.is_part):
        yield from found.items(place.piece, place.default_id)


def _print(out: Console, item: Item) -> None:
    from adjudge.cli.terminal import cell

    case = item.case
    calls = sum(len(message.calls) for message in case.messages)
    results = sum(len(message.results) for message in case.messages)
    roles = ", ".join(
        f"{sum(message.role == role for message in case.messages)} {role}"
        for role in ("system", "user", "assistant", "tool")
    )
    last = case.response_to - 1
    response = (
        f"{case.response_from}"
        if case.response_from == last
        else (f"{case.response_from} to {last}")
    )
    tools = "not stated" if case.tools is None else str(len(case.tools))
    lines = [
        f"{item.id} · {case.source}",
        f"  messages: {len(case.messages)} ({roles})",
        f"  calls: {calls}  results: {results}  tools offered: {tools}",
        f"  response: messages {response}",
    ]
    if case.drops:
        dropped = ", ".join(
            drop.what if drop.count == 1 else f"{drop.what} ({drop.count} times)"
            for drop in case.drops
        )
        lines.append(f"  dropped: {dropped}")
    for line in lines:
        out.print(cell(line))
