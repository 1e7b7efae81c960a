"""What a run may take at most, and who stands before every request to keep it."""

from __future__ import annotations

from typing import Protocol

from adjudge.contract import Fault, Usage
from adjudge.models.prices import Price
from adjudge.models.transport import ModelRequest


class CannotCount(Fault, RuntimeError):
    """A budget that cannot be kept: the endpoint does not say how many tokens it used."""


class Gate(Protocol):
    """Stands before every request of one client: first tries, repetitions and repair turns."""

    def admits(self, request: ModelRequest) -> bool:
        """Whether it may go out now; if not it ends as ``skipped`` with reason ``budget``."""
        ...

    def count(self, usage: Usage, *, answered: bool) -> None:
        """What a request used that went out, whether it was answered or failed."""
        ...


class Budget:
    """So many US dollars and so many tokens (read and written together); ``None``: no such limit.

    It is ``reached`` once as much or more was taken: what is in flight then may still pass it, and
    nothing more goes out.

    >>> budget = Budget(max_tokens=100)
    >>> budget.take(Usage(calls=1, input_tokens=90, output_tokens=20), cost=None)
    >>> budget.reached, budget.tokens
    (True, 110)
    """

    def __init__(self, max_cost: float | None = None, max_tokens: int | None = None) -> None:
        self.max_cost = max_cost
        self.max_tokens = max_tokens
        self.cost = 0.0
        self.tokens = 0

    @property
    def reached(self) -> bool:
        """Whether nothing more may be asked."""
        return self.allows_only_free or self.out_of_tokens

    @property
    def allows_only_free(self) -> bool:
        """Whether nothing may be asked that costs anything."""
        return self.max_cost is not None and self.cost >= self.max_cost

    @property
    def out_of_tokens(self) -> bool:
        """Whether no token is left."""
        return self.max_tokens is not None and self.tokens >= self.max_tokens

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.max_cost is not None or self.max_tokens is not None

    def take(self, usage: Usage, cost: float | None) -> None:
        """Count what was used; ``cost`` in US dollars, where there is a price."""
        self.tokens += usage.input_tokens + usage.output_tokens
        self.cost += cost or 0.0

    def gate(self, model: str, price: Price | None) -> Gate:
        """The gate of the client that asks ``model``."""
        return _BudgetGate(self, model, price)


class _BudgetGate:
    def __init__(self, budget: Budget, model: str, price: Price | None) -> None:
        self._budget = budget
        self._model = model
        self._price = price

    def admits(self, request: ModelRequest) -> bool:
        free = self._price is not None and self._price.free
        budget = self._budget
        return not (budget.out_of_tokens or (budget.allows_only_free and not free))

    def count(self, usage: Usage, *, answered: bool) -> None:
        if answered and not (usage.input_tokens or usage.output_tokens) and self._counts:
            raise CannotCount(
                f"{self._model} answers without saying how many tokens it used, so that no budget "
                "can be kept; leave max_cost and max_tokens out"
            )
        self._budget.take(usage, self._price.of(usage) if self._price else None)

    @property
    def _counts(self) -> bool:
        """Whether the budget depends on what this model uses."""
        priced = self._price is None or not self._price.free
        return self._budget.max_tokens is not None or priced
