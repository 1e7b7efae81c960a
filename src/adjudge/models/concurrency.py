"""How many requests an endpoint bears at once: events in, a limit out; no clock, no I/O."""

from __future__ import annotations

from statistics import median

START = 256
"""In flight from the first moment on, where the cap allows it: a short run is not slowed."""

# The limit.
_SHRINK = 0.7  # what a decrease leaves
_RECOVERY = 0.25  # of what is missing, so much comes back in a round trip

# A round trip's median is over as many answers as may be in flight, within these.
_LEAST_SAMPLES = 8
_MOST_SAMPLES = 256
_TURNS = 4  # of the event loop, from an answer's arrival until it is read: our own time
_FIXED_TOKENS = 50  # what a request costs whatever it brings, so that short answers compare

# When latency has risen.
_RISE = 2.0  # times the lowest, and
_SCALING = 0.6  # of what it would be if more in flight had brought nothing at all, and
_NOTICED = 0.1  # by so many seconds
_LEVEL = 1.25  # up to so many times the lowest, the endpoint bears what is in flight
_FORGET = 1.01  # the lowest ages: so much a round trip
_FRUITLESS = 3  # decreases in a row that left latency
_AS_BEFORE = 0.9  # at so much of what it was: it is not for us that the endpoint is slow


class Concurrency:
    """A limit between 1 and ``most`` by additive increase and multiplicative decrease (Chiu and
    Jain, 1989).

    It begins with ``start`` and doubles each round trip until the first decrease. After one it is
    back where it was within some ten round trips (a quarter of what is missing in each), and then
    grows by one. It shrinks to 0.7 of itself when the endpoint says that it is overloaded or when
    latency rises, at most once in a round trip, since what was sent before a decrease says nothing
    about its effect.

    Latency has risen when the median of a round trip is twice the lowest one, in seconds and in
    seconds a token (long answers take longer), and more in flight did not bring more answers: where
    an endpoint takes twice as long for eight times as much, it is only sharing out. What an
    endpoint takes from the start is its way, and so is what stays although less is sent.

    Times are seconds on any one clock.

    >>> limit = Concurrency(most=100)
    >>> limit.limit
    100
    >>> limit.overloaded(sent=0.0, now=0.3)
    >>> limit.overloaded(sent=0.1, now=0.4)  # sent before the decrease
    >>> limit.limit
    70
    """

    def __init__(self, most: int, *, start: int = START) -> None:
        if most < 1:
            raise ValueError(f"concurrency must be at least 1, found {most}")
        self.most = most
        self._limit = float(min(start, most))
        self._doubling = True
        self._goal = self._limit
        self._shrunk = float("-inf")
        self._latency = _Latency()

    @property
    def limit(self) -> int:
        """How many may be in flight, from 1 to ``most``."""
        return int(self._limit)

    def answered(
        self,
        sent: float,
        now: float,
        in_flight: int,
        *,
        tokens: int = 0,
        lag: float = 0.0,
        wanted: bool = True,
    ) -> None:
        """A request sent at ``sent``, one of ``in_flight``, brought an answer of ``tokens``.

        ``lag`` is how long one turn of the event loop takes: so much of the latency is our own.
        A limit that is not ``wanted`` to be higher stays.
        """
        if sent >= self._shrunk and self._latency.rises(
            sent, now, in_flight, int(self._limit), tokens, lag
        ):
            self._shrink(now)
        elif wanted:
            self._grow()

    def overloaded(self, sent: float, now: float) -> None:
        """The endpoint could not take a request sent at ``sent``: 429, 5xx."""
        if sent >= self._shrunk:
            self._shrink(now)

    def _grow(self) -> None:
        if self._doubling:
            more = 1.0
        else:
            missing = max(0.0, self._goal - self._limit)
            more = (1.0 + _RECOVERY * missing) / self._limit
        self._limit = min(float(self.most), self._limit + more)

    def _shrink(self, now: float) -> None:
        self._doubling = False
        self._goal = self._limit
        self._limit = max(1.0, self._limit * _SHRINK)
        self._shrunk = now


class _Latency:
    """Compares the median of each round trip with the lowest one so far."""

    def __init__(self) -> None:
        self._from = float("-inf")
        self._seconds: list[float] = []
        self._rates: list[float] = []
        self._wanted = _LEAST_SAMPLES
        self._level = 0
        self._low_seconds = 0.0
        self._low_rate = 0.0
        self._low_level = 0
        self._before = 0.0
        self._fruitless = 0

    def rises(
        self, sent: float, now: float, in_flight: int, limit: int, tokens: int, lag: float
    ) -> bool:
        """Whether this answer ends a round trip in which latency had risen."""
        if sent < self._from:
            return False
        if not self._seconds:
            self._wanted = min(_MOST_SAMPLES, max(_LEAST_SAMPLES, limit))
        seconds = max(0.0, now - sent - _TURNS * lag)
        self._seconds.append(seconds)
        self._rates.append(seconds / (_FIXED_TOKENS + tokens))
        self._level = max(self._level, in_flight)
        if len(self._seconds) < self._wanted:
            return False
        found = self._compare(median(self._seconds), median(self._rates), _TURNS * lag)
        self._seconds, self._rates, self._level, self._from = [], [], 0, now
        return found

    def _compare(self, seconds: float, rate: float, own: float) -> bool:
        level = self._level
        if not self._low_level:
            self._low_seconds, self._low_rate, self._low_level = seconds, rate, level
            return False
        self._low_seconds = min(seconds, self._low_seconds * _FORGET)
        self._low_rate = min(rate, self._low_rate * _FORGET)
        ratio = min(_ratio(seconds, self._low_seconds), _ratio(rate, self._low_rate))
        if ratio <= _LEVEL:
            self._low_level = max(self._low_level, level)
        crowded = max(_RISE, _SCALING * level / self._low_level)
        if ratio < crowded or seconds - self._low_seconds < max(_NOTICED, own):
            self._before, self._fruitless = 0.0, 0
            return False
        if self._before and ratio > _AS_BEFORE * self._before:
            self._fruitless += 1
        self._before = ratio
        if self._fruitless >= _FRUITLESS:
            self._low_seconds, self._low_rate, self._low_level = seconds, rate, level
            self._before, self._fruitless = 0.0, 0
            return False
        return True


def _ratio(value: float, low: float) -> float:
    return value / low if low > 0 else 1.0
