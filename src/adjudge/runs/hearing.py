"""Where a run begins and how it ends, for those who listen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from adjudge.contract import Usage
from adjudge.observing import run_ended, run_started
from adjudge.runs.engine import Judged
from adjudge.runs.identity import Identity
from adjudge.runs.panel import Panel
from adjudge.runs.stopping import Stop


@contextmanager
def heard(
    identity: Identity,
    stored: int,
    panel: Panel | None,
    stop: Stop,
    on_judged: Callable[[Judged], None],
) -> Iterator[Callable[[Judged], None]]:
    """Within the block the run goes on; what is yielded stands for ``on_judged``, and counts.

    The run ends ``complete``, ``stopped`` before its time, or ``failed``.
    """
    run_started(
        run=identity.id,
        judge=identity.judge,
        method=identity.method,
        models=panel.models if panel else [],
        stored=stored,
    )
    statuses: Counter[str] = Counter()
    outcome = "failed"

    def count(judged: Judged) -> None:
        statuses[judged.brief.status] += 1
        on_judged(judged)

    try:
        yield count
        outcome = "stopped" if stop.draining or stop.left else "complete"
    finally:
        usage = panel.usage if panel else Usage()
        run_ended(
            run=identity.id,
            outcome=outcome,
            judged=dict(statuses),
            **usage.model_dump(),
            cost_usd=panel.cost_usd if panel else 0.0,
        )
