"""A stored run as it was given: judge, sources, method, reader and models, to go on with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from adjudge.contract import Judge
from adjudge.inputs import Source
from adjudge.runs.batch.files import BatchFault
from adjudge.runs.batch.panel import batch_panel
from adjudge.runs.engine import Task
from adjudge.runs.identity import identify
from adjudge.runs.of_run import judge_of, sources_of
from adjudge.runs.panel import Asking
from adjudge.runs.store import RunInfo, Store


@dataclass(frozen=True)
class GivenRun:
    """What a run is made of: what is done with each case, the cases, and who is asked how."""

    task: Task
    sources: list[Source]
    asking: Asking


def new_run(store: Store, task: Task, sources: list[Source], asking: Asking) -> RunInfo:
    """The run that ``adjudge run`` would make of this, with nothing judged yet, or as it is there.

    Raises ``BadAsking`` for a model that takes no batch files.
    """
    panel = batch_panel(asking)
    identity = identify(
        task.judge,
        task.bench(with_model=True).method.name,
        sources,
        reader=task.reader,
        models=panel.models,
        asking=panel.settings,
        shard=task.shard,
    )
    with store.claim(identity):
        return store.find(identity.id)


def given_run(run: RunInfo, *, judge: str | None = None, cases: Sequence[str] = ()) -> GivenRun:
    """What ``run`` is made of, from what the store knows of it and its inputs.

    ``judge`` is where its class is, if it is none that comes with us; ``cases`` are its inputs
    where they are now. Raises ``BatchFault`` where what comes of it would be another run.
    """
    made = judge_of(run, judge)
    sources = sources_of(run, cases)
    if len(sources) == len(run.inputs):
        labels = [one["label"] for one in run.inputs]
        sources = [
            replace(source, label=label) for source, label in zip(sources, labels, strict=True)
        ]
    reader = _reader(run, made, sources)
    return GivenRun(Task(made, run.method, reader, run.shard), sources, asking_of(run))


def asking_of(run: RunInfo) -> Asking:
    """Who is asked, and how, as the run has it."""
    return cast(Asking, {**run.asking, "model": list(run.models)})


def _reader(run: RunInfo, judge: Judge, sources: Sequence[Source]) -> str | None:
    """The reader is not written down: it is the one with which the identity is the run's."""
    identity = identify(
        judge, run.method, sources, models=run.models, asking=run.asking, shard=run.shard
    )
    for reader in (None, *judge.readers()):
        if replace(identity, reader=reader).id == run.id:
            return reader
    if judge.version != run.judge_version:
        raise BatchFault(
            f"run {run.id}: judged by {run.judge} {run.judge_version}, here is {judge.version}; go "
            "on with the Adjudge that began it, or begin a new run"
        )
    raise BatchFault(
        f"run {run.id}: its options or inputs are not what they were; go on where they are, or "
        "begin a new run"
    )
