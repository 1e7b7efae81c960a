"""What judging with a model costs end to end, beside a bare aiohttp loop that asks the same.

Run ``python benchmarks/judging.py``. A judgement is all of it: a line of a file read, the plan
checked, the prompt rendered, the question asked, the answer read and held inside its bounds,
reply and verdict stored. CPU is user and system time of all processes but the server's; what
starting them takes is left out by measuring a short run and a long one. Each figure comes from a
process of its own; the server only answers.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp

from asking import IN_FLIGHT, serve

SHORT = 400
"""Judgements of a run that only shows what starting costs."""

MODEL = "openai-compatible:none"
PLAN = ["navigate(shelf)", "pick(book_1)", "place_on(book_1, table)", "navigate(sofa)"]
_MARK = "@@@"


def case(number: object) -> dict[str, Any]:
    """A plan for an instruction that no rule reads: its bounds leave 0 to 4."""
    instruction = f"Do the usual with shelf number {number}."
    return {"id": f"case-{number}", "instruction": instruction, "plan": PLAN}


def usage() -> float:
    """Seconds of CPU that this process and its ended children have used."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


class Pace:
    """Counts what is done; the rate leaves out the first round, when nothing is in flight yet."""

    def __init__(self) -> None:
        self.times = array("d")

    def done(self, *_: object) -> None:
        """One more."""
        self.times.append(time.perf_counter())

    def rate(self) -> float:
        """Judgements a second."""
        return (len(self.times) - IN_FLIGHT) / (self.times[-1] - self.times[IN_FLIGHT - 1])


def bare(url: str, count: int) -> Pace:
    """aiohttp and json, nothing else: the same prompts, the score read from each answer."""
    from adjudge import Ask
    from adjudge.judges.robot.case import RobotCase
    from adjudge.judges.robot.judge import RobotJudge

    judge = RobotJudge()
    made = RobotCase.model_validate(case(_MARK))
    step = judge.methods()["llm"].step(made, judge.check(made), {})
    assert isinstance(step, Ask)
    question = step.questions[0]
    pace = Pace()

    async def run() -> None:
        connector = aiohttp.TCPConnector(limit=IN_FLIGHT)
        headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
        numbers = iter(range(count))

        async def worker(session: aiohttp.ClientSession) -> None:
            for number in numbers:
                messages = [
                    {"role": m.role, "content": m.content.replace(_MARK, str(number))}
                    for m in question.messages
                ]
                asked = {"model": "none", "messages": messages, "temperature": 0}
                data = json.dumps(asked).encode()
                async with session.post(f"{url}/chat/completions", data=data) as response:
                    body = json.loads(await response.read())
                assert json.loads(body["choices"][0]["message"]["content"])["score"] == 3
                pace.done()

        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            await asyncio.gather(*(worker(session) for _ in range(IN_FLIGHT)))

    asyncio.run(run())
    return pace


def ours(url: str, count: int) -> Pace:
    """What ``adjudge run robot FILE --model …`` does, into a new store."""
    from adjudge.inputs import expand
    from adjudge.judges.robot.judge import RobotJudge
    from adjudge.runs.engine import Task
    from adjudge.runs.panel import make_panel
    from adjudge.runs.running import run_stored
    from adjudge.runs.store import Store

    pace = Pace()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        with file.open("w") as stream:
            stream.writelines(json.dumps(case(number)) + "\n" for number in range(count))
        panel = make_panel({"model": MODEL, "base_url": url, "concurrency": IN_FLIGHT})
        with Store.open(f"{folder}/store.db", create=True) as store:
            run_stored(Task(RobotJudge()), expand([file]), store, panel=panel, on_judged=pace.done)
            info = store.find("last")
            assert info.counts == {"scored": count}, info.counts
    return pace


def measure(kind: str, url: str, count: int) -> dict[str, float]:
    """CPU milliseconds a judgement, judgements a second, peak memory of each process."""
    run = bare if kind == "bare" else ours
    used = []
    for number in (SHORT, SHORT, SHORT + count):
        before = usage()
        pace = run(url, number)
        used.append(usage() - before)
    peaks = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    here, children = (peak.ru_maxrss / 1024 for peak in peaks)
    return {
        "cpu_ms": (used[2] - used[1]) * 1000 / count,
        "rate": pace.rate(),
        "peak_mb": here,
        "worker_mb": children if kind == "ours" else 0.0,
    }


def in_process(kind: str, url: str, count: int) -> dict[str, float]:
    """``measure`` in a process of its own."""
    command = [sys.executable, __file__, "--client", kind, url, str(count)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def report(rounds: int, count: int, long: int) -> None:
    """Measure and print."""
    ports: multiprocessing.Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(ports,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{ports.get()}"
    kinds = list(itertools.product((0, 250), ("bare", "ours")))
    runs: dict[tuple[int, str], list[dict[str, float]]] = {key: [] for key in kinds}
    for _ in range(rounds):
        for latency, kind in kinds:
            runs[latency, kind].append(in_process(kind, f"{url}/{latency}/v1", count))
    middle = {
        key: {name: median(run[name] for run in found) for name in found[0]}
        for key, found in runs.items()
    }
    print(f"{count} judgements, {IN_FLIGHT} in flight, median of {rounds} runs")
    for line in _table(middle):
        print(line)
    cpu = middle[0, "ours"]["cpu_ms"] / middle[0, "bare"]["cpu_ms"]
    rate = middle[250, "ours"]["rate"] / middle[250, "bare"]["rate"]
    print(f"CPU at 0 ms: {cpu:.2f} times the bare loop's; rate at 250 ms: {rate:.1%} of it")
    if long:
        found = [in_process("ours", f"{url}/0/v1", n) for n in (long // 20, long)]
        shown = " and ".join(f"{one['peak_mb']:.0f} + {one['worker_mb']:.0f} MB" for one in found)
        print(f"peak memory after {long // 20} and {long} judgements: {shown}")
    server.terminate()


def _table(middle: dict[tuple[int, str], dict[str, float]]) -> Iterator[str]:
    yield f"{'':24}{'CPU ms each':>12}{'per second':>12}{'peak MB':>10}{'worker MB':>10}"
    for (latency, kind), figures in middle.items():
        numbers = f"{figures['cpu_ms']:12.3f}{figures['rate']:12.0f}{figures['peak_mb']:10.0f}"
        worker = f"{figures['worker_mb']:10.0f}" if figures["worker_mb"] else f"{'':10}"
        yield f"{f'{kind}, {latency} ms latency':24}{numbers}{worker}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--long", type=int, default=100_000, help="0 to leave it out")
    parser.add_argument("--client", nargs=3, metavar=("KIND", "URL", "COUNT"), help="internal")
    given = parser.parse_args()
    if given.client:
        kind, url, count = given.client
        print(json.dumps(measure(kind, url, int(count))))
    else:
        report(given.rounds, given.count, given.long)


if __name__ == "__main__":
    main()
