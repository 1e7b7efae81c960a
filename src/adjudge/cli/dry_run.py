"""What ``adjudge run --dry-run`` prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from adjudge.cli.money import money
from adjudge.cli.terminal import cell

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.contract import Usage
    from adjudge.inputs import Source
    from adjudge.runs.dry_run import DryRun, Expected
    from adjudge.runs.engine import Task
    from adjudge.runs.panel import Asking


def print_dry_run(
    task: Task,
    sources: Sequence[Source],
    asking: Asking,
    store: str,
    workers: int | None,
    retry_failed: bool,
) -> None:
    """Print what the run would ask. A store that is not there is not made."""
    from adjudge.cli.terminal import console
    from adjudge.runs.address import NoStore
    from adjudge.runs.dry_run import dry_run
    from adjudge.runs.store import Store

    out = console()
    if not task.bench(with_model=bool(asking.get("model"))).method.needs_model:
        out.print(cell("dry run: the method asks no model, so there is nothing to be paid for"))
        return
    try:
        opened = Store.open(store)
    except NoStore:
        found = dry_run(task, sources, asking, workers=workers, retry_failed=retry_failed)
    else:
        with opened:
            found = dry_run(
                task, sources, asking, opened, workers=workers, retry_failed=retry_failed
            )
    _print(out, found, asking)


def _print(out: Console, found: DryRun, asking: Asking) -> None:
    out.print(cell("dry run: nobody is asked and nothing is kept"))
    total = found.there + found.alone + found.unreadable + found.asking
    parts = [f"{found.there:,} are judged already"] if found.there else []
    parts += [f"{found.alone:,} need no call", f"{found.asking:,} wait for answers"]
    parts += [f"{found.unreadable:,} cannot be judged"] if found.unreadable else []
    out.print(cell(f"cases: {total:,}, of which {', '.join(parts)}"))
    for one in found.expected:
        cost = "cost unknown: there is no price for it"
        told = cost if one.cost_usd is None else f"about {money(one.cost_usd)}"
        out.print(cell(f"expected of {one.model}: {_usage(one.usage)}, {told}"))
    if len(found.expected) > 1:
        out.print(cell(f"together: {_usage(_used(found.expected))}, {_money(found.expected)}"))
    if found.more and found.asking:
        times = "once" if found.more == 1 else f"{found.more} times"
        out.print(
            cell(f"not in it: a case whose answer is not complete may be asked about {times} more")
        )
    _print_budget(out, found, asking)
    out.print(
        cell(
            "Tokens are guessed from the length of the prompts and the shape of the answers, "
            "without repetitions, repair turns and what a model thinks."
        )
    )


def _print_budget(out: Console, found: DryRun, asking: Asking) -> None:
    """How far the budget reaches, less what the run has spent before."""
    expected, before = _used(found.expected), _used(found.spent)
    rows: list[tuple[float, float, float, Callable[[float], str]]] = []
    if (most := asking.get("max_cost")) is not None:
        rows.append((most, _cost(found.spent), _cost(found.expected), money))
    if (limit := asking.get("max_tokens")) is not None:
        rows.append((limit, _tokens(before), _tokens(expected), _counted))
    for budget, spent, wanted, shown in rows:
        left = max(0.0, budget - spent)
        reach = "is enough" if wanted <= left else f"is enough for about {left / wanted:.0%} of it"
        used = f", of which {shown(spent)} are spent," if spent else ""
        out.print(cell(f"budget: {shown(budget)}{used} {reach}"))


def _counted(tokens: float) -> str:
    return f"{tokens:,.0f} tokens"


def _usage(usage: Usage) -> str:
    return (
        f"{usage.calls:,} calls, about {_rough(usage.input_tokens)} tokens read and "
        f"{_rough(usage.output_tokens)} written"
    )


def _rough(number: int) -> str:
    """To two digits that count: a guess is no better.

    >>> _rough(123456), _rough(87), _rough(0)
    ('120,000', '87', '0')
    """
    places = max(0, len(str(number)) - 2)
    return f"{round(number, -places):,}"


def _used(some: Sequence[Expected]) -> Usage:
    from adjudge.contract import Usage

    return sum((one.usage for one in some), Usage())


def _tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


def _cost(some: Sequence[Expected]) -> float:
    return sum(one.cost_usd or 0.0 for one in some)


def _money(some: Sequence[Expected]) -> str:
    unknown = [one.model for one in some if one.cost_usd is None]
    known = f"about {money(_cost(some))}"
    if len(unknown) == len(some):
        return "cost unknown"
    return f"{known} and what {', '.join(unknown)} cost, which is unknown" if unknown else known
