"""``adjudge export``: a run's verdicts as a file for another tool."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from adjudge.cli.comparing import JudgeOption
from adjudge.cli.ending import command, fail
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from adjudge.exports.row_formats import RowFormat
    from adjudge.runs.store import RunInfo, Store


class ExportCommand(TyperCommand):
    """The command, whose help lists the formats of installed packages too."""

    def get_help(self, ctx: Any) -> str:
        """The help; only now is it looked up what is installed."""
        from adjudge.cli.terminal import visible
        from adjudge.exports.formats import added_formats

        added = "".join(
            f"\n  {visible(name)} (package {visible(plugin.package)})"
            for name, plugin in added_formats().items()
        )
        return super().get_help(ctx) + (
            f"\n\nFormats of installed packages:{added}" if added else ""
        )


@command
def export(
    run: Annotated[list[str], typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="jsonl, csv, sotopia, sotopia-rm, trl-unpaired, trl-stepwise, verl, verifiers, or "
            "one of an installed package.",
        ),
    ],
    output: Annotated[
        str, typer.Option(metavar="FILE", help="Where to; - is standard output.")
    ] = "-",
    threshold: Annotated[
        float | None,
        typer.Option(metavar="REWARD", help="TRL's labels are true from this reward on."),
    ] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="The run's cases, where its own inputs are gone."),
    ] = None,
    reader: Annotated[
        str | None, typer.Option(metavar="NAME", help="The cases' format; detected otherwise.")
    ] = None,
    judge: JudgeOption = None,
    store: StoreOption = None,
) -> None:
    """Write a run's verdicts in the format of another tool.

    Several runs of the social judge over the same dialogues, each on a dimension of its own, are
    combined: each run's rewards are stretched to 0 to 1 over all dialogues, and an utterance's
    reward is the mean of its shares times 10.

    \b
    Examples:
      adjudge export last --to csv --output verdicts.csv
      adjudge export last --to trl-unpaired --threshold 0.75 --output good.jsonl
      adjudge export 3f2a 77bc 90aa --to sotopia-rm --output rewards.json
    """
    from adjudge.exports.files import write_whole
    from adjudge.exports.formats import PLAIN, row_format
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.store import Store

    made = None if to in PLAIN else row_format(to)
    told: dict[str, int] = {}
    with Store.open(store or DEFAULT_STORE) as opened:
        infos = [opened.find(name) for name in run]
        if made is None:
            if len(infos) > 1:
                fail(f"--to {to}: expected one run, found {len(infos)}")
            write = _plain(opened, infos[0], to)
        else:
            write, told = _rows(opened, infos, made, threshold, cases or [], reader, judge)
        if output == "-":
            write(sys.stdout)
        else:
            write_whole(output, write)
    for reason, count in told.items():
        print(f"adjudge: left out: {count} {reason}", file=sys.stderr)
    for info in infos:
        if info.state != "complete":
            print(f"adjudge: run {info.id} is {info.state}: not all verdicts", file=sys.stderr)


def _plain(store: Store, info: RunInfo, to: str) -> Callable[[TextIO], None]:
    from adjudge.exports.files import write_jsonl
    from adjudge.exports.table import write_csv

    write = write_csv if to == "csv" else write_jsonl
    return lambda stream: write(lambda: store.verdicts(info), stream)


def _rows(
    store: Store,
    infos: list[RunInfo],
    made: RowFormat,
    threshold: float | None,
    cases: list[str],
    reader: str | None,
    judge: str | None,
) -> tuple[Callable[[TextIO], None], dict[str, int]]:
    from adjudge.exports.combine import combine
    from adjudge.exports.row_formats import Settings, write_rows
    from adjudge.runs.of_run import judge_of, pairs_of

    settings = Settings(threshold)
    runs = [
        pairs_of(store, info, cases=cases, reader=reader, judge=judge_of(info, judge))
        for info in infos
    ]

    def write(stream: TextIO) -> None:
        pairs = runs[0]() if len(runs) == 1 else combine(runs)
        write_rows(made.rows(pairs, settings), stream, made.container)

    return write, settings.left_out
