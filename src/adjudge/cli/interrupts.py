"""Two Ctrl-C: the first lets what is in flight finish, the second does not."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.runs.stopping import Stop

_DRAINING = (
    b"\nInterrupted: nothing new is asked; what is in flight is waited for. "
    b"Ctrl-C again stops at once.\n"
)


@contextlib.contextmanager
def interrupts(stop: Stop) -> Iterator[None]:
    """Within the block Ctrl-C goes to ``stop``; a third one ends the process as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        if stop.draining:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            stop.now()
            return
        stop.drain()
        # not through the buffer, which may be in use where the signal struck
        with contextlib.suppress(OSError):
            os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, _DRAINING)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
