"""What a run's labels say: of each case, and of the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.agreement.gather import Gathered, gather
from adjudge.agreement.labelling import Labelling
from adjudge.agreement.labels import LabelValue
from adjudge.agreement.needs import NeedsNumpy, need_numpy
from adjudge.contract import Judge
from adjudge.runs.store import RunInfo, Store

if TYPE_CHECKING:
    from adjudge.agreement.page import AgreementPage


class OwnLabels:
    """The labels of each case, several annotators' as one, by dimension."""

    def __init__(self, gathered: Gathered | None = None) -> None:
        self._by: dict[str, dict[str, LabelValue]] = {}
        for heading in gathered.headings.values() if gathered else ():
            for unit in heading.units:
                if unit.labels:
                    self._by.setdefault(unit.case, {})[unit.dimension] = heading.reference(unit)

    def __bool__(self) -> bool:
        return bool(self._by)

    def of(self, case: str | None) -> Mapping[str, LabelValue]:
        """The labels of the case of this id."""
        return self._by.get(case, {}) if case is not None else {}


@dataclass(frozen=True)
class Agreed:
    """``page`` is ``None`` where there are no labels, or for the reason ``why``."""

    labels: OwnLabels = field(default_factory=OwnLabels)
    page: AgreementPage | None = None
    why: str | None = None


def agreed(
    store: Store,
    run: RunInfo,
    judge: Judge,
    labelling: Labelling,
    *,
    cases: Sequence[str] = (),
    reader: str | None = None,
) -> Agreed:
    """The run beside its labels. Raises ``CannotJoin``; ``NoLabels`` where labels were named and
    none of them is of the run."""
    gathered = gather(store, run, labelling, cases=cases, reader=reader, judge=judge)
    labels = OwnLabels(gathered)
    if not labels and not labelling.named:
        return Agreed()
    try:
        need_numpy()
    except NeedsNumpy as missing:
        return Agreed(labels, why=str(missing))
    from adjudge.agreement.page import page_of

    return Agreed(labels, page_of(run, gathered, annotators=labelling.annotators))
