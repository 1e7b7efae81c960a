"""Verdicts of a run beside the cases they are about, read again from the run's inputs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.contract import Fault, JsonObject, Judge, Verdict
from adjudge.inputs import Source
from adjudge.runs.places import places
from adjudge.runs.reading import CaseReader


class CannotJoin(Fault, ValueError):
    """A run's verdicts and the cases given for them do not belong together."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A verdict as JSON and the case it is about; ``case`` is ``None`` where input was no case."""

    case: Any
    verdict: JsonObject

    @classmethod
    def of(cls, case: Any, verdict: Verdict) -> Joined:
        """For verdicts in memory."""
        return cls(case, verdict.model_dump(mode="json"))


Pairs = Callable[[], Iterable[Joined]]
"""The pairs of a run, from the start at each call: a format may read them twice."""


def join(
    judge: Judge,
    sources: Sequence[Source],
    verdicts: Iterable[JsonObject],
    *,
    reader: str | None = None,
) -> Iterator[Joined]:
    """Each verdict with its case, one at a time in memory; both come in order of input.

    A run that was cut off may lack some verdicts. Raises ``CannotJoin`` where they stop belonging
    together.
    """
    cases = CaseReader(judge, reader)
    items = (
        item
        for place in places(sources, is_part=judge.is_part)
        for item in cases.items(place.piece, place.default_id)
    )
    at = 0
    for verdict in verdicts:
        position, case_id = verdict["position"], verdict["case_id"]
        item = next(itertools.islice(items, position - at, None), None)
        at = position + 1
        if item is None:
            raise CannotJoin(
                f"cases: expected one for each verdict of the run, found none for {case_id!r:.80} "
                f"at position {position}"
            )
        if item.id != case_id:
            raise CannotJoin(
                f"cases: expected {case_id!r:.80} at position {position}, found {item.id!r:.80} at "
                f"{item.record.where} (give the same inputs, in the same order, as for the run)"
            )
        yield Joined(item.case, verdict)


def check_unchanged(sources: Sequence[Source], inputs: Sequence[JsonObject]) -> None:
    """Raise ``CannotJoin`` unless ``sources`` hold what the run's ``inputs`` held."""
    for index, there in enumerate(inputs):
        source = sources[index] if index < len(sources) else None
        found = "none"
        if source is not None:
            found = "one that cannot be read" if source.problem else "another content"
            if source.problem is None and source.digest() == there["sha256"]:
                continue
        raise CannotJoin(
            f"input {there['name']}: expected the file that was judged, found {found}; say where "
            "the cases are with --cases"
        )
