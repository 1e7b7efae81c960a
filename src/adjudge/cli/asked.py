"""What asking models came to: questions, tokens, money, and what the bounds saved and held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.cli.again import command_again
from adjudge.cli.money import money
from adjudge.cli.terminal import cell

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.contract import Usage
    from adjudge.models import Budget
    from adjudge.runs.store import Asked
    from adjudge.runs.summary import Tally


def print_asked(
    console: Console, asked: Sequence[Asked], tally: Tally, prices: str | None = None
) -> None:
    """A line a model, and what was not asked or not let stand; ``prices`` is a file of them."""
    from adjudge.models import Prices

    known = Prices.load(*([prices] if prices is not None else []))
    costs = {one.model: known.cost(one.model, one.usage) for one in asked}
    for model, questions, usage in asked:
        cost = costs[model]
        told = money(cost) if cost is not None else "cost unknown: there is no price for it"
        console.print(
            cell(
                f"asked {model}: {questions:,} questions, {usage.calls:,} calls, "
                f"{_read(usage)}, {usage.output_tokens:,} written, {told}"
            )
        )
    if len(asked) > 1:
        console.print(cell(f"together: {_together(costs)}"))
    again = max(0, tally.answers - sum(one.questions for one in asked))
    console.print(
        cell(
            f"saved: {tally.settled:,} of {tally.opinions:,} opinions needed no call, the bounds "
            f"leaving one value; {again:,} answers were used again"
        )
    )
    bounded, disputed = tally.flags["bounded"], tally.flags["disputed"]
    console.print(
        cell(f"held: {bounded:,} verdicts where bounds moved a model, {disputed:,} disputed")
    )


def print_left_open(console: Console, budget: Budget, tally: Tally) -> None:
    """How many cases the budget left unjudged, what was spent of it, and how to go on."""
    if not tally.left_open:
        return
    console.print(
        cell(
            f"budget: {tally.left_open:,} cases were skipped, since {spent(budget)}. To judge them "
            "too, give a larger budget, or none:"
        )
    )
    console.print(cell(f"  {command_again('--max-cost', '--max-tokens')}"))


def spent(budget: Budget) -> str:
    """What was spent of a budget."""
    parts = []
    if budget.max_cost is not None:
        parts.append(f"{money(budget.cost)} of {money(budget.max_cost)}")
    if budget.max_tokens is not None:
        parts.append(f"{budget.tokens:,} of {budget.max_tokens:,} tokens")
    return f"{' and '.join(parts)} are spent"


def _read(usage: Usage) -> str:
    cached = usage.cache_read_tokens
    from_cache = f" ({cached:,} of them from the provider's cache)" if cached else ""
    return f"{usage.input_tokens:,} tokens read{from_cache}"


def _together(costs: dict[str, float | None]) -> str:
    """The sum, and of which models the cost is not in it."""
    unknown = [model for model, cost in costs.items() if cost is None]
    total = money(sum(cost for cost in costs.values() if cost is not None))
    if len(unknown) == len(costs):
        return "cost unknown"
    return f"{total} and what {', '.join(unknown)} cost, which is unknown" if unknown else total
