"""Who is asked, and what a method makes of it without asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from adjudge.contract import Ask, Evidence, Fault, Method, Opinion, Question, Reply


class Asker(Protocol):
    """One juror: a model (and a sample of it) that answers questions.

    ``ask`` returns one reply for each question's key: a failure of the model is a reply with its
    status. A ``Fault`` that it raises ends the whole run; anything else is an error of the case.
    ``Reply.meta["cost_usd"]`` is what a reply cost; where it is absent from a reply that took
    calls, the cost is unknown.
    """

    @property
    def model(self) -> str: ...
    @property
    def sample(self) -> int: ...
    async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]: ...


class NeedsModel(Fault, ValueError):
    """The method asks a model and there is none."""


def opinion_alone(method: Method, case: Any, evidence: Evidence[Any]) -> Opinion:
    """The opinion of a method that needs no model; raises ``NeedsModel`` where it asks one."""
    step = method.step(case, evidence, {})
    if isinstance(step, Ask):
        raise NeedsModel(f"the method {method.name} asked a model although it says it needs none")
    return step
