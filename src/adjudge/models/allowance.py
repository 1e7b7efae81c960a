"""What an endpoint says it still allows, and how that is made to last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Unit = Literal["requests", "tokens"]

_BRAKE = 0.1
_TRIAL = 1.0
_SHORTEST = 5.0
_LONGEST = 300.0
_NAMES: tuple[tuple[str, Unit], ...] = (
    ("x-ratelimit-{}-requests", "requests"),
    ("x-ratelimit-{}-tokens", "tokens"),
    ("anthropic-ratelimit-requests-{}", "requests"),
    ("anthropic-ratelimit-tokens-{}", "tokens"),
    ("anthropic-ratelimit-input-tokens-{}", "tokens"),
    ("x-ratelimit-{}", "requests"),
)
_HEADERS = tuple(
    (name.format("limit"), name.format("remaining"), name.format("reset"), unit)
    for name, unit in _NAMES
)
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h|d|)")
_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_EPOCH = 1e9


@dataclass(frozen=True, slots=True)
class Allowance:
    """Of ``limit`` requests or tokens ``remaining`` may still come; all again in ``reset``
    seconds."""

    unit: Unit
    limit: float
    remaining: float
    reset: float


def allowances(headers: Mapping[str, str], now: datetime | None = None) -> tuple[Allowance, ...]:
    """The allowances in a reply's headers, as OpenAI, Anthropic and most others write them.

    >>> told = {"x-ratelimit-limit-requests": "600", "x-ratelimit-remaining-requests": "599"}
    >>> allowances({**told, "x-ratelimit-reset-requests": "6m0.1s"})
    (Allowance(unit='requests', limit=600.0, remaining=599.0, reset=360.1),)
    """
    return tuple(_read(headers, now))


def _read(headers: Mapping[str, str], now: datetime | None) -> Iterator[Allowance]:
    for limit_name, remaining_name, reset_name, unit in _HEADERS:
        told = headers.get(remaining_name)
        if told is None:
            continue
        remaining, limit = _number(told), _number(headers.get(limit_name))
        reset = _seconds(headers.get(reset_name), now)
        if remaining is not None and limit and reset is not None:
            yield Allowance(unit, limit, remaining, reset)


def _number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"\d{1,15}(\.\d{1,9})?", text.strip()) else None


def _seconds(text: str | None, now: datetime | None) -> float | None:
    """Seconds from now: ``6m0.1s``, ``55``, seconds or milliseconds since 1970, ISO 8601."""
    text = (text or "").strip()
    when = _number(text)
    if when is not None and when >= _EPOCH:
        then = when / 1000 if when >= _EPOCH * 1000 else when
        return max(0.0, then - (now or datetime.now(UTC)).timestamp())
    parts = _PART.findall(text)
    if text and "".join(number + unit for number, unit in parts) == text:
        return sum(float(number) * _UNITS[unit] for number, unit in parts)
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


class Remaining:
    """Spends freely what an endpoint allows until a tenth is left; that is spread over the time
    until there is more, and then one request asks first. It works alike for windows that are fixed
    or slide and for buckets, since every answer says anew what remains.

    Pure: times are seconds on any one clock. An allowance for some seconds is over before
    an answer can tell of it, and one for longer than some minutes (a day's) holds nobody back: the
    endpoint will say when it is used up.
    """

    def __init__(self) -> None:
        self._told: Allowance | None = None
        self._credit = 0.0
        self._reset = 0.0
        self._last = float("-inf")
        self._amount = 1.0
        self._trial: float | None = None
        self._longest = 0.0

    def told(self, allowance: Allowance, now: float, outstanding: float) -> None:
        """An answer said so; ``outstanding`` is in flight and may not be counted in it yet."""
        self._longest = max(self._longest, allowance.reset)
        self._told = (
            allowance if self._longest >= _SHORTEST and allowance.reset <= _LONGEST else None
        )
        self._credit = allowance.remaining - outstanding
        self._reset = now + allowance.reset
        self._trial = None

    def wait(self, now: float) -> float:
        """Seconds until the next request may go."""
        if self._told is None or self._credit > _BRAKE * self._told.limit:
            return 0.0
        if now >= self._reset:
            return 0.0 if self._trial is None else max(0.0, self._trial + _TRIAL - now)
        if self._credit < self._amount:
            return self._reset - now
        gap = (self._reset - self._last) * self._amount / self._credit
        return max(0.0, min(self._last + gap, self._reset) - now)

    def spend(self, now: float, amount: float) -> None:
        """``amount`` goes out."""
        self._credit -= amount
        self._last, self._amount = now, amount
        if self._told is not None and now >= self._reset:
            if self._trial is None:
                self._trial = now
            else:  # what asked first was told nothing
                self._told = None
