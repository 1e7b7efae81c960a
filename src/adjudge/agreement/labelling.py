"""Which labels a run is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudge.agreement.labels import Label
from adjudge.agreement.own_labels import LabelPaths


@dataclass(frozen=True)
class Labelling:
    """Where labels are: those ``kept`` with the run, those in ``files``, and the cases' own.

    ``paths`` say where in a case's ``label`` a dimension's value is, ``annotators`` whose labels
    count (all by default), ``cluster`` where in a case its task is named (a dotted path).
    """

    kept: Sequence[Label] = ()
    files: Sequence[str] = ()
    paths: LabelPaths = field(default_factory=dict)
    annotators: Sequence[str] = ()
    cluster: str | None = None

    def __bool__(self) -> bool:
        return bool(self.kept) or self.named

    @property
    def named(self) -> bool:
        """Whether someone asked for certain labels."""
        return bool(self.files or self.paths or self.annotators)
