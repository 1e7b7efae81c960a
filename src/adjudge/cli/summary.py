"""What a run came to, as tables."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from adjudge.cli.asked import print_asked
from adjudge.cli.terminal import cell, plain_table, show

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.runs.store import RunInfo, Store
    from adjudge.runs.summary import Tally

_MOST_ROWS = 12
_MOST_DIMENSIONS = 8
_BAR = 24


def print_summary(
    console: Console,
    store: Store,
    info: RunInfo,
    tally: Tally,
    output: str | None,
    prices: str | None = None,
) -> None:
    """Counts by status, scores, rules and failures, and which command shows more; ``prices`` is a
    file of prices."""
    part = (f"shard {info.shard}",) if info.shard else ()
    by = " · ".join((info.method, *info.models, *part))
    console.print(cell(f"run {info.id} · {info.judge} {info.judge_version} · {by}"))
    _print(console, "status", _statuses(tally))
    _print_dimensions(console, store, info)
    for name, values, counted in _distributions(tally):
        rows = ((_value(v), n, "") for v, n in sorted(values.items(), key=_order))
        _print(console, name, rows, counted)
    _print(console, "rules", _commonest(tally.rules))
    _print(console, "failed steps", _commonest(tally.failures))
    _print(console, "flags", _commonest(tally.flags))
    if info.models:
        _print(console, "opinions that failed", _commonest(tally.jurors_failed))
        print_asked(console, store.asked(info), tally, prices)
    if output not in (None, "-"):
        console.print(cell(f"written to {output}"))
    if tally.total:
        console.print(cell(f"One case: {show_command(store, info, '--case ID')}"))


def _print_dimensions(console: Console, store: Store, info: RunInfo) -> None:
    """Of several dimensions each with its mean, and of what that is the mean; what the judge
    found fault with. Nothing where each case has dimensions of its own."""
    import json

    from adjudge.runs.dimensions import summarise

    scored = store.verdicts(info, status="scored", limit=1)
    first = next((json.loads(text) for text in scored), None)
    if first is None or not 1 < len(first["scores"]) + len(first["unscored"]) <= _MOST_DIMENSIONS:
        return
    counted = summarise(json.loads(text) for text in store.verdicts(info))
    cases = counted["statuses"]["scored"]
    rows = [
        (name, row, sum(row["unscored"].values())) for name, row in counted["dimensions"].items()
    ]
    if any(row["n"] + row["null"] + unscored != cases for _, row, unscored in rows):
        return
    table = plain_table("dimension", "mean", "n", "null", "unscored", "failed")
    for name, row, unscored in rows:
        mean = "" if row["mean"] is None else f"{row['mean']:.2f}"
        numbers = (row["n"], row["null"], unscored, row["failed"])
        table.add_row(cell(name), cell(mean), *(cell(str(number)) for number in numbers))
    show(console, table)
    _print(console, "issues", _commonest(Counter(counted["issues"])))
    _print(console, "findings", _commonest(Counter(counted["findings"])))


def show_command(store: Store, info: RunInfo, rest: str) -> str:
    """The command that shows ``info``, with ``--store`` where it is not the usual one."""
    from adjudge.runs.address import DEFAULT_STORE

    where = "" if store.shown == DEFAULT_STORE else f" --store {shlex.quote(store.shown)}"
    return f"adjudge show {info.id} {rest}{where}"


def _statuses(tally: Tally) -> Iterable[tuple[str, int, str]]:
    for status, count in tally.statuses.most_common():
        reasons = [(r, n) for (s, r), n in tally.reasons.most_common() if s == status]
        yield status, count, ", ".join(f"{reason} {n}" for reason, n in reasons[:6])


def _distributions(tally: Tally) -> Iterable[tuple[str, Counter[Any], str]]:
    """Each dimension by itself, with what is counted; all together where there are too many to
    list, or where they are numbered parts of a case, such as the turns of a dialogue."""
    parts = all(name.isdecimal() for name in tally.scores)
    if len(tally.scores) <= _MOST_DIMENSIONS and not parts:
        return [(name, values, "cases") for name, values in tally.scores.items()]
    together: Counter[Any] = Counter()
    for values in tally.scores.values():
        together.update(values)
    title = "scores of parts" if parts else f"scores of {len(tally.scores)} dimensions"
    return [(title, together, "parts" if parts else "scores")]


def _commonest(counts: Counter[str]) -> Iterable[tuple[str, int, str]]:
    return [(name, count, "") for name, count in counts.most_common(_MOST_ROWS)]


def _print(
    console: Console, title: str, rows: Iterable[tuple[str, int, str]], counted: str = "cases"
) -> None:
    listed = list(rows)
    if not listed:
        return
    most = max(count for _, count, _ in listed)
    table = plain_table(title, counted, "")
    block = "█" if console.encoding.startswith("utf") else "#"
    for name, count, note in listed:
        bar = block * max(1, round(_BAR * count / most))
        table.add_row(cell(name, 60), str(count), cell(note or bar))
    show(console, table)


def _value(value: Any) -> str:
    return "null" if value is None else str(value)


def _order(entry: tuple[Any, int]) -> tuple[int, Any]:
    value = entry[0]
    if value is None:
        return (2, 0)
    return (1, value) if isinstance(value, str) else (0, value)
