"""What a judgement with a model costs: Adjudge beside a bare aiohttp loop and its peers.

    python benchmarks/peers.py

Client and server are on this machine, in one run. Every contender is a process of its own, asks the
same server the same questions about robot plans, with as many in flight, and reads the same answer;
how it is used is in its file in ``contenders/``. Peers are in an environment of their own
(``requirements-peers.lock``); one that is not installed is said. A second table has Adjudge's three
judges beside the bare loop with the same prompts, a third its memory over a long run. What is
measured, and how, stands in ``contenders/harness.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from answering import answering
from loads import JUDGES, MARK, question

HERE = Path(__file__).parent
OURS = {
    "bare": "bare aiohttp loop",
    "adjudge_client": "adjudge, its client alone",
    "adjudge_run": "adjudge run, all of it",
}
PEERS = {
    "openai_sdk": "openai SDK alone",
    "openevals_judge": "openevals",
    "inspect_ai_task": "inspect_ai",
    "deepeval_geval": "deepeval",
}
IN_FLIGHT = 200
QUIET = {
    "LANGSMITH_TRACING": "false",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "RAGAS_DO_NOT_TRACK": "true",
    "DO_NOT_TRACK": "1",
    "OTEL_SDK_DISABLED": "true",
}


@dataclass(frozen=True)
class Figures:
    """One contender's: CPU ms and rate of a judgement, peak MB of it and of its workers."""

    version: str
    cpu_ms: float
    rate: float
    peak_mb: float
    workers_mb: float

    def cells(self) -> str:
        """As columns."""
        memory = f"{self.peak_mb:.0f}"
        if self.workers_mb:
            memory += f" + {self.workers_mb:.0f}"
        return f"{self.cpu_ms:10.2f}{self.rate:12,.0f}{memory:>12}"


class NotMeasured(Exception):
    """A contender that is not installed, or that failed."""


@dataclass(frozen=True)
class Course:
    """Where contenders are measured: the server, a folder for loads, the peers' interpreter."""

    url: str
    folder: Path
    peers: Path

    def prepare(self) -> None:
        """Write each judge's question down."""
        for judge in JUDGES:
            load = {"judge": judge, "messages": question(judge), "mark": MARK}
            (self.folder / f"{judge}.json").write_text(json.dumps(load))

    def measure(self, name: str, judge: str, latency: int, count: int, *more: str) -> Figures:
        """One contender, once. Raises ``NotMeasured``."""
        python = sys.executable if name in OURS else str(self.peers)
        if not Path(python).exists():
            raise NotMeasured("no environment for peers; `make bench` makes it")
        command = [python, "-m", f"contenders.{name}", str(self.folder / f"{judge}.json")]
        command += [f"{self.url}/{latency}/{judge}/v1", "--count", str(count)]
        command += ["--in-flight", str(IN_FLIGHT), *more]
        done = subprocess.run(
            command, cwd=HERE, env={**os.environ, **QUIET}, capture_output=True, text=True
        )
        if done.returncode:
            told = done.stderr.strip().splitlines() or ["no word"]
            raise NotMeasured(f"it failed with {told[-1][:200]}")
        found = json.loads(done.stdout.splitlines()[-1])  # peers print, too
        if "missing" in found:
            raise NotMeasured(found["missing"])
        return Figures(**found)

    def middles(
        self, names: Sequence[str], judge: str, latency: int, count: int, rounds: int
    ) -> dict[str, Figures]:
        """The medians of several rounds, in each of which every contender runs once."""
        runs: dict[str, list[Figures]] = {name: [] for name in names}
        for _ in range(rounds):
            for name in names:
                runs[name].append(self.measure(name, judge, latency, count))
        return {name: _median(found) for name, found in runs.items()}


def _median(runs: Sequence[Figures]) -> Figures:
    return Figures(
        runs[0].version,
        median(run.cpu_ms for run in runs),
        median(run.rate for run in runs),
        median(run.peak_mb for run in runs),
        median(run.workers_mb for run in runs),
    )


def compare(
    course: Course, latencies: Sequence[int], count: int, rounds: int, of_peers: int
) -> None:
    """All contenders at each latency; the peers once, after the rounds of the others."""
    for latency in latencies:
        _head(f"{latency} ms latency, robot")
        ours = course.middles(tuple(OURS), "robot", latency, count, rounds)
        for name, found in ours.items():
            _row(f"{OURS[name]} ({found.version})", found, ours["bare"])
        for name, shown in PEERS.items():
            try:
                found = course.measure(name, "robot", latency, of_peers)
            except NotMeasured as problem:
                print(f"{shown:36}not measured: {problem}", flush=True)
                continue
            fewer = f", {of_peers} of them" if of_peers != count else ""
            _row(f"{shown} ({found.version}){fewer}", found, ours["bare"])
        print()


def three_judges(course: Course, latencies: Sequence[int], count: int, rounds: int) -> None:
    """``adjudge run`` beside the bare loop, with each judge's own prompts."""
    names = ("bare", "adjudge_run")
    for judge in JUDGES:
        for latency in latencies:
            _head(f"{latency} ms latency, {judge}")
            found = course.middles(names, judge, latency, count, rounds)
            for name in names:
                _row(OURS[name], found[name], found["bare"])
            print()


def flat(course: Course, counts: Sequence[int]) -> None:
    """Peak memory of ``adjudge run`` by how many cases it judges."""
    _head("memory of adjudge run, robot, 0 ms")
    for count in counts:
        began = time.perf_counter()
        found = course.measure("adjudge_run", "robot", 0, count, "--once")
        took = time.perf_counter() - began
        print(f"{f'{count:,} judgements':36}{found.cells()}  {took:,.0f} s", flush=True)


def _head(title: str) -> None:
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    print(f"{title:36}{'CPU ms':>10}{'per second':>12}{'peak MB':>12}{'CPU':>9}{'rate':>8}")


def _row(label: str, found: Figures, bare: Figures) -> None:
    beside = f"{found.cpu_ms / bare.cpu_ms:8.1f}x{found.rate / bare.rate:8.1%}"
    print(f"{label:36}{found.cells()}{beside}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--peers-count", type=int, help="judgements of each peer, if fewer")
    parser.add_argument("--rounds", type=int, default=3, help="of ours and the bare loop: medians")
    parser.add_argument("--latency", type=int, nargs="+", default=[0, 50, 250], metavar="MS")
    parser.add_argument("--long", type=int, default=200_000, help="0 to leave it out")
    parser.add_argument("--only", choices=("peers", "judges", "memory"), help="one table")
    parser.add_argument(
        "--peers-python", type=Path, default=HERE.parent / ".venv-peers" / "bin" / "python"
    )
    given = parser.parse_args()
    print(
        f"{given.count:,} judgements each, {IN_FLIGHT} in flight; {os.cpu_count()} cores, "
        f"Python {platform.python_version()}\n"
    )
    with tempfile.TemporaryDirectory() as folder, answering() as url:
        course = Course(url, Path(folder), given.peers_python.absolute())
        course.prepare()
        if given.only in (None, "peers"):
            of_peers = given.peers_count or given.count
            compare(course, given.latency, given.count, given.rounds, of_peers)
        if given.only in (None, "judges"):
            three_judges(course, (0, 250), given.count, given.rounds)
        if given.long and given.only in (None, "memory"):
            flat(course, (given.long // 20, given.long))


if __name__ == "__main__":
    main()
