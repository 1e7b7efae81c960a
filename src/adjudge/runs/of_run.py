"""A stored run as pairs of case and verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from adjudge.contract import Judge
from adjudge.inputs import Source, expand
from adjudge.judges import load_judge
from adjudge.judges.options import make_judge
from adjudge.runs.joined import CannotJoin, Joined, Pairs, check_unchanged, join
from adjudge.runs.store import RunInfo, Store


def pairs_of(
    store: Store, run: RunInfo, *, cases: Sequence[str] = (), reader: str | None = None
) -> Pairs:
    """The run's verdicts with their cases, read again from the run's own inputs, or from ``cases``.

    Raises ``CannotJoin`` where the inputs are gone or have changed.
    """
    sources = _sources(run, cases)
    judge = judge_of(run)

    def pairs() -> Iterator[Joined]:
        verdicts = (json.loads(line) for line in store.verdicts(run))
        return join(judge, sources, verdicts, reader=reader)

    return pairs


def judge_of(run: RunInfo) -> Judge:
    """The judge with the run's options, for its readers. Raises ``UnknownJudge``, ``BadOption``."""
    options = {
        name: value["file"] if isinstance(value, dict) and "sha256" in value else value
        for name, value in run.options.items()
    }
    return make_judge(load_judge(run.judge), options)


def _sources(run: RunInfo, cases: Sequence[str]) -> list[Source]:
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
