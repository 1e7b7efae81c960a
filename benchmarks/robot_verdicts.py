"""Symbolic verdicts a second, the share of search, a five-goal search, start-up and memory.

    python benchmarks/robot_verdicts.py

The mix: scenes of 20 objects, one- and two-goal instructions, each with a plan that is perfect
(two fifths), has a detour, leaves out a step that the plan needs, or stops half way. Every verdict
is made from its JSON line: parsed, checked, concluded and written as JSON.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudge.contract import Verdict, conclude
from adjudge.judges.robot.judge import RobotJudge
from adjudge.judges.robot.readers.native import read_case
from adjudge.judges.robot.search import Search

SPOTS = ["table", "sofa", "bed", "desk", "shelf", "counter"]
BOXES = ["fridge", "drawer", "cabinet"]
ITEMS = ["apple", "mug", "book", "plate", "milk", "cup", "ball", "pen", "pillow", "towel", "phone"]
ROOMS = ["kitchen", "bedroom", "living_room"]


def cases(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """The mix, the same for the same seed."""
    rng = random.Random(seed)
    for number in range(count):
        yield _case(rng, number)


def _case(rng: random.Random, number: int) -> dict[str, Any]:
    homes = {item: rng.choice(SPOTS + BOXES) for item in ITEMS}
    objects: list[dict[str, Any]] = [{"id": s, "room": rng.choice(ROOMS)} for s in SPOTS]
    objects += [{"id": b, "room": rng.choice(ROOMS), "states": ["closed"]} for b in BOXES]
    objects += [{"id": i, "in" if h in BOXES else "on": h} for i, h in homes.items()]
    objects = objects[:20]
    goals = rng.sample(ITEMS, 1 + number % 2)
    plan: list[str] = []
    wishes = []
    near, opened = None, set()
    for item in goals:
        target = rng.choice([s for s in SPOTS if s != homes[item]])
        wishes.append(f"put the {item} on the {target}")
        if homes[item] != near:
            plan.append(f"navigate({homes[item]})")
        if homes[item] in BOXES and homes[item] not in opened:
            plan.append(f"open({homes[item]})")
            opened.add(homes[item])
        plan += [f"pick({item})", f"navigate({target})", f"place_on({item}, {target})"]
        near = target
    kind = number % 5
    if kind == 2:
        plan.insert(len(plan) - 2, f"navigate({rng.choice(SPOTS)})")
    elif kind == 3:
        plan.pop(rng.randrange(len(plan) - 1))
    elif kind == 4:
        plan = plan[: len(plan) // 2 + 1]
    text = " and ".join(wishes)
    return {
        "id": f"case-{number}",
        "instruction": text[0].upper() + text[1:] + ".",
        "scene": {"rooms": ROOMS, "objects": objects, "robot": {"room": rng.choice(ROOMS)}},
        "plan": plan,
    }


JUDGE = RobotJudge()
METHOD = JUDGE.methods()["symbolic"]


def verdict(line: str) -> Verdict:
    """One verdict from one JSON line."""
    case = read_case(json.loads(line))
    evidence = JUDGE.check(case)
    opinion = METHOD.step(case, evidence, {})
    return conclude(JUDGE, case, evidence, [opinion], method="symbolic")  # type: ignore[list-item]


def rate(count: int) -> None:
    """Verdicts a second of CPU on one core, and how much of it is search."""
    lines = [json.dumps(case) for case in cases(count)]
    scores: dict[object, int] = {}
    for line in lines[:200]:
        verdict(line)
    started = time.process_time()
    for line in lines:
        made = verdict(line)
        made.to_json()
        score = made.scores.get("score", made.reason)
        scores[score] = scores.get(score, 0) + 1
    spent = time.process_time() - started
    print(f"one core: {count / spent:,.0f} verdicts/s of CPU ({spent / count * 1000:.2f} ms each)")
    shown = ", ".join(f"{s}: {n}" for s, n in sorted(scores.items(), key=str))
    print(f"scores: {shown}")
    print(f"share of search: {_search_share(lines):.0%}")


def _search_share(lines: list[str]) -> float:
    inside = 0.0
    kept = {name: getattr(Search, name) for name in ("__init__", "steps", "interactions")}

    def timed(method: Any) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            nonlocal inside
            started = time.process_time()
            try:
                return method(*given, **named)
            finally:
                inside += time.process_time() - started

        return call

    try:
        for name, method in kept.items():
            setattr(Search, name, timed(method))
        started = time.process_time()
        for line in lines:
            verdict(line)
        return inside / (time.process_time() - started)
    finally:
        for name, method in kept.items():
            setattr(Search, name, method)


# The command line, and then the peak memory of that program alone: what the operating system says
# of a finished child counts the process it was forked from as well.
_RUN = """
import sys
from adjudge.cli import main
try:
    main()
finally:
    peak = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print(*peak, file=sys.stderr)
"""


def runs(folder: Path) -> None:
    """Whole runs of the command line: one and two workers, memory at two sizes."""
    for count in (1_000, 100_000):
        file = folder / f"{count}.jsonl"
        with file.open("w") as stream:
            for case in cases(count):
                stream.write(json.dumps(case) + "\n")
    for count, workers in ((1_000, 1), (1_000, 2), (100_000, 2)):
        store = folder / f"{count}-{workers}.db"
        command = [sys.executable, "-c", _RUN, "run", "robot", str(folder / f"{count}.jsonl")]
        command += ["--store", f"sqlite:///{store}", "--workers", str(workers)]
        started = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wall = time.perf_counter() - started
        assert done.returncode in (0, 3), done.stderr
        peak = int(done.stderr.split("VmHWM:")[1].split()[0]) / 1024
        print(
            f"adjudge run, {count:>7,} cases, {workers} worker(s): {wall:6.1f} s wall, "
            f"{count / wall:,.0f} verdicts/s, peak {peak:.0f} MB beside the workers"
        )


def five_goals() -> None:
    """A five-goal plan that is judged by search."""
    things = [{"id": f"ball_{i}", "on": f"table_{i % 3}"} for i in range(5)]
    spots = [{"id": f"table_{i}", "room": "hall"} for i in range(3)]
    spots += [{"id": "shelf", "room": "hall"}, {"id": "bed", "room": "hall"}]
    robot = {"room": "hall", "near": "table_0", "holding": []}
    plan = []
    for i in range(5):
        target = "shelf" if i % 2 else "bed"
        plan += [f"navigate(table_{i % 3})", f"pick(ball_{i})"]
        plan += [f"navigate({target})", f"place_on(ball_{i}, {target})"]
    goal = {"all": [{"on": [f"ball_{i}", "shelf" if i % 2 else "bed"]} for i in range(5)]}
    case = read_case(
        {
            "instruction": "Tidy up.",
            "scene": {"rooms": ["hall"], "objects": [*spots, *things], "robot": robot},
            "plan": plan[1:],
            "goal": goal,
        }
    )
    started = time.process_time()
    proof, _ = JUDGE.prove(case)
    spent = time.process_time() - started
    way = proof.way
    assert way is not None
    found = "unknown" if not way.known else f"{way.length} steps"
    print(f"five goals: {spent:.2f} s, {way.nodes} nodes: {found} (plan: {len(plan) - 1})")


def start_up() -> None:
    """CPU of ``adjudge --help``, the median of five."""
    spent = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "adjudge", "--help"], check=True, stdout=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"adjudge --help: {sorted(spent)[2]:.2f} s of CPU")


def main() -> None:
    """Print every figure."""
    rate(2_000)
    five_goals()
    start_up()
    with tempfile.TemporaryDirectory() as folder:
        runs(Path(folder))


if __name__ == "__main__":
    main()
