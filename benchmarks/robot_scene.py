"""Verdicts a second on a full household scene, read once a task.

``python benchmarks/robot_scene.py SCENE TASKS`` takes a scene graph (``SCENE``, a JSON file with
``init_graph`` or with ``nodes`` and ``edges``) and the plans of every task in ``TASKS`` (JSON
lines) whose objects are all in it, and judges them on the full scene: simulated, the goal checked,
roles, progress and shortest way worked out. CPU time of one core, the best of several rounds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from adjudge.contract import CaseError, Opinion, Record, Verdict, conclude
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.judge import RobotJudge
from adjudge.judges.robot.readers import VirtualHomeReader

ROUNDS = 5
REFERENCE_STEP = 1.2e-3
"""Seconds that the reference executor takes for one step on such a scene."""


def fitting(scene: dict[str, Any], tasks: Path) -> Iterator[dict[str, Any]]:
    """The tasks whose objects are in the scene, each with the whole scene."""
    classes = {node["id"]: node["class_name"] for node in scene["nodes"]}
    for line in tasks.read_text("utf-8").splitlines():
        task = json.loads(line)
        if all(classes.get(n["id"]) == n["class_name"] for n in task["scene"]["nodes"]):
            yield {**task, "scene": scene}


def cases_of(task: dict[str, Any]) -> list[RobotCase]:
    """The cases of one task, on one scene read once."""
    read = VirtualHomeReader().read(Record(task))
    return [case for case in read if not isinstance(case, CaseError)]


def best(act: Callable[[], object]) -> float:
    """The least CPU time of some rounds, in seconds."""
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time()
        act()
        spent.append(time.process_time() - start)
    return min(spent)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scene", type=Path, metavar="SCENE")
    parser.add_argument("tasks", type=Path, metavar="TASKS")
    arguments = parser.parse_args()
    value = json.loads(arguments.scene.read_text("utf-8"))
    scene = value.get("init_graph", value)
    tasks = list(fitting(scene, arguments.tasks))
    if not tasks:
        parser.exit(1, "no task whose objects are all in the scene\n")
    judge = RobotJudge()
    method = judge.methods()["symbolic"]

    def verdict(case: RobotCase) -> Verdict:
        evidence = judge.check(case)
        opinion = method.step(case, evidence, {})
        assert isinstance(opinion, Opinion)
        return conclude(judge, case, evidence, [opinion], method="symbolic")

    def verdicts(cases: list[RobotCase]) -> list[Verdict]:
        return [verdict(case) for case in cases]

    cases = [cases_of(task) for task in tasks]
    plans = sum(map(len, cases))
    steps = sum(len(case.plan or ()) for some in cases for case in some)
    reading = best(lambda: [cases_of(task) for task in tasks]) / len(tasks)
    whole = best(lambda: [verdicts(cases_of(task)) for task in tasks])
    again = best(lambda: [verdicts(some) for some in cases])
    print(f"{len(scene['nodes'])} nodes, {len(scene['edges'])} edges;", end=" ")
    print(f"{len(tasks)} tasks, {plans} plans, {steps} steps")
    print(f"reading the scene: {reading * 1e3:.1f} ms a task")
    print(f"verdicts on a scene that is read: {plans / again:.0f}/s")
    print(f"reading included: {plans / whole:.0f}/s")
    print(f"a step, with everything that is proved about its plan: {again / steps * 1e3:.2f} ms")
    print(f"the reference executor, executing alone: {REFERENCE_STEP * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
