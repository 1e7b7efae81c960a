"""``adjudge run``: judge cases into a run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.asking import (
    BaseUrlOption,
    ConcurrencyOption,
    DeadlineOption,
    MaxCostOption,
    MaxOutputTokensOption,
    MaxTokensOption,
    ModelOption,
    PricesOption,
    QuorumOption,
    RpmOption,
    SamplesOption,
    SeedOption,
    TemperatureOption,
    TimeoutOption,
    TpmOption,
    panel_from,
)
from adjudge.cli.batch import BatchOption
from adjudge.cli.ending import NOT_ALL_SCORED, command, fail
from adjudge.cli.log import LogContentOption, LogJsonOption, logged
from adjudge.cli.options import StoreOption
from adjudge.cli.templates import (
    ExamplesOption,
    SystemTemplateOption,
    UserTemplateOption,
    with_templates,
)

if TYPE_CHECKING:
    from adjudge.inputs import Source
    from adjudge.runs.panel import Asking, Panel
    from adjudge.runs.store import Store
    from adjudge.runs.summary import Tally


@command
def run(
    judge: Annotated[
        str,
        typer.Argument(
            help="A judge's name (see `adjudge judges`), a rubric (FILE.yaml), FILE.py:Class, or "
            "package.module:Class."
        ),
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
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    samples: SamplesOption = 1,
    quorum: QuorumOption = None,
    temperature: TemperatureOption = 0.0,
    max_output_tokens: MaxOutputTokensOption = None,
    seed: SeedOption = None,
    concurrency: ConcurrencyOption = 32,
    rpm: RpmOption = None,
    tpm: TpmOption = None,
    timeout: TimeoutOption = None,
    deadline: DeadlineOption = None,
    batch: BatchOption = None,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    prices: PricesOption = None,
    system_template: SystemTemplateOption = None,
    user_template: UserTemplateOption = None,
    examples: ExamplesOption = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Ask nobody and keep nothing: say what would be asked and cost."
        ),
    ] = False,
    retry_failed: Annotated[
        bool,
        typer.Option(
            "--retry-failed", help="Judge again what failed; what did not is left as it is."
        ),
    ] = False,
    store: StoreOption = None,
    output: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Also write .jsonl or .csv; - is JSONL on standard "
            "output, and nothing else there.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Processes that judge; with a model they stand beside the one that asks.  "
            "[default: 1]",
        ),
    ] = None,
    reader: Annotated[
        str | None, typer.Option(metavar="NAME", help="The cases' format; detected otherwise.")
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Judge the I-th of N parts; `adjudge merge` joins them."),
    ] = None,
    log_json: LogJsonOption = None,
    log_content: LogContentOption = False,
) -> None:
    """Judge cases and keep the verdicts in a run.

    The same command again completes a run that was cut off; a complete one is only shown. Cases
    that a budget left unjudged are judged by it where it gives a larger budget, or none. Keys of
    models come from the environment: OPENAI_API_KEY, ANTHROPIC_API_KEY, ADJUDGE_API_KEY.

    Exit status: 0 all cases were scored, 3 some were not, 2 nothing could be read or the command
    was wrong, 130 interrupted.

    \b
    Examples:
      adjudge run robot plans.jsonl
      adjudge run robot plans.jsonl --model openai:gpt-5-mini --samples 3 --temperature 0.7
      adjudge run robot plans/ --model openai-compatible:qwen3 --base-url http://localhost:8000/v1
      adjudge run robot plans.jsonl --model anthropic:claude-sonnet-5 --batch batch
      adjudge run ./rubric.yaml chats.jsonl --model openai:gpt-5-mini
      adjudge run robot plans.jsonl --shard 1/3 --store first.db
      adjudge run robot plans.jsonl --model openai:gpt-5-mini --dry-run
      adjudge run robot plans.jsonl --model openai:gpt-5-mini --max-cost 2.50
      cat plans.jsonl | adjudge run robot - --output - | jq .scores
    """
    from adjudge.cli.batch import begin
    from adjudge.cli.dry_run import print_dry_run
    from adjudge.cli.judging import judge_into
    from adjudge.exports import check_suffix
    from adjudge.inputs import expand
    from adjudge.judges import load_judge
    from adjudge.judges.options import judge_from_text
    from adjudge.judges.readers import unusable_readers
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.engine import Task
    from adjudge.runs.shards import Shard
    from adjudge.runs.stopping import Stop
    from adjudge.runs.store import Store

    made = judge_from_text(load_judge(judge), option or ())
    made = with_templates(made, system_template, user_template, examples)
    for problem in unusable_readers(made):
        print(f"adjudge: warning: {problem}", file=sys.stderr)
    task = Task(made, method, reader, Shard.parse(shard) if shard else None)
    chosen = task.bench(with_model=bool(model)).method
    if model and not chosen.needs_model:
        fail(f"--model: the method {chosen.name} asks no model; leave one of the two out")
    if batch is not None:
        if not model or retry_failed or output is not None:
            fail("--batch: expected a --model, and neither --retry-failed nor --output with it")
        if max_cost is not None or max_tokens is not None:
            fail("--batch: expected no budget with it, since nobody is asked; --dry-run estimates")
        asking: Asking = {
            "model": model,
            "samples": samples,
            "quorum": quorum,
            "temperature": temperature,
            "max_output_tokens": max_output_tokens,
            "seed": seed,
        }
        sources = expand(cases)
        _need_one(sources)
        with Store.open(store or DEFAULT_STORE, create=True) as opened:
            begin(opened, task, sources, asking, batch, prices, workers)
        return
    if dry_run:
        if output is not None:
            fail("--dry-run: expected no --output with it, since there are no verdicts")
        sources = expand(cases)
        _need_one(sources)
        asking = {
            "model": model,
            "samples": samples,
            "quorum": quorum,
            "temperature": temperature,
            "max_output_tokens": max_output_tokens,
            "seed": seed,
            "max_cost": max_cost,
            "max_tokens": max_tokens,
            "prices": prices,
        }
        print_dry_run(task, sources, asking, store or DEFAULT_STORE, workers, retry_failed)
        return
    stop = Stop()
    panel = panel_from(
        stop,
        model=model,
        base_url=base_url,
        samples=samples,
        quorum=quorum,
        temperature=temperature,
        max_output_tokens=max_output_tokens,
        seed=seed,
        concurrency=concurrency,
        rpm=rpm,
        tpm=tpm,
        timeout=timeout,
        deadline=deadline,
        max_cost=max_cost,
        max_tokens=max_tokens,
        prices=prices,
    )
    if output not in (None, "-"):
        check_suffix(str(output))
    sources = expand(cases)
    _need_one(sources)
    with Store.open(store or DEFAULT_STORE, create=True) as opened:
        with logged(log_json, log_content):
            tally, run_id = judge_into(
                opened, task, sources, panel, stop, workers, retry_failed, progress=log_json != "-"
            )
        _finish(opened, run_id, tally, output, prices, panel)


def _need_one(sources: list[Source]) -> None:
    problems = [s.problem for s in sources if s.problem is not None]
    if len(problems) == len(sources):
        listed = "".join(f"{problem.file}: {problem.error}\n" for problem in problems[:20])
        fail(f"{listed}nothing could be read")


def _finish(
    store: Store,
    run_id: str,
    tally: Tally,
    output: str | None,
    prices: str | None,
    panel: Panel | None,
) -> None:
    from adjudge.cli.asked import print_left_open
    from adjudge.cli.summary import print_summary
    from adjudge.cli.terminal import console, json_lines
    from adjudge.exports import write_jsonl
    from adjudge.exports.files import write_file

    info = store.find(run_id)
    if output == "-":
        write_jsonl(lambda: store.verdicts(info), json_lines())
    elif output is not None:
        write_file(output, lambda: store.verdicts(info))
    out = console(error=output == "-")
    print_summary(out, store, info, tally, output, prices)
    if panel is not None:
        print_left_open(out, panel.budget, tally)
    if info.shard is not None and not tally.total:
        return  # few records: a shard may have none
    if tally.nothing_read:
        fail("no cases could be read" if tally.total else "there are no cases in the input")
    if not tally.all_scored:
        raise typer.Exit(NOT_ALL_SCORED)
