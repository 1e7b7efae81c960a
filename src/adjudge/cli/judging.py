"""Judging into the store, with progress on the way and a way to go on after Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

import typer

from adjudge.cli.again import command_again
from adjudge.cli.ending import INTERRUPTED

if TYPE_CHECKING:
    from adjudge.inputs import Source
    from adjudge.runs.brief import Brief
    from adjudge.runs.engine import Judged, Task
    from adjudge.runs.identity import Identity
    from adjudge.runs.panel import Panel
    from adjudge.runs.stopping import Stop
    from adjudge.runs.store import Store
    from adjudge.runs.summary import Tally


def judge_into(
    store: Store,
    task: Task,
    sources: list[Source],
    panel: Panel | None,
    stop: Stop,
    workers: int | None,
    retry_failed: bool,
    *,
    progress: bool = True,
) -> tuple[Tally, str]:
    """The counts of the whole run, what it had before included, and its id.

    Ctrl-C ends the command with what there is kept. Where models are asked the first one lets what
    is in flight finish; without, nothing is in flight.
    """
    from adjudge.cli.interrupts import interrupts
    from adjudge.cli.progress import Progress
    from adjudge.runs.running import run_stored
    from adjudge.runs.summary import Tally, briefs

    tally = Tally()
    run_id = ""
    with Progress(panel, shown=progress) as line:

        def count(brief: Brief) -> None:
            tally.add(brief)
            line.show(tally.total, tally.total - tally.statuses["scored"])

        def on_start(identity: Identity, stored: int) -> None:
            nonlocal run_id
            run_id = identity.id
            if stored:
                there = store.verdicts(
                    store.find(identity.id),
                    failed=False if retry_failed else None,
                    left_open=False,
                )
                for brief in briefs(there):
                    count(brief)

        def on_judged(judged: Judged) -> None:
            count(judged.brief)

        try:
            with interrupts(stop) if panel else contextlib.nullcontext():
                run_stored(
                    task,
                    sources,
                    store,
                    panel=panel,
                    workers=workers,
                    retry_failed=retry_failed,
                    stop=stop,
                    on_start=on_start,
                    on_judged=on_judged,
                )
        except KeyboardInterrupt:
            stop.draining = True
        line.stop()
    if stop.draining:
        _interrupted(store, run_id, at_once=stop.at_once)
    return tally, run_id


def _interrupted(store: Store, run_id: str, *, at_once: bool) -> None:
    again = command_again()
    kept = store.find(run_id).total if run_id else 0
    print(f"\nInterrupted: {kept} verdicts are kept. To go on:\n  {again}", file=sys.stderr)
    if at_once:
        # a model in this process cannot be stopped, and would be waited for
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    raise typer.Exit(INTERRUPTED)
