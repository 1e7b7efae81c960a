"""Rows of label files as labels of a run's cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from adjudge.agreement.label_files import LabelRow, Refused, read_labels
from adjudge.agreement.labels import Label, Missing, label_value
from adjudge.contract import CaseError, Judge, Scale
from adjudge.runs.joined import Joined
from adjudge.runs.of_run import judge_of, pairs_of
from adjudge.runs.store import RunInfo, Store


@dataclass
class RowLabels:
    """Labels made of rows: those that can be used, what was ``refused`` (file, line, field, what
    was expected and found), and how many rows were empty. ``waiting`` are by case."""

    labels: list[Label] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    missing: int = 0
    waiting: dict[str, list[LabelRow]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Sequence[str]) -> RowLabels:
        """All rows of ``files``, waiting for their cases."""
        found = cls()
        for row in read_labels(files):
            if isinstance(row, Refused):
                found.refused.append(str(row))
            else:
                found.waiting.setdefault(row.case, []).append(row)
        return found

    def meet(self, case_id: str, scales: Mapping[str, Scale]) -> list[Label]:
        """The labels of one case, now that its scales are known; also added to ``labels``."""
        stood: dict[tuple[str, str], tuple[str, Label]] = {}
        for row in self.waiting.pop(case_id, ()):
            try:
                value = label_value(row.value, row.dimension, scales, "value")
            except Missing:
                self.missing += 1
                continue
            except CaseError as error:
                self.refused.append(f"{row.where}: {error}")
                continue
            label = Label(
                case=row.case, annotator=row.annotator, dimension=row.dimension, value=value
            )
            where, first = stood.setdefault((row.annotator, row.dimension), (row.where, label))
            if first.value != value:
                twice = CaseError(
                    f"one value of {row.annotator} for {row.dimension} of {case_id}",
                    field="value",
                    found=f"{value!r} after {first.value!r} at {where}",
                )
                self.refused.append(f"{row.where}: {twice}")
        made = [label for _, label in stood.values()]
        self.labels += made
        return made

    def refuse_the_rest(self, run: RunInfo, near: Mapping[str, Iterable[str]] = {}) -> None:
        """Name the rows whose cases the run does not have; ``near`` are like ids, by id."""
        for case_id, rows in self.waiting.items():
            like = ", ".join(near.get(case_id, ()))
            hint = f" (there are: {like})" if like else ""
            error = CaseError(
                f"a case of run {run.id}", field="case", found=f"{case_id!r:.80}{hint}"
            )
            self.refused += [f"{row.where}: {error}" for row in rows]
        self.waiting.clear()


def labels_in(
    store: Store,
    run: RunInfo,
    files: Sequence[str],
    *,
    cases: Sequence[str] = (),
    reader: str | None = None,
    judge: Judge | None = None,
) -> RowLabels:
    """The labels in ``files`` on the cases of ``run``, whose inputs are read again for their
    scales. Raises ``CannotJoin``."""
    rows = RowLabels.of(files)
    judge = judge or judge_of(run)
    pairs: Iterable[Joined] = pairs_of(store, run, cases=cases, reader=reader, judge=judge)()
    for joined in pairs:
        if not rows.waiting:
            break
        case_id = joined.verdict["case_id"]
        if joined.case is not None and case_id in rows.waiting:
            rows.meet(case_id, judge.scales(joined.case))
    near = {case: store.near(run, case, most=3) for case in list(rows.waiting)[:20]}
    rows.refuse_the_rest(run, near)
    return rows
