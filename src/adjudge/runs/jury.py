"""The jurors of one case: asked side by side, each as often as the method wants."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

from adjudge.contract import Fault, Question
from adjudge.models.transport import Unanswered
from adjudge.runs.asking import Asker
from adjudge.runs.bench import Outcome
from adjudge.runs.desk import Desk, DeskDied
from adjudge.runs.sitting import Answered, Begin, Left
from adjudge.runs.stopping import Stop


class Jury:
    """Takes a case from its first question to its verdict."""

    def __init__(self, desk: Desk, askers: Sequence[Asker], stop: Stop) -> None:
        self._desk = desk
        self._askers = askers
        self._stop = stop

    async def outcome(self, begin: Begin) -> Outcome | Exception | None:
        """The verdict; or what an asker raised; or ``DeskDied`` where the case took its worker
        down. ``None`` leaves the case for another time: an answer is not there yet
        (``Unanswered``). So does ``CancelledError``; ``Fault`` ends the run."""
        while True:
            try:
                return await self._sit(begin)
            except DeskDied as died:
                if died.culprit:
                    return died
                # its worker went down over another case: begin again, the replies are kept
            except Fault:
                raise
            except Exception as problem:
                return problem

    async def _sit(self, begin: Begin) -> Outcome | None:
        step = await self._desk.work(begin)
        if isinstance(step, Outcome):
            return step
        assert step is not None
        if len(self._askers) == 1:
            found = [await self._opinion(begin.position, 0, step)]
        else:
            jurors = range(len(self._askers))
            found = await _together([self._opinion(begin.position, j, step) for j in jurors])
        outcome = next((outcome for outcome in found if outcome is not None), None)
        if outcome is None:
            self._stop.left += 1
            await self._desk.work(Left(begin.position))
        return outcome

    async def _opinion(
        self, position: int, juror: int, questions: tuple[Question, ...]
    ) -> Outcome | None:
        """The verdict, if this juror was the last to come to its opinion. One whose question has
        no answer yet comes to none; the others go on, so that all that is missing is known."""
        while True:
            if self._stop.draining:
                raise asyncio.CancelledError("nothing new is asked")
            try:
                replies = await self._askers[juror].ask(questions)
            except Unanswered:
                return None
            step = await self._desk.work(Answered(position, juror, replies))
            if step is None or isinstance(step, Outcome):
                return step
            questions = step


async def _together(work: Sequence[Coroutine[Any, Any, Outcome | None]]) -> list[Outcome | None]:
    """What each comes to. An exception ends the others; one that is cancelled lets them finish."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            if task.done() and not task.cancelled():
                task.result()
        return [task.result() for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
