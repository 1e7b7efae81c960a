"""Labels kept beside the runs they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from sqlalchemy import (
    Column,
    Engine,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    insert,
    inspect,
    select,
)

from adjudge.agreement.labels import Label
from adjudge.runs.address import StoreError, parse_url, shown
from adjudge.runs.database import make_tables, named_errors, open_engine
from adjudge.runs.store import RunInfo

# A table of its own, made when it is first needed: stores without labels stay as they are.
_metadata = MetaData()
_labels = Table(
    "adjudge_labels",
    _metadata,
    Column("run", Integer, primary_key=True, autoincrement=False, comment="key of adjudge_runs"),
    Column("case_id", Text, primary_key=True),
    Column("dimension", Text, primary_key=True),
    Column("annotator", Text, primary_key=True),
    Column("value", Text, nullable=False, comment="JSON"),
)


class LabelsDiffer(StoreError):
    """Two stores hold two labels by one annotator for one thing."""


class LabelStore:
    """The labels in the store at a URL or the path of a SQLite file; raises ``StoreError``."""

    def __init__(self, text: str) -> None:
        url = parse_url(text)
        self._shown = shown(url)
        self._engine: Engine = open_engine(url, create=False)

    def __enter__(self) -> LabelStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.dispose()

    def put(self, run: RunInfo, labels: Iterable[Label]) -> tuple[int, int]:
        """Keep labels, all or none of them; how many are new, and how many replace another value.

        A label replaces that of the same annotator, case and dimension.
        """
        before = {_key(label): label.value for label in self.of(run)}
        given = {_key(label): label for label in labels}
        new = sum(key not in before for key in given)
        changed = [
            key for key, label in given.items() if before.get(key, label.value) != label.value
        ]
        with named_errors(self._shown):
            make_tables(self._engine, _metadata)
            with self._engine.begin() as connection:
                c = _labels.c
                for case, dimension, annotator in changed:
                    connection.execute(
                        delete(_labels).where(
                            c.run == run.key,
                            c.case_id == case,
                            c.dimension == dimension,
                            c.annotator == annotator,
                        )
                    )
                rows = [
                    {
                        "run": run.key,
                        "case_id": label.case,
                        "dimension": label.dimension,
                        "annotator": label.annotator,
                        "value": json.dumps(label.value),
                    }
                    for key, label in given.items()
                    if key not in before or key in changed
                ]
                if rows:
                    connection.execute(insert(_labels), rows)
        return new, len(changed)

    def join(self, run: RunInfo, labels: Sequence[Label], source: str) -> int:
        """Keep labels that another store, ``source``, has of the same run; how many are new.

        Raises ``LabelsDiffer`` where an annotator said another thing here; then none is kept.
        """
        if not labels:
            return 0
        here = {_key(label): label.value for label in self.of(run)}
        for label in labels:
            value = here.get(_key(label), label.value)
            if value != label.value:
                raise LabelsDiffer(
                    f"run {run.id}: two labels by {label.annotator!r:.40} for {label.dimension!r} "
                    f"of case {label.case!r:.80}: {label.value!r} in {source}, {value!r} in "
                    f"{self._shown}; import the right one into one of the two and merge again"
                )
        new, _ = self.put(run, labels)
        return new

    def of(self, run: RunInfo) -> list[Label]:
        """The labels of a run."""
        with named_errors(self._shown), self._engine.connect() as connection:
            if not inspect(connection).has_table(_labels.name):
                return []
            c = _labels.c
            found = connection.execute(
                select(c.case_id, c.annotator, c.dimension, c.value).where(c.run == run.key)
            )
            labels = [
                Label(case=case, annotator=annotator, dimension=dimension, value=json.loads(value))
                for case, annotator, dimension, value in found
            ]
        return sorted(labels, key=_key)  # databases have orders of their own

    def remove(self, run: RunInfo, annotators: Sequence[str] = ()) -> int:
        """Drop a run's labels, or those of some annotators; how many."""
        wanted = [_labels.c.run == run.key]
        if annotators:
            wanted.append(_labels.c.annotator.in_(annotators))
        with named_errors(self._shown):
            if not inspect(self._engine).has_table(_labels.name):
                return 0
            with self._engine.begin() as connection:
                return connection.execute(delete(_labels).where(*wanted)).rowcount


def _key(label: Label) -> tuple[str, str, str]:
    return label.case, label.dimension, label.annotator
