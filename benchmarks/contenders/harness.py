"""Measures one contender in this process: CPU, rate, peak memory.

``python -m contenders.NAME LOAD.json URL --count N``. The contender judges three times: to warm up,
a few, and those few and N more. The CPU of a judgement is what the N more took, divided by N, so
that what starts and ends a run counts for nobody; the rate counts from when the pipe is full. CPU
is user and system time of this process and its ended children; memory is the peak of each process.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import logging
import os
import resource
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

WARM, SHORT = 50, 200
_EVERY = 256


@dataclass(frozen=True)
class Load:
    """What is to be asked: the ``judge`` whose question it is, its messages with ``mark`` where the
    case's number belongs, where to ask, how many at once."""

    judge: str
    messages: list[dict[str, str]]
    mark: str
    url: str
    in_flight: int

    def asked(self, number: int) -> list[dict[str, str]]:
        """The messages about one case."""
        return [
            {"role": m["role"], "content": m["content"].replace(self.mark, str(number))}
            for m in self.messages
        ]

    def system(self) -> str:
        """What is said to every case alike."""
        return self.messages[0]["content"]

    def case(self, number: int) -> str:
        """What is asked about one case."""
        return self.asked(number)[-1]["content"]


class Run(Protocol):
    """Judges ``count`` cases and says so after each."""

    def __call__(self, load: Load, count: int, done: Callable[..., None]) -> None: ...


def measured(run: Run, package: str | None = None) -> None:
    """The command line of one contender; ``package`` is what it needs installed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("load")
    parser.add_argument("url")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--in-flight", type=int, required=True)
    parser.add_argument("--once", action="store_true", help="no short run before")
    given = parser.parse_args()
    logging.disable(logging.INFO)
    version = ""
    if package is not None:
        try:
            importlib.import_module(package)
            version = importlib.metadata.version(package)
        except ModuleNotFoundError as problem:
            print(json.dumps({"missing": str(problem)}))
            return
    load = Load(
        **json.loads(Path(given.load).read_text()), url=given.url, in_flight=given.in_flight
    )
    shorter = [] if given.once else [WARM, SHORT]
    spent, peaks = [0.0], _Peaks()
    for count in (*shorter, given.count + sum(shorter[1:])):
        before, pace = _cpu(), _Pace(peaks)
        run(load, count, pace.done)
        assert len(pace.times) == count, f"{len(pace.times)} judgements of {count}"
        spent.append(_cpu() - before)
    found = {
        "version": version,
        "cpu_ms": (spent[-1] - (0 if given.once else spent[-2])) * 1000 / given.count,
        "rate": pace.rate(load.in_flight),
        "peak_mb": _peak_mb("self"),
        "workers_mb": sum(peaks.of.values()),
    }
    print(json.dumps(found))


class _Peaks:
    """The peak memory of each process that this one started, as far as it was seen."""

    def __init__(self) -> None:
        self.of: dict[str, float] = {}

    def look(self) -> None:
        for thread in Path("/proc/self/task").iterdir():
            for child in (thread / "children").read_text().split():
                try:
                    self.of[child] = max(self.of.get(child, 0.0), _peak_mb(child))
                except (OSError, StopIteration):
                    continue


class _Pace:
    def __init__(self, peaks: _Peaks) -> None:
        self.times = array("d")
        self._peaks = peaks

    def done(self, *_: Any) -> None:
        """One more."""
        self.times.append(time.perf_counter())
        if len(self.times) % _EVERY == 0:
            self._peaks.look()

    def rate(self, in_flight: int) -> float:
        """Judgements a second, less the first round, when nothing was in flight yet."""
        took = self.times[-1] - self.times[in_flight - 1]
        return (len(self.times) - in_flight) / took


def _cpu() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _peak_mb(process: str) -> float:
    """Not ``ru_maxrss``: that counts the process which this one was started from as well."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


os.environ.setdefault("OPENAI_API_KEY", "none")
