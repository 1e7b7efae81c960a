"""How many requests a minute an endpoint allows that does not say so: learned from its refusals.

Pure: events in, seconds to wait out.
"""

from __future__ import annotations

from collections import deque

from adjudge.models.drip import Drip

WINDOW = 60.0
"""Seconds that endpoints count in."""

MARGIN = 0.6
"""Seconds: an endpoint's minute is counted by another clock than ours."""

_LEAST = 1 / WINDOW  # a second: one a minute is asked whatever happens
_BELOW = 0.95  # of what was allowed, so much is sent
_NEARLY = 0.9  # a rate that held for a while falls by no more than this
_A_WHILE = 5.0
_SHORTEST = 0.05  # seconds that something is counted over, so that no rate is without bound

# After a refusal.
_FIRST_PAUSE = 0.25  # seconds until one request tries, then
_LONGER = 3.0  # times as long each time
_GRACE = 0.5  # seconds after which one that was not refused counts as taken

# The search for a higher rate, as shares of the rate a second.
_SEARCH = 0.1  # over the seconds since the first refusal
_GROWTH = 0.0005  # always, doubled for every
_DOUBLES_IN = 30.0  # seconds without refusal, but
_MOST_DOUBLINGS = 8.0  # times at most


class LearnedRate:
    """No limit until the first refusal (429); from then on a rate that follows the endpoint's.

    Between two refusals the endpoint was full at both ends, so what it took in between is what it
    allows, whether it counts in a window that is fixed or slides or fills a bucket. A little less
    than that is sent evenly, and a little more again the longer nothing is refused, as long as it
    is this rate that holds requests back.

    After a refusal one request tries whether the endpoint takes any again: when it said
    (``Retry-After``), else after a quarter of a second and then three times as long each time, but
    not past the moment when a minute is over since the endpoint was asked: many count by the
    minute. Until it is answered, or was not refused for half a second, nothing else is sent.

    Times are seconds on any one clock. ``sent`` is to be called for every request, then ``refused``
    or ``passed``.
    """

    def __init__(self) -> None:
        self._drip: Drip | None = None
        self._taken = 0
        self._marks: deque[tuple[float, int]] = deque()
        self._refusals: deque[tuple[float, int]] = deque()
        self._cut = float("-inf")
        self._until = float("-inf")
        self._in_a_row = 0
        self._begun = 0.0
        self._first = 0.0
        self._base = (0.0, 0)
        self._minute_over = False
        self._trial: float | None = None
        self._resumed = 0.0
        self._last = 0.0

    @property
    def rate(self) -> float | None:
        """Requests a second; ``None`` before the first refusal."""
        return self._drip.rate if self._drip else None

    def wait(self, now: float) -> float:
        """Seconds until the next request may go."""
        wait = max(0.0, self._until - now)
        if self._trial is not None:
            wait = max(wait, self._trial + _GRACE - now)
        return max(wait, self._drip.wait(now)) if self._drip else wait

    def sent(self, now: float) -> None:
        """A request goes out."""
        if not self._marks:
            self._begun = now
        if not self._marks or now - self._marks[-1][0] >= 1.0:
            self._marks.append((now, self._taken))
        while self._marks[0][0] <= now - WINDOW:
            self._marks.popleft()
        self._taken += 1
        if self._in_a_row and self._trial is None:
            self._trial = now
        elif self._trial is not None:  # not refused within its time
            self._go_on(now)
        if self._drip is not None:
            if self._drip.busy(now):
                self._drip.rate *= 1 + self._growth(now) * min(now - self._last, 1.0)
            self._drip.spend(now, 1.0)
        self._last = now

    def passed(self, sent: float, now: float) -> None:
        """A request sent at ``sent`` was not refused."""
        if self._trial is not None and sent >= self._trial:
            self._go_on(now)

    def refused(self, sent: float, now: float, retry_after: float | None = None) -> None:
        """A request sent at ``sent`` was; ``retry_after`` in seconds, where the endpoint said."""
        self._taken -= 1
        if self._drip is not None:
            self._drip.correct(-1.0)
        if sent < self._cut:  # in the same round trip
            then, taken = self._refusals[-1]
            self._refusals[-1] = then, taken - 1
            self._until = max(self._until, now + (retry_after or 0.0))
            return
        if self._in_a_row == 0:
            self._slow_down(now)
        self._in_a_row += 1
        self._trial = None
        self._cut = now
        self._until = now + (retry_after or self._pause(now))

    def _slow_down(self, now: float) -> None:
        while self._refusals and self._refusals[0][0] < now - WINDOW:
            self._refusals.popleft()
        self._base = self._marks[0]
        self._minute_over = False
        allowed = (
            self._since(self._refusals[0], now, _SHORTEST)
            if self._refusals
            else self._on_the_whole(now)
        )
        self._refusals.append((now, self._taken))
        if self._drip is not None:
            rate = self._drip.rate
            # one that held for a while is nearly right
            least = _NEARLY if now - self._resumed > _A_WHILE else 0.5
            self._drip.rate = max(_LEAST, least * rate, _BELOW * min(rate, allowed))
        elif allowed > 0:  # else it has taken nothing yet, which says nothing about how much
            self._drip = Drip(_BELOW * allowed)
            self._first = now

    def _go_on(self, now: float) -> None:
        """The endpoint takes requests again: no faster than it has on the whole."""
        if self._drip is not None:
            found = self._on_the_whole(now)
            if now - self._begun < WINDOW:  # too short a time to be sure
                found *= 2
            self._drip.rate = min(self._drip.rate, max(_LEAST, found))
        self._in_a_row = 0
        self._trial = None
        self._resumed = now

    def _on_the_whole(self, now: float) -> float:
        """Requests a second since a minute before the refusal, or since it was asked again then."""
        return self._since(self._base, now, max(_SHORTEST, min(WINDOW, now - self._begun)))

    def _since(self, mark: tuple[float, int], now: float, least: float) -> float:
        """Requests a second that the endpoint has taken since, over so many seconds at least."""
        then, taken = mark
        return max(0, self._taken - taken) / max(now - then, least)

    def _growth(self, now: float) -> float:
        """A share of the rate, a second: less the longer it was looked for, more the longer it
        held."""
        doublings = min((now - self._resumed) / _DOUBLES_IN, _MOST_DOUBLINGS)
        return _SEARCH / max(1.0, now - self._first) + _GROWTH * 2**doublings

    def _pause(self, now: float) -> float:
        left = self._base[0] + WINDOW + MARGIN - now
        if not self._minute_over and left <= 0:  # it can be any moment now
            self._minute_over, self._in_a_row = True, 1
        pause = min(WINDOW, _FIRST_PAUSE * _LONGER ** (self._in_a_row - 1))
        return pause if left <= 0 else min(pause, left)
