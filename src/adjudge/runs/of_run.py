"""A stored run as pairs of case and verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from adjudge.contract import Judge
from adjudge.inputs import Source, expand
from adjudge.judges import UnknownJudge, load_judge
from adjudge.judges.options import make_judge
from adjudge.runs.joined import CannotJoin, Joined, Pairs, check_unchanged, join
from adjudge.runs.store import RunInfo, Store


def pairs_of(
    store: Store,
    run: RunInfo,
    *,
    cases: Sequence[str] = (),
    reader: str | None = None,
    judge: Judge | None = None,
) -> Pairs:
    """The run's verdicts with their cases, read again from the run's own inputs, or from ``cases``.

    ``judge`` is ``judge_of`` the run unless it is given. Raises ``CannotJoin`` where the inputs are
    gone or have changed.
    """
    sources = sources_of(run, cases)
    reading = judge or judge_of(run)

    def pairs() -> Iterator[Joined]:
        verdicts = (json.loads(line) for line in store.verdicts(run))
        return join(reading, sources, verdicts, reader=reader)

    return pairs


def judge_of(run: RunInfo, name: str | None = None) -> Judge:
    """The judge with the run's options, from where it came from.

    ``name`` says where it is instead, see ``load_judge``: for one whose file is gone or has
    changed. Raises ``UnknownJudge``, ``BadOption``, and what ``load_judge`` raises.
    """
    if name is None and run.origin is not None:
        kind = run.origin.load()
    else:
        kind = load_judge(name or run.judge)
    if kind.name != run.judge:
        raise UnknownJudge(
            f"judge: expected that of run {run.id}, {run.judge!r}, found {kind.name!r}"
        )
    options = {
        name: value["file"] if isinstance(value, dict) and "sha256" in value else value
        for name, value in run.options.items()
    }
    return make_judge(kind, options)


def sources_of(run: RunInfo, cases: Sequence[str] = ()) -> list[Source]:
    """The run's inputs, or ``cases``; raises ``CannotJoin`` where its own are gone or changed."""
    if cases:
        return expand(cases)
    if any(given["name"] == "-" for given in run.inputs):
        raise CannotJoin(
            f"run {run.id}: expected inputs that can be read again, found standard input; say where"
            " the cases are with --cases"
        )
    sources = expand([given["name"] for given in run.inputs])
    check_unchanged(sources, run.inputs)
    return sources
