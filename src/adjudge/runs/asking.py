"""How a method comes to its opinion: rounds of questions, whoever answers them."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping, Sequence
from typing import Any, Protocol

from adjudge.contract import Ask, Evidence, Fault, Method, Opinion, Question, Reply, Usage


class Asker(Protocol):
    """One juror: a model (and a sample of it) that answers questions.

    ``ask`` returns one reply for each question's key, whatever happens: a failure is a reply with
    its status. It raises only to end the whole run. ``Reply.meta["cost_usd"]`` is what a reply
    cost; where it is absent from a reply that took calls, the cost is unknown.
    """

    @property
    def model(self) -> str: ...
    @property
    def sample(self) -> int: ...
    async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]: ...


class NeedsModel(Fault, ValueError):
    """The method asks a model and there is none."""


Rounds = Generator[Ask, Mapping[str, Reply], Opinion]


def rounds(method: Method, case: Any, evidence: Evidence[Any]) -> Rounds:
    """The method's steps: yields what it asks, is sent the replies, returns its opinion.

    It may ask ``max_rounds`` times; a method that then still asks ends in an ``invalid`` opinion.
    """
    replies: dict[str, Reply] = {}
    for _ in range(method.max_rounds):
        step = method.step(case, evidence, replies)
        if isinstance(step, Opinion):
            return step
        replies.update((yield step))
    step = method.step(case, evidence, replies)
    if isinstance(step, Opinion):
        return step
    return Opinion(status="invalid", reason=f"no_opinion: still asking after {method.max_rounds}")


def opinion_alone(method: Method, case: Any, evidence: Evidence[Any]) -> Opinion:
    """The opinion of a method that needs no model; raises ``NeedsModel`` where it asks one."""
    step = _advance(rounds(method, case, evidence), None)
    if isinstance(step, Ask):
        raise NeedsModel(f"the method {method.name} asked a model although it says it needs none")
    return step


async def opinion_of(asker: Asker, method: Method, case: Any, evidence: Evidence[Any]) -> Opinion:
    """The opinion of a method with ``asker`` for its questions, with what that took."""
    steps = rounds(method, case, evidence)
    given: dict[str, Reply] = {}
    step = await asyncio.to_thread(_advance, steps, None)
    while isinstance(step, Ask):
        replies = await asker.ask(step.questions)
        given.update(replies)
        step = await asyncio.to_thread(_advance, steps, replies)
    return step.model_copy(
        update={
            "model": asker.model,
            "sample": asker.sample,
            "replies": tuple(_record(key, reply) for key, reply in given.items()),
            "usage": sum((reply.usage for reply in given.values()), Usage()),
            "cost_usd": _cost(given.values()),
        }
    )


def _advance(steps: Rounds, replies: Mapping[str, Reply] | None) -> Ask | Opinion:
    """The next step; a return, which as an exception could not cross threads, as a value."""
    try:
        return next(steps) if replies is None else steps.send(replies)
    except StopIteration as done:
        opinion: Opinion = done.value
        return opinion


def _record(key: str, reply: Reply) -> dict[str, Any]:
    return {"key": key, "status": reply.status, "reason": reply.reason, "text": reply.text}


def _cost(replies: Any) -> float | None:
    total = 0.0
    for reply in replies:
        cost = reply.meta.get("cost_usd", 0.0 if reply.usage.calls == 0 else None)
        if cost is None:
            return None
        total += cost
    return total
