"""``adjudge run JUDGE FILE --model …`` into a new store: all of it.

A line of a file is read, the case checked, the prompt rendered, the question asked, the answer held
inside its bounds, reply and verdict stored. Checks are made in one process beside, as usual.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from contenders.harness import Load, measured

WORKERS = 1


def run(load: Load, count: int, done: Callable[..., None]) -> None:
    """What the command does, less its progress and summary."""
    from adjudge.inputs import expand
    from adjudge.judges import load_judge
    from adjudge.runs.engine import Task
    from adjudge.runs.panel import make_panel
    from adjudge.runs.running import run_stored
    from adjudge.runs.store import Store
    from loads import case

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        with file.open("w") as stream:
            stream.writelines(json.dumps(case(load.judge, n)) + "\n" for n in range(count))
        panel = make_panel(
            {
                "model": "openai-compatible:none",
                "base_url": load.url,
                "concurrency": load.in_flight,
            }
        )
        with Store.open(f"{folder}/store.db", create=True) as store:
            task = Task(load_judge(load.judge)())
            run_stored(task, expand([file]), store, panel=panel, workers=WORKERS, on_judged=done)
            info = store.find("last")
            assert info.counts == {"scored": count}, info.counts


if __name__ == "__main__":
    measured(run, "adjudge")
