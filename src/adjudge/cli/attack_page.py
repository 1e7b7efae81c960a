"""The report of ``adjudge attack`` as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.cli.asked import spent
from adjudge.cli.money import money
from adjudge.cli.terminal import cell, console, plain_table, show

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.agreement.attack.report import AttackReport, Rise, Tally
    from adjudge.runs.panel import Panel

_MOST_GROUPS = 20


def print_report(report: AttackReport, panel: Panel | None) -> None:
    """Counts by attack, place and dimension, and the rises that bounds did not prevent."""
    out = console()
    total = report.total
    by = " · ".join((report.judge, report.method, *report.models))
    out.print(cell(f"{by}: {report.cases:,} cases, {total.tried:,} attacked variants of them"))
    if report.unjudged:
        out.print(cell(f"{report.unjudged:,} cases have no verdict to begin with"))
    if report.asked:
        out.print(
            cell(
                f"some score rose in {_share(total.rose_bare, total.tried)} without bounds, by "
                f"{total.points_bare:g} points altogether"
            )
        )
    out.print(
        cell(
            f"some score rose in {_share(total.rose, total.tried)} with bounds, by "
            f"{total.points:g} points altogether"
        )
    )
    out.print(
        cell(
            f"of {total.settled:,} values that bounds settled {total.rose_settled:,} rose; "
            f"{total.loosened:,} rises came of attacks that loosened bounds"
        )
    )
    _tallies(out, "attack", "variants", report.attacks, report.asked)
    if report.untried:
        out.print(cell(f"not tried, since they apply to none: {', '.join(report.untried)}"))
    _tallies(out, "place", "variants", report.fields, report.asked)
    _tallies(out, "dimension", "values", report.dimensions, report.asked)
    if rises := [rise for rise in report.rises if rise.bounded]:
        out.print(cell("what rose with bounds:"))
        _rises(out, rises)
    if panel is not None:
        usage = panel.usage
        out.print(
            cell(
                f"asked: {usage.calls:,} calls, {usage.input_tokens:,} tokens read, "
                f"{usage.output_tokens:,} written, {money(panel.cost_usd)}"
            )
        )
        if panel.budget.reached:
            out.print(
                cell(
                    f"budget: {spent(panel.budget)}; variants after that are lost, and further "
                    "cases were not attacked"
                )
            )


def _share(some: int, of: int) -> str:
    percent = f" ({some / of:.0%})" if of else ""
    return f"{some:,} of {of:,}{percent}"


def _tallies(out: Console, title: str, counted: str, tallies: Sequence[Tally], asked: bool) -> None:
    bare = ("rose bare", "points") if asked else ()
    table = plain_table(
        title,
        counted,
        *bare,
        "rose bounded",
        "points",
        "loosened",
        "settled",
        "settled rose",
        "lost",
    )
    for tally in tallies:
        cells = [f"{tally.tried:,}"]
        if asked:
            cells += [f"{tally.rose_bare:,}", f"{tally.points_bare:g}"]
        cells += [f"{tally.rose:,}", f"{tally.points:g}", f"{tally.loosened:,}"]
        cells += [f"{tally.settled:,}", f"{tally.rose_settled:,}", f"{tally.lost:,}"]
        table.add_row(cell(tally.name), *cells)
    show(out, table)


def _rises(out: Console, rises: Sequence[Rise]) -> None:
    """By place and dimension, those first where an attack loosened bounds."""
    groups: dict[tuple[str, str], list[Rise]] = {}
    for rise in rises:
        groups.setdefault((rise.field, rise.dimension), []).append(rise)
    table = plain_table("place", "dimension", "rose", "loosened", "most", "in case", "by")
    ordered = sorted(groups.values(), key=lambda group: (-_loosened(group), -len(group)))
    for group in ordered[:_MOST_GROUPS]:
        most = max(group, key=lambda rise: (rise.loosened, rise.after - rise.before))
        attacks = dict.fromkeys(rise.attack for rise in group)
        table.add_row(
            cell(most.field),
            cell(most.dimension),
            f"{len(group):,}",
            f"{_loosened(group):,}",
            f"{most.before:g} to {most.after:g}",
            cell(most.case),
            cell(", ".join(attacks)),
        )
    show(out, table)
    if len(ordered) > _MOST_GROUPS:
        out.print(cell(f"… {len(ordered) - _MOST_GROUPS:,} more: --json has them"))


def _loosened(rises: Sequence[Rise]) -> int:
    return sum(rise.loosened for rise in rises)
