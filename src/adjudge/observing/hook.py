"""The one place where those who judge and those who listen meet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from adjudge.observing.events import Asked, CaseAt, Ended, Exchange, Observer, Sitting
from adjudge.observing.records import RECORDS
from adjudge.observing.traces import TRACES

OBSERVERS: tuple[Observer, ...] = (RECORDS, TRACES)


class Exchanges:
    """All who hear of one question; costs next to nothing where that is nobody."""

    __slots__ = ("_heard_by",)

    def __init__(self, heard_by: Iterable[Exchange] = ()) -> None:
        self._heard_by = tuple(heard_by)

    def sent(self, attempt: int) -> None:
        """See ``Exchange``."""
        for one in self._heard_by:
            one.sent(attempt)

    def back(self) -> None:
        """See ``Exchange``."""
        for one in self._heard_by:
            one.back()

    def failed(self, error: str, wait: float | None) -> None:
        """See ``Exchange``."""
        for one in self._heard_by:
            one.failed(error, wait)

    def ended(self, ended: Callable[[], Ended] | None) -> None:
        """See ``Exchange``; what came of it is only made where someone hears it."""
        if self._heard_by:
            made = None if ended is None else ended()
            for one in reversed(self._heard_by):
                one.ended(made)


class Sittings:
    """All who hear of one case."""

    __slots__ = ("_heard_by",)

    def __init__(self, heard_by: Iterable[Sitting] = ()) -> None:
        self._heard_by = tuple(heard_by)

    def concluded(self, text: str) -> None:
        """The verdict, as its JSON line."""
        if self._heard_by:
            verdict = json.loads(text)
            for one in self._heard_by:
                one.concluded(verdict)

    def ended(self) -> None:
        """See ``Sitting``."""
        for one in reversed(self._heard_by):
            one.ended()


NOBODY = Exchanges()
_NO_SITTING = Sittings()


def _listening() -> list[Observer]:
    return [one for one in OBSERVERS if one.listens()]


def exchange(asked: Callable[[], Asked]) -> Exchanges:
    """Those who hear what becomes of a question; ``asked`` is called if there is anyone."""
    listening = _listening()
    if not listening:
        return NOBODY
    made = asked()
    return Exchanges(one.exchange(made) for one in listening)


def sitting(judge: str, method: str, case_id: str | None, position: int) -> Sittings:
    """Those who hear what becomes of a case."""
    listening = _listening()
    if not listening:
        return _NO_SITTING
    case = CaseAt(judge, method, case_id, position)
    return Sittings(one.sitting(case) for one in listening)


def run_started(**fields: Any) -> None:
    """A run of many cases begins."""
    for one in _listening():
        one.run("run.started", fields)


def run_ended(**fields: Any) -> None:
    """It is over."""
    for one in _listening():
        one.run("run.ended", fields)
