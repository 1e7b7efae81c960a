"""What asking models came to: questions, tokens, money, and what the bounds saved and held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.cli.money import money
from adjudge.cli.terminal import cell

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.runs.store import Asked
    from adjudge.runs.summary import Tally


def print_asked(console: Console, asked: Sequence[Asked], tally: Tally) -> None:
    """A line a model, and what was not asked or not let stand."""
    from adjudge.models import Prices

    prices = Prices.load()
    for model, questions, usage in asked:
        known = prices.cost(model, usage)
        cost = money(known) if known is not None else "cost unknown: there is no price for it"
        console.print(
            cell(
                f"asked {model}: {questions:,} questions, {usage.calls:,} calls, "
                f"{usage.input_tokens:,} tokens read, {usage.output_tokens:,} written, {cost}"
            )
        )
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
