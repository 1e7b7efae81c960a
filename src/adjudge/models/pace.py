"""When the next request to an endpoint may go out; no clock, no I/O."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

from adjudge.models.allowance import Allowance, Remaining, Unit
from adjudge.models.drip import Drip
from adjudge.models.learned_rate import MARGIN, WINDOW, LearnedRate

PATIENCE = 120.0
"""Seconds: an endpoint that answered within them refuses for now, not for good."""

_TOKENS_A_CHARACTER = 0.28  # of a request, until its answers say
_WRITTEN = 300.0  # tokens of an answer, likewise
_LEARNING = 0.05  # what one answer changes of these


class Turn(NamedTuple):
    """A request that went out: when, as which, of how many characters, with how many tokens
    expected."""

    sent: float
    number: int
    tokens_sent: float
    characters: int
    tokens: float


class Pace:
    """What holds back requests to one endpoint: ``rpm`` requests and ``tpm`` tokens a minute, sent
    evenly; what its answers say it allows; what its refusals show that it does.

    Tokens are estimated from the characters of a request, as those before it came to, and put
    right by what the answer says it used. Times are seconds on any one clock. It may be shared by
    threads: take ``lock`` around a call.
    """

    def __init__(self, rpm: float | None = None, tpm: float | None = None) -> None:
        for name, given in (("rpm", rpm), ("tpm", tpm)):
            if given is not None and not given > 0:
                raise ValueError(f"{name} must be above 0, found {given}")
        self.lock = Lock()
        self._requests = Drip(rpm / (WINDOW + MARGIN)) if rpm else None
        self._tokens = Drip(tpm / (WINDOW + MARGIN)) if tpm else None
        self._learned = LearnedRate()
        self._remaining: dict[tuple[Unit, int], Remaining] = {}
        self._held = float("-inf")
        self._answered = float("-inf")
        self._sent = 0
        self._tokens_sent = 0.0
        self._told = -1
        self._a_character = _TOKENS_A_CHARACTER
        self._written = _WRITTEN

    def hold(self, now: float, seconds: float) -> None:
        """Nobody asks for ``seconds`` from now; the longest wish wins."""
        self._held = max(self._held, now + seconds)

    def held(self, now: float) -> float:
        """For how many seconds the endpoint is not to be asked."""
        return max(0.0, self._held - now)

    def wait(self, now: float) -> float:
        """Seconds until the next request may go, 0 where it may go now. An answer that comes
        meanwhile can make it less."""
        wait = max(self._held - now, self._learned.wait(now))
        if self._requests is not None:
            wait = max(wait, self._requests.wait(now))
        if self._tokens is not None:
            wait = max(wait, self._tokens.wait(now))
        for remaining in self._remaining.values():
            wait = max(wait, remaining.wait(now))
        return wait if wait > 0 else 0.0

    def sent(self, now: float, characters: int = 0) -> Turn:
        """A request of so many characters goes out."""
        tokens = characters * self._a_character + self._written
        self._sent += 1
        self._tokens_sent += tokens
        self._learned.sent(now)
        if self._requests is not None:
            self._requests.spend(now, 1.0)
        if self._tokens is not None:
            self._tokens.spend(now, tokens)
        for (unit, _), remaining in self._remaining.items():
            remaining.spend(now, 1.0 if unit == "requests" else tokens)
        return Turn(now, self._sent, self._tokens_sent, characters, tokens)

    def answered(self, turn: Turn, now: float, read: int, written: int) -> None:
        """It was answered, and took so many tokens; 0 where the endpoint did not say."""
        self._over(turn, float(read + written) or turn.tokens)
        self._learned.passed(turn.sent, now)
        self._answered = now
        if turn.characters and read:
            self._a_character += _LEARNING * (read / turn.characters - self._a_character)
            self._written += _LEARNING * (written - self._written)

    def failed(self, turn: Turn, now: float) -> None:
        """It was not answered, for another reason than a limit."""
        self._over(turn, turn.tokens)
        self._learned.passed(turn.sent, now)

    def refused(self, turn: Turn, now: float, retry_after: float | None = None) -> None:
        """It was refused for now (429)."""
        self._over(turn, 0.0)
        self._learned.refused(turn.sent, now, retry_after)

    def taken_back(self, turn: Turn) -> None:
        """It did not go out after all."""
        self._over(turn, 0.0)

    def told(self, turn: Turn, now: float, allowances: Iterable[Allowance]) -> None:
        """An answer's headers said what was still allowed when that request came; what was sent
        after it is not counted in that."""
        if turn.number < self._told:
            return
        self._told = turn.number
        for place, allowance in enumerate(allowances):
            known = self._remaining.setdefault((allowance.unit, place), Remaining())
            if allowance.unit == "requests":
                known.told(allowance, now, self._sent - turn.number)
            else:
                known.told(allowance, now, self._tokens_sent - turn.tokens_sent)

    def answers(self, now: float) -> bool:
        """Whether the endpoint has answered anybody lately."""
        return now - self._answered < PATIENCE

    def _over(self, turn: Turn, took: float) -> None:
        if self._tokens is not None:
            self._tokens.correct(took - turn.tokens)
