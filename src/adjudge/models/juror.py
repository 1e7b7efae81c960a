"""One sample of one model, as whoever runs a method asks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.contract import Question, Reply
from adjudge.models.client import ModelClient


class Juror:
    """Answers questions with the ``sample``-th answer of a model; jurors may share a client.

    ``Reply.meta["cost_usd"]`` is what a reply cost, and absent where the price is not known.
    """

    def __init__(self, client: ModelClient, sample: int = 0) -> None:
        self.client = client
        self.model = client.name
        self.sample = sample

    async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
        """One reply for each question's key; a failure is a reply with its status."""
        return await self.client.ask_all(questions, self.sample)
