"""Options that say what a run is compared with, and the labels that come of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from adjudge.agreement.labelling import Labelling
    from adjudge.runs.store import RunInfo

LabelsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--labels", metavar="FILE", help="Labels that are not kept: CSV or JSONL; repeatable."
    ),
]
LabelOption = Annotated[
    list[str] | None,
    typer.Option(
        "--label",
        metavar="DIMENSION=PATH",
        help="Where in a case's own label a dimension's value is; repeatable.",
    ),
]
AnnotatorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--annotator",
        metavar="NAME",
        help="Only this one's labels count; `case` are the cases' own; repeatable.",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="PATH",
        help="The field of a case that names its task.  [default: meta.task, meta.task_id, or "
        "each case alone]",
    ),
]
CasesOption = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE", help="The run's cases, where its own inputs are gone."),
]
ReaderOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="The cases' format; detected otherwise.")
]

JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="JUDGE",
        help="The judge to read the run with, where its own is gone or has changed.",
    ),
]


def labelling_of(
    store: str,
    run: RunInfo,
    labels: list[str] | None,
    label: list[str] | None,
    annotator: list[str] | None,
    cluster: str | None,
) -> Labelling:
    """The labels that were imported for a run into ``store``, and those that options name."""
    from adjudge.agreement.label_store import LabelStore
    from adjudge.agreement.labelling import Labelling
    from adjudge.agreement.own_labels import label_paths

    with LabelStore(store) as kept:
        there = kept.of(run)
    return Labelling(there, labels or (), label_paths(label or ()), annotator or (), cluster)
