"""A round of a run in batches: its questions written, their results read."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudge.runs.batch.files import RequestFile, RequestFiles
from adjudge.runs.batch.panel import Missing, Outstanding, batch_panel
from adjudge.runs.batch.questions import BatchQuestions, Written
from adjudge.runs.batch.results import Results, Taken
from adjudge.runs.panel import Asking, Panel
from adjudge.runs.seen import Seen
from adjudge.runs.store import RunInfo, Store

Replay = Callable[[Panel], None]
"""Judges the run's cases with a panel; those without an answer are left."""


@dataclass(frozen=True)
class Round:
    """What was written, what was read, and what is still missing."""

    outstanding: Outstanding
    files: Sequence[RequestFile] = ()
    taken: Taken | None = None


def write_round(
    store: Store,
    run: RunInfo,
    asking: Asking,
    folder: str | os.PathLike[str],
    replay: Replay,
    *,
    without: Collection[str] = (),
    again: bool = False,
) -> Round:
    """Write what the run has to ask next into files in ``folder``.

    Questions whose results are to come are left out, unless ``again``. The requests are those that
    would be sent, less ``without`` (``schema``, ``temperature``, ``seed``, ``max_tokens``) and less
    what earlier results said the endpoint does not know. Raises ``BatchFault``, ``StoreError``.
    """
    questions = BatchQuestions(store, run)
    known = {model: questions.without(model).union(without) for model in run.models}
    with RequestFiles(Path(folder), run.id) as files:

        def ask(missing: Missing) -> None:
            files.add(missing.model, missing.format, missing.key, missing.body(), missing.path)

        outstanding = Outstanding(Seen() if again else questions.waiting(), ask)
        replay(batch_panel(asking, None, outstanding, known.__getitem__))
        files.close()
        # In this order: what is killed in between leaves questions that seem to wait, which
        # ``again`` writes once more, and never a file whose questions are written a second time.
        questions.wait(Written(file.model, file.keys, known[file.model]) for file in files.files)
        files.publish()
        return Round(outstanding, files.files)


def read_round(
    store: Store,
    run: RunInfo,
    asking: Asking,
    names: Sequence[str],
    replay: Replay,
    *,
    final: bool = False,
) -> Round:
    """Take the results in files (see ``Results``) into the run, and judge as far as they go.

    With ``final`` an error is the reply to its question, and otherwise the reason why it is asked
    again. Without files this only counts what is missing.
    """
    questions = BatchQuestions(store, run)
    known = {model: questions.without(model) for model in run.models}
    with Results(names) as results:
        taken = results.take(questions, final=final)
        outstanding = Outstanding(questions.waiting())
        replay(batch_panel(asking, results, outstanding, known.__getitem__))
        return Round(outstanding, taken=taken)
