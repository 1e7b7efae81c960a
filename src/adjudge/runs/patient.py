"""A juror that asks all it has to ask before it says that an answer is not there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

from adjudge.contract import Question, Reply
from adjudge.models import Juror


class PatientJuror(Juror):
    """Asks every question of a round; only then it raises ``Unanswered`` for one of them."""

    async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
        """The replies, if all are there."""
        asked = (self.client.ask(question, self.sample) for question in questions)
        replies = await asyncio.gather(*asked, return_exceptions=True)
        for reply in replies:
            if isinstance(reply, BaseException):
                raise reply
        there = cast(list[Reply], replies)
        return {question.key: reply for question, reply in zip(questions, there, strict=True)}
