"""Runs of the tally judge in a store, for tests."""

from __future__ import annotations

from pathlib import Path

from adjudge.inputs import expand
from adjudge.runs.engine import Judged, Task
from adjudge.runs.running import run_stored
from adjudge.runs.store import Store
from tally_judge import TallyJudge

TASK = Task(TallyJudge())


def run(path: Path, url: str, task: Task = TASK, stop_after: int | None = None) -> list[int]:
    """Run, maybe stopped like by Ctrl-C; the positions that were judged."""
    positions: list[int] = []

    def on_judged(judged: Judged) -> None:
        positions.append(judged.position)
        if len(positions) == stop_after:
            raise KeyboardInterrupt

    with Store.open(url, create=True) as store:
        try:
            run_stored(task, expand([path]), store, on_judged=on_judged)
        except KeyboardInterrupt:
            assert stop_after
    return positions


def stored(url: str) -> list[str]:
    """The verdicts of the last run."""
    with Store.open(url) as store:
        return list(store.verdicts(store.find("last")))
