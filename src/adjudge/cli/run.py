"""``adjudge run``: judge cases into a run."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.ending import INTERRUPTED, NOT_ALL_SCORED, command, fail
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from adjudge.inputs import Source
    from adjudge.runs.engine import Task
    from adjudge.runs.store import Store
    from adjudge.runs.summary import Tally


@command
def run(
    judge: Annotated[
        str, typer.Argument(help="A judge's name (see `adjudge judges`), or package.module:Class.")
    ],
    cases: Annotated[
        list[str],
        typer.Argument(help="Files, folders, globs, or - for standard input: JSON, JSONL, .gz."),
    ],
    method: Annotated[
        str | None, typer.Option(help="How the judge comes to an opinion.", metavar="NAME")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("-o", "--option", metavar="NAME=VALUE", help="Set an option of the judge."),
    ] = None,
    store: StoreOption = None,
    output: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Also write .jsonl or .csv; - is JSONL on standard "
            "output, and nothing else there.",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that judge.")] = 1,
    reader: Annotated[
        str | None, typer.Option(metavar="NAME", help="The cases' format; detected otherwise.")
    ] = None,
) -> None:
    """Judge cases and keep the verdicts in a run.

    The same command again completes a run that was cut off; a complete one is only shown.

    Exit status: 0 all cases were scored, 3 some were not, 2 nothing could be read or the command
    was wrong, 130 interrupted.

    \b
    Examples:
      adjudge run robot plans.jsonl
      adjudge run robot plans/ -o hands=1 --output verdicts.csv
      cat plans.jsonl | adjudge run robot - --output - | jq .scores
    """
    from adjudge.exports import check_suffix
    from adjudge.inputs import expand
    from adjudge.judges import load_judge
    from adjudge.judges.options import judge_from_text
    from adjudge.runs.database import DEFAULT_STORE
    from adjudge.runs.engine import Task
    from adjudge.runs.store import Store

    task = Task(judge_from_text(load_judge(judge), option or ()), method, reader)
    task.bench()
    if output not in (None, "-"):
        check_suffix(str(output))
    sources = expand(cases)
    _need_one(sources)
    with Store.open(store or DEFAULT_STORE, create=True) as opened:
        tally, run_id = _judge(task, sources, opened, workers)
        _finish(opened, run_id, tally, output)


def _need_one(sources: list[Source]) -> None:
    problems = [s.problem for s in sources if s.problem is not None]
    if len(problems) == len(sources):
        listed = "".join(f"{problem.file}: {problem.error}\n" for problem in problems[:20])
        fail(f"{listed}nothing could be read")


def _judge(task: Task, sources: list[Source], store: Store, workers: int) -> tuple[Tally, str]:
    """Judge, counting on the way; Ctrl-C keeps what there is and says how to go on."""
    from adjudge.cli.progress import Progress
    from adjudge.runs.brief import Brief
    from adjudge.runs.engine import Judged
    from adjudge.runs.identity import Identity
    from adjudge.runs.running import run_stored
    from adjudge.runs.summary import Tally, briefs

    tally = Tally()
    run_id = ""
    with Progress() as progress:

        def count(brief: Brief) -> None:
            tally.add(brief)
            progress.show(tally.total, tally.total - tally.statuses["scored"])

        def on_start(identity: Identity, stored: int) -> None:
            nonlocal run_id
            run_id = identity.id
            for brief in briefs(store.verdicts(store.find(identity.id))) if stored else ():
                count(brief)

        def on_judged(judged: Judged) -> None:
            count(judged.brief)

        try:
            run_stored(
                task, sources, store, workers=workers, on_start=on_start, on_judged=on_judged
            )
        except KeyboardInterrupt:
            progress.stop()
            again = shlex.join(["adjudge", *sys.argv[1:]])
            kept = store.find(run_id).total if run_id else 0
            print(f"\nInterrupted: {kept} verdicts are kept. To go on:\n  {again}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
    return tally, run_id


def _finish(store: Store, run_id: str, tally: Tally, output: str | None) -> None:
    from adjudge.cli.summary import print_summary
    from adjudge.cli.terminal import console, json_lines
    from adjudge.exports import write_file, write_jsonl

    info = store.find(run_id)
    if output == "-":
        write_jsonl(lambda: store.verdicts(info), json_lines())
    elif output is not None:
        write_file(output, lambda: store.verdicts(info))
    print_summary(console(error=output == "-"), store, info, tally, output)
    if tally.nothing_read:
        fail("no cases could be read" if tally.total else "there are no cases in the input")
    if not tally.all_scored:
        raise typer.Exit(NOT_ALL_SCORED)
