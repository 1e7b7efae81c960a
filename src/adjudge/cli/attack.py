"""``adjudge attack``: what words in a case can make a judge score higher."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudge.cli.asking import (
    BaseUrlOption,
    ConcurrencyOption,
    DeadlineOption,
    MaxCostOption,
    MaxTokensOption,
    ModelOption,
    PricesOption,
    RpmOption,
    TimeoutOption,
    TpmOption,
    panel_from,
)
from adjudge.cli.comparing import CasesOption, JudgeOption, ReaderOption
from adjudge.cli.ending import command, fail
from adjudge.cli.log import LogContentOption, LogJsonOption, logged
from adjudge.cli.options import StoreOption

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge.agreement.attack.report import AttackReport
    from adjudge.contract import Judge
    from adjudge.runs.panel import Panel
    from adjudge.runs.store import RunInfo

_EVERY = 50
_REPLIES_KEPT = 10_000


@command
def attack(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    method: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another method than the run's.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="The first so many cases; 0: all.")] = 20,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only attacks whose names begin so (inject, padding …)."),
    ] = None,
    concurrency: ConcurrencyOption = 32,
    rpm: RpmOption = None,
    tpm: TpmOption = None,
    timeout: TimeoutOption = None,
    deadline: DeadlineOption = None,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    prices: PricesOption = None,
    cases: CasesOption = None,
    reader: ReaderOption = None,
    judge: JudgeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole report as JSON.")] = False,
    store: StoreOption = None,
    log_json: LogJsonOption = None,
    log_content: LogContentOption = False,
) -> None:
    """Judge a run's cases again with words in them that should not raise a score, and show which
    did: inside the judge's bounds, and without any.

    The models are the run's own unless others are named; each case is asked about some fifty to a
    hundred times. Words are written into every kind of text in a case (inject), what the agent says
    is rewritten as a claim of success (reasoning), made longer (padding) or replaced by an empty
    phrase (master_key), and the order of fields is changed (reorder). Once a budget is used up no
    further case is attacked.

    \b
    Examples:
      adjudge attack last --limit 5
      adjudge attack 3f2a --only inject --only padding --model openai:gpt-5-mini
    """
    import asyncio

    from adjudge.cli.attack_page import print_report
    from adjudge.cli.terminal import json_lines
    from adjudge.runs.address import DEFAULT_STORE
    from adjudge.runs.engine import Task
    from adjudge.runs.of_run import judge_of, pairs_of
    from adjudge.runs.stopping import Stop
    from adjudge.runs.store import Store

    with Store.open(store or DEFAULT_STORE) as opened:
        info = opened.find(run)
        made = judge_of(info, judge)
        name = method or info.method
        task = Task(made, name)
        chosen = task.bench(with_model=True).method
        panel: Panel | None = None
        if chosen.needs_model:
            panel = panel_from(
                Stop(),
                model=model or _own_models(info),
                base_url=base_url,
                samples=info.asking.get("samples") or 1,
                quorum=info.asking.get("quorum"),
                temperature=info.asking.get("temperature") or 0.0,
                max_output_tokens=info.asking.get("max_output_tokens"),
                seed=info.asking.get("seed"),
                concurrency=concurrency,
                rpm=rpm,
                tpm=tpm,
                timeout=timeout,
                deadline=deadline,
                max_cost=max_cost,
                max_tokens=max_tokens,
                prices=prices,
            )
        elif model:
            fail(f"--model: the method {name} asks no model; leave it out, or say another --method")
        pairs = pairs_of(opened, info, cases=cases or (), reader=reader, judge=made)()
        there = ((str(p.verdict["case_id"]), p.case) for p in pairs if p.case is not None)
        shown = sys.stderr.isatty() and log_json != "-"
        some = itertools.islice(there, limit or None)
        with logged(log_json, log_content):
            report: AttackReport = asyncio.run(
                _attack(made, some, name, panel, only or (), shown=shown)
            )
    if shown:
        print(file=sys.stderr)
    if as_json:
        json_lines().write(report.model_dump_json() + "\n")
    else:
        print_report(report, panel)


def _own_models(info: RunInfo) -> list[str]:
    """The run's models, so far as they can be asked from here."""
    if not info.models:
        fail(f"--model: expected a model to ask, since run {info.id} has none")
    for model in info.models:
        if model.startswith("python:"):
            fail(f"--model: expected one, since {model} of run {info.id} was given in Python")
    return list(info.models)


async def _attack(
    judge: Judge,
    cases: Iterator[tuple[str, Any]],
    method: str,
    panel: Panel | None,
    only: Sequence[str],
    *,
    shown: bool,
) -> AttackReport:
    from adjudge.agreement.attack.attacking import attack as attack_cases
    from adjudge.models import MemoryCache

    def on_judged(count: int) -> None:
        if shown and count % _EVERY == 0:
            print(f"\r{count:,} judged", end="", file=sys.stderr, flush=True)

    if panel is None:
        return await attack_cases(judge, cases, method, only=only, on_judged=on_judged)
    panel.keep_in(MemoryCache(_REPLIES_KEPT))
    try:
        return await attack_cases(
            judge,
            itertools.takewhile(lambda _: not panel.budget.reached, cases),
            method,
            askers=panel.jurors,
            quorum=panel.quorum,
            only=only,
            in_flight=panel.in_flight,
            on_judged=on_judged,
        )
    finally:
        await panel.aclose()
