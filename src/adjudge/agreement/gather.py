"""A stored run and its labels, as units to compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudge.agreement.bare import Bare, bare_of, was_asked
from adjudge.agreement.labelling import Labelling
from adjudge.agreement.labels import Label, LabelValue
from adjudge.agreement.own_labels import own_labels
from adjudge.agreement.row_labels import RowLabels
from adjudge.agreement.units import Heading, Unit, cluster_of, headings, units_of
from adjudge.contract import Judge, Scale
from adjudge.runs.joined import Joined
from adjudge.runs.of_run import judge_of, pairs_of
from adjudge.runs.store import RunInfo, Store

ByDimension = dict[str, dict[str, LabelValue]]
"""Dimension, annotator."""


@dataclass
class Gathered:
    """Everything known about a run that is to be compared.

    ``refused`` says which labels were left out and why, ``missing`` how many were empty. ``rules``
    are those that held a model back, by case; ``settled`` counts verdicts for which no model had to
    be asked, ``asked`` those that rest on models' answers, ``needless`` those of them where bounds
    left one value of everything.
    """

    total: int = 0
    headings: dict[str, Heading] = field(default_factory=dict)
    clusters: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)
    missing: int = 0
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    settled: int = 0
    asked: int = 0
    needless: int = 0


def gather(
    store: Store,
    run: RunInfo,
    labelling: Labelling = Labelling(),
    *,
    cases: Sequence[str] = (),
    reader: str | None = None,
    judge: Judge | None = None,
    bare: bool = True,
) -> Gathered:
    """The run's verdicts with their labels.

    ``cases`` are its inputs where those it was judged from are gone, ``judge`` is its judge where
    it is none of ours. ``bare``: also what models would have scored without bounds, for which each
    case is checked again. Raises ``CannotJoin``.
    """
    judge = judge or judge_of(run)
    reading = _Reading(judge, labelling, bare)
    pairs = pairs_of(store, run, cases=cases, reader=reader, judge=judge)()
    gathered = reading.gathered
    gathered.headings = headings(unit for joined in pairs for unit in reading.units(joined))
    reading.rows.refuse_the_rest(run)
    gathered.refused += reading.rows.refused
    gathered.missing = reading.rows.missing
    return gathered


class _Reading:
    def __init__(self, judge: Judge, labelling: Labelling, with_bare: bool) -> None:
        self.gathered = Gathered()
        self.rows = RowLabels.of(labelling.files)
        self._judge = judge
        self._with_bare = with_bare
        self._paths = labelling.paths
        self._annotators = frozenset(labelling.annotators)
        self._cluster = tuple(labelling.cluster.split(".")) if labelling.cluster else None
        self._kept: dict[str, list[Label]] = {}
        for label in labelling.kept:
            self._kept.setdefault(label.case, []).append(label)

    def units(self, joined: Joined) -> Iterator[tuple[Unit, Scale]]:
        """The units of one verdict; none where there was no case."""
        self.gathered.total += 1
        verdict, case = joined.verdict, joined.case
        case_id = verdict["case_id"]
        if case is None or case_id is None:
            return
        scales = self._judge.scales(case)
        task = cluster_of(case, case_id, self._cluster)
        self.gathered.clusters.add(task)
        bare = self._bare(joined) if self._with_bare else None
        labels = self._labels(joined, scales)
        yield from units_of(verdict, scales, labels, task, bare.values if bare else {})

    def _labels(self, joined: Joined, scales: Mapping[str, Scale]) -> ByDimension:
        case_id = joined.verdict["case_id"]
        found: list[Label] = []
        for own in own_labels(case_id, getattr(joined.case, "label", None), scales, self._paths):
            if isinstance(own, Label):
                found.append(own)
            else:
                self.gathered.refused.append(f"case {case_id!r}: {own}")
        found += self._kept.get(case_id, ())
        found += self.rows.meet(case_id, scales)
        by: ByDimension = {}
        for label in found:
            if not self._annotators or label.annotator in self._annotators:
                by.setdefault(label.dimension, {})[label.annotator] = label.value
        return by

    def _bare(self, joined: Joined) -> Bare | None:
        verdict = joined.verdict
        asked = [o for o in verdict["opinions"] if o["model"] is not None]
        if verdict["status"] != "scored" or not asked:
            return None
        if not was_asked(verdict):
            self.gathered.settled += 1
            return None
        self.gathered.asked += 1
        left = verdict["bounds"]
        self.gathered.needless += all(
            name in left and len(left[name]["allowed"]) == 1 for name in verdict["scores"]
        )
        bare = bare_of(self._judge, joined.case, verdict)
        if bare is not None and bare.rules:
            self.gathered.rules[verdict["case_id"]] = bare.rules
        return bare
