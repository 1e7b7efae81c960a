"""Progress on standard error, if that is a terminal."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from adjudge.cli.money import money

if TYPE_CHECKING:
    from adjudge.runs.panel import Panel

_EVERY_SECONDS = 0.2


class Progress:
    """One line: how many verdicts, how many a second, how many not scored; what asking took."""

    def __init__(self, panel: Panel | None = None, *, shown: bool = True) -> None:
        self._panel = panel
        self._shown = shown and sys.stderr.isatty()
        self._line: Any = None
        self._next = 0.0
        self._begun = time.monotonic()

    def __enter__(self) -> Progress:
        if self._shown:
            from rich.status import Status

            from adjudge.cli.terminal import console

            self._line = Status("judging", console=console(error=True))
            self._line.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def show(self, total: int, not_scored: int) -> None:
        """Say where we are, at most five times a second."""
        if self._line is None or (now := time.monotonic()) < self._next:
            return
        self._next = now + _EVERY_SECONDS
        rate = total / max(now - self._begun, 1e-9)
        parts = [f"{total:,} verdicts", f"{rate:,.0f} a second", f"{not_scored:,} not scored"]
        if self._panel is not None:
            usage = self._panel.usage
            tokens = usage.input_tokens + usage.output_tokens
            parts += [f"{usage.calls:,} calls", f"{tokens:,} tokens", money(self._panel.cost_usd)]
        self._line.update(" · ".join(parts))

    def stop(self) -> None:
        """Take the line away."""
        if self._line is not None:
            self._line.stop()
            self._line = None
