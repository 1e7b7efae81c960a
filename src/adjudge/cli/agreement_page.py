"""The page of ``adjudge agree`` as tables."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from adjudge.agreement.names import NAMES, number
from adjudge.cli.figures import figure_cells, short_cells, shown
from adjudge.cli.summary import show_command
from adjudge.cli.terminal import cell, plain_table, show

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.agreement.bounded import BareAgainstBounded
    from adjudge.agreement.dimension import Confusion, DimensionAgreement, Rates
    from adjudge.agreement.page import AgreementPage
    from adjudge.agreement.people import People
    from adjudge.agreement.statistics.alt_test import AltTest
    from adjudge.runs.store import RunInfo, Store

_MOST_REFUSED = 20


def print_page(out: Console, page: AgreementPage, store: Store, info: RunInfo) -> None:
    """Everything on the page."""
    by = " · ".join((page.method, *page.models))
    tasks = "each alone" if page.clusters == page.cases else f"in {page.clusters:,} tasks"
    out.print(cell(f"run {page.run} · {page.judge} · {by}: {page.cases:,} cases, {tasks}"))
    if page.refused or page.missing:
        left = f"left out: {len(page.refused):,} labels that are none, {page.missing:,} empty"
        out.print(cell(left))
        for one in page.refused[:_MOST_REFUSED]:
            out.print(cell(f"  {one}"))
    for dimension in page.dimensions:
        _dimension(out, dimension, store, info)
    if page.bounds is not None:
        _bounds(out, page.bounds)


def _dimension(out: Console, d: DimensionAgreement, store: Store, info: RunInfo) -> None:
    out.print()
    unjudged = sum(d.unjudged.values())
    why = ", ".join(f"{count:,} {reason}" for reason, count in d.unjudged.items())
    out.print(
        cell(
            f"{d.name}: {d.n:,} pairs; {unjudged:,} labelled without a verdict"
            + (f" ({why})" if why else "")
            + f"; {d.unlabelled:,} not labelled"
        )
    )
    if not d.n:
        return
    table = plain_table("", "value", "95% interval")
    for name, title in NAMES.items():
        if name in d.figures:
            table.add_row(title, *figure_cells(d.figures[name]))
        if name == "accuracy" and d.majority.value is not None:
            table.add_row("· of always the commonest label", number(d.majority.value), "")
    show(out, table)
    if d.confusion is not None:
        _confusion(out, d.confusion)
    if d.rates is not None:
        _rates(out, d.rates)
    if d.people is not None:
        _people(out, d.people)
    if d.alt_test is not None:
        out.print(cell(_alt_test(d.alt_test)))
    if d.worst:
        out.print(cell("the worst disagreements:"))
        table = plain_table("judge", "label", "")
        for one in d.worst:
            part = "" if one.dimension == d.name else f"  (part {one.dimension})"
            which = show_command(store, info, f"--case {shlex.quote(one.case)}")
            table.add_row(cell(shown(one.judged)), cell(shown(one.label)), cell(which + part))
        show(out, table)


def _confusion(out: Console, confusion: Confusion) -> None:
    names = [shown(value) for value in confusion.values]
    table = plain_table("judge, by label", *names)
    for name, counts in zip(names, confusion.counts, strict=True):
        table.add_row(cell(name), *(f"{count:,}" for count in counts))
    show(out, table)


def _rates(out: Console, rates: Rates) -> None:
    table = plain_table("", "value", "95% interval")
    for title, figure in (
        ("true-positive rate", rates.true_positive),
        ("true-negative rate", rates.true_negative),
        ("success rate: the judge's", rates.judged),
        ("· of the labelled part, by label", rates.labelled),
        ("· corrected (Rogan-Gladen)", rates.corrected),
        ("· corrected (PPI++)", rates.powered),
    ):
        table.add_row(title, *figure_cells(figure))
    show(out, table)


def _people(out: Console, people: People) -> None:
    who = ", ".join(f"{name} {count:,}" for name, count in people.annotators.items())
    out.print(cell(f"labelled by {who}; {people.units:,} by two or more, where"))
    table = plain_table("", "value", "95% interval")
    for title, together in (
        ("people among themselves", people.among),
        ("the judge with each of them", people.with_judge),
    ):
        table.add_row(f"equal: {title}", *figure_cells(together.equal))
        table.add_row(f"alpha ({together.level}): {title}", *figure_cells(together.alpha))
    show(out, table)


def _alt_test(test: AltTest) -> str:
    if test.winning_rate is None or test.advantage is None:
        return f"alternative annotator test: {test.reason}"
    verdict = "may stand in for a person" if test.passed else "may not stand in for a person"
    return (
        f"alternative annotator test (epsilon {test.epsilon:g}): the judge {verdict}; winning rate "
        f"{number(test.winning_rate)} of {len(test.p_values)} annotators, advantage probability "
        f"{number(test.advantage)}"
    )


def _bounds(out: Console, bounds: BareAgainstBounded) -> None:
    out.print()
    out.print(
        cell(
            f"bare against bounded: {bounds.settled:,} verdicts needed no call; {bounds.asked:,} "
            f"rest on a model's answer, {bounds.needless:,} of them without need, and "
            f"{bounds.held:,} were held by bounds"
        )
    )
    for side in bounds.sides:
        told = f"{side.name}: {side.moved:,} moved"
        if side.n:
            told += (
                f"; of {side.n:,} labelled {side.put_right:,} put right, {side.put_wrong:,} wrong"
            )
        out.print(cell(told))
        if not side.n:
            continue
        table = plain_table("", "bare", "95% interval", "bounded", "95% interval")
        for name, title in NAMES.items():
            if name in side.bare:
                table.add_row(
                    title, *short_cells(side.bare[name]), *short_cells(side.bounded[name])
                )
        show(out, table)
    if bounds.rules:
        table = plain_table("rule", "held", "put right", "put wrong")
        for rule in bounds.rules:
            table.add_row(
                cell(rule.rule), f"{rule.held:,}", f"{rule.put_right:,}", f"{rule.put_wrong:,}"
            )
        show(out, table)
