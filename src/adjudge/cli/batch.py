"""``adjudge batch``: a run's questions as files of a batch API, and the results back."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.asking import PricesOption
from adjudge.cli.comparing import CasesOption, JudgeOption
from adjudge.cli.ending import NOT_ALL_SCORED, command, fail
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.inputs import Source
    from adjudge.runs.batch.rounds import Replay, Round
    from adjudge.runs.batch.stored import GivenRun
    from adjudge.runs.engine import Task
    from adjudge.runs.panel import Asking, Panel
    from adjudge.runs.store import RunInfo, Store

    Work = Callable[[Store, RunInfo, Asking, Replay], Round]

_FOLDER = "batch"

batch = typer.Typer(
    help="Ask in batches: write a run's questions into files, read the results of a provider.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
RunArgument = Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")]
BatchOption = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="DIR",
        help="Ask nobody: write the questions into files in DIR (see `adjudge batch`).",
    ),
]
WorkersOption = Annotated[
    int | None, typer.Option(min=0, help="Processes that check beside this one.  [default: 1]")
]


@batch.command("write")
@command
def write(
    run: RunArgument,
    folder: Annotated[
        str, typer.Option("-O", "--folder", metavar="DIR", help="Where the files go.")
    ] = _FOLDER,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            help="Leave out what the model does not know: schema (it then stands in the prompt), "
            "temperature, seed, max_tokens; repeatable.",
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Write those that wait for results once more.")
    ] = False,
    cases: CasesOption = None,
    judge: JudgeOption = None,
    prices: PricesOption = None,
    workers: WorkersOption = None,
    store: StoreOption = None,
) -> None:
    """Write what a run has to ask next: JSON lines for OpenAI's Batch API, which vLLM and others
    take too, a body for Anthropic's Message Batches, split at their limits.

    `adjudge run … --batch DIR` begins such a run. What waits for results is not written again.
    Which parts of a request the endpoint does not know is learned from results too.

    \b
    Examples:
      adjudge run robot plans.jsonl --model openai:gpt-5-mini --batch batch
      adjudge batch write last
      adjudge batch write 3f2a -O second --without temperature
    """
    from adjudge.runs.batch.rounds import write_round

    def work(opened: Store, info: RunInfo, asking: Asking, replay: Replay) -> Round:
        left_out = _parts(without or ())
        return write_round(opened, info, asking, folder, replay, without=left_out, again=again)

    _round(run, work, cases, judge, prices, workers, store)


@batch.command("read")
@command
def read(
    run: RunArgument,
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="Results as they came, or .gz of them.")
    ],
    final: Annotated[
        bool,
        typer.Option("--final", help="Let errors stand as the results; else they are asked again."),
    ] = False,
    cases: CasesOption = None,
    judge: JudgeOption = None,
    prices: PricesOption = None,
    workers: WorkersOption = None,
    store: StoreOption = None,
) -> None:
    """Take results into a run: output and error files, in any order, as many as there are.

    The first good result of a question counts. One that is an error, expired or canceled is asked
    again in the next round, unless --final. Lines that are of no use are named. Once nothing is
    missing the run is complete; `adjudge run …` as it was begun, without --batch, asks the rest
    directly.

    Exit status: 0 all results were used, 3 some were not or a case was not scored, 2 a file could
    not be read.

    \b
    Examples:
      adjudge batch read last output.jsonl errors.jsonl
      adjudge batch read 3f2a results/*.jsonl.gz
    """
    from adjudge.runs.batch.rounds import read_round

    def work(opened: Store, info: RunInfo, asking: Asking, replay: Replay) -> Round:
        return read_round(opened, info, asking, files, replay, final=final)

    _round(run, work, cases, judge, prices, workers, store)


@batch.command("status")
@command
def status(
    run: RunArgument,
    cases: CasesOption = None,
    judge: JudgeOption = None,
    prices: PricesOption = None,
    workers: WorkersOption = None,
    store: StoreOption = None,
) -> None:
    """Count a run's verdicts, the questions that wait for results and those to be written.

    \b
    Example:
      adjudge batch status last
    """
    from adjudge.runs.batch.rounds import read_round

    def work(opened: Store, info: RunInfo, asking: Asking, replay: Replay) -> Round:
        return read_round(opened, info, asking, [], replay)

    _round(run, work, cases, judge, prices, workers, store)


def begin(
    store: Store,
    task: Task,
    sources: list[Source],
    asking: Asking,
    folder: str,
    prices: str | None,
    workers: int | None,
) -> None:
    """Make the run, and write what it asks first; what is doubtful is said on standard error."""
    from adjudge.runs.batch.panel import batch_panel
    from adjudge.runs.batch.rounds import write_round
    from adjudge.runs.batch.stored import GivenRun, asking_of, new_run

    def work(opened: Store, info: RunInfo, asking: Asking, replay: Replay) -> Round:
        return write_round(opened, info, asking, folder, replay)

    for warning in batch_panel(asking).warnings:
        print(f"adjudge: warning: {warning}", file=sys.stderr)
    info = new_run(store, task, sources, asking)
    given = GivenRun(task, sources, {**asking_of(info), "prices": prices})
    _play(store, info, given, work, prices, workers)


def _round(
    run: str,
    work: Work,
    cases: list[str] | None,
    judge: str | None,
    prices: str | None,
    workers: int | None,
    store: str | None,
) -> None:
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.batch.stored import given_run
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened:
        info = opened.find(run)
        if not info.models:
            fail(f"run {info.id}: expected one that asks a model, found the method {info.method}")
        given = given_run(info, judge=judge, cases=cases or ())
        given.asking["prices"] = prices
        _play(opened, info, given, work, prices, workers)


def _play(
    store: Store,
    info: RunInfo,
    given: GivenRun,
    work: Work,
    prices: str | None,
    workers: int | None,
) -> None:
    """Do the work with a replay of the run, and say what came of it."""
    from adjudge.cli.batch_page import print_round
    from adjudge.cli.judging import judge_into
    from adjudge.cli.summary import print_summary
    from adjudge.cli.terminal import console
    from adjudge.runs.stopping import Stop
    from adjudge.runs.summary import Tally

    stop = Stop()
    tally = Tally()

    def replay(panel: Panel) -> None:
        nonlocal tally
        tally, _ = judge_into(store, given.task, given.sources, panel, stop, workers, False)

    done = work(store, info, given.asking, replay)
    out = console()
    print_round(out, store, info, done, tally.total, stop.left)
    if not stop.left:
        print_summary(out, store, store.find(info.id), tally, None, prices)
        if tally.nothing_read and not (info.shard and not tally.total):
            fail("no cases could be read" if tally.total else "there are no cases in the input")
    failed = not stop.left and tally.total and not tally.all_scored
    if failed or (done.taken and done.taken.useless):
        raise typer.Exit(NOT_ALL_SCORED)


def _parts(names: list[str] | tuple[()]) -> list[str]:
    known = ("schema", "temperature", "seed", "max_tokens")
    for name in names:
        if name not in known:
            fail(f"--without: expected {', '.join(known)}, found {name[:40]!r}")
    return list(names)
