"""The whole page of agreement about one run."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.agreement.bounded import BareAgainstBounded, bare_against_bounded
from adjudge.agreement.dimension import DimensionAgreement, agreement_on
from adjudge.agreement.gather import Gathered, gather
from adjudge.agreement.labelling import Labelling
from adjudge.agreement.statistics.alt_test import EPSILON
from adjudge.contract import Fault, Frozen, Judge
from adjudge.runs.store import RunInfo, Store


class NoLabels(Fault, ValueError):
    """Nothing in the run is labelled."""


class AgreementPage(Frozen):
    """One run beside its labels. ``refused`` labels are named; ``missing`` counts empty ones.

    ``cases`` are in ``clusters`` (tasks): intervals take whole clusters as what was drawn.
    """

    run: str
    judge: str
    method: str
    models: tuple[str, ...]
    cases: int
    clusters: int
    refused: tuple[str, ...]
    missing: int
    dimensions: tuple[DimensionAgreement, ...]
    bounds: BareAgainstBounded | None


def agreement_page(
    store: Store,
    run: RunInfo,
    labelling: Labelling = Labelling(),
    *,
    cases: Sequence[str] = (),
    reader: str | None = None,
    judge: Judge | None = None,
    epsilon: float = EPSILON,
    worst: int = 10,
    bare: bool = True,
) -> AgreementPage:
    """The page; see ``gather`` for the arguments. Raises ``NoLabels``, ``CannotJoin``."""
    gathered = gather(store, run, labelling, cases=cases, reader=reader, judge=judge, bare=bare)
    whose = labelling.annotators
    return page_of(run, gathered, annotators=whose, epsilon=epsilon, worst=worst, bare=bare)


def page_of(
    run: RunInfo,
    gathered: Gathered,
    *,
    annotators: Sequence[str] = (),
    epsilon: float = EPSILON,
    worst: int = 10,
    bare: bool = True,
) -> AgreementPage:
    """The page of what was gathered; raises ``NoLabels``."""
    labelled = [
        heading
        for heading in gathered.headings.values()
        if any(unit.labels for unit in heading.units)
    ]
    if not labelled:
        raise NoLabels(_no_labels(run, gathered, annotators))
    return AgreementPage(
        run=run.id,
        judge=run.judge,
        method=run.method,
        models=run.models,
        cases=gathered.total,
        clusters=len(gathered.clusters),
        refused=tuple(gathered.refused),
        missing=gathered.missing,
        dimensions=tuple(agreement_on(one, epsilon=epsilon, worst=worst) for one in labelled),
        bounds=bare_against_bounded(gathered) if bare else None,
    )


def _no_labels(run: RunInfo, gathered: Gathered, annotators: Sequence[str]) -> str:
    names = ", ".join(gathered.headings) or "none"
    left = "".join(f"\n  {one}" for one in gathered.refused[:20])
    whose = f" by {', '.join(annotators)}" if annotators else ""
    return (
        f"run {run.id}: expected labels{whose} of its dimensions ({names}), found none; import "
        f"some with `adjudge label import`, or say where a case's own are with --label{left}"
    )
