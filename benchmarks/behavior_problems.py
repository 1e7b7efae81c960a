"""What the robot judge makes of BEHAVIOR's problems and their gold plans.

``python benchmarks/behavior_problems.py FOLDER`` reads ``FOLDER/problem_pddl/*.pddl`` and
``FOLDER/gold_pddl_plan.json`` (problem name to steps), reads every goal, runs every gold plan and
says which ones do not execute or do not reach their goal, and why.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudge.contract import CaseError, Record
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.judge import RobotJudge
from adjudge.judges.robot.readers import BddlReader


def records(folder: Path) -> Iterator[Record]:
    """One record a problem: its text and its gold plan."""
    plans = json.loads((folder / "gold_pddl_plan.json").read_text("utf-8"))
    for path in sorted((folder / "problem_pddl").glob("*.pddl")):
        value = {"id": path.stem, "problem": path.read_text("utf-8"), "plan": plans.get(path.stem)}
        yield Record(value, str(path))


def on_itself(fact: Any) -> bool:
    """Whether a goal has a fact between a thing and itself."""
    if isinstance(fact, dict):
        return any(
            on_itself(body) or (isinstance(body, list) and len(body) == 2 and body[0] == body[1])
            for body in fact.values()
        )
    return isinstance(fact, list) and any(map(on_itself, fact))


def outcome(judge: RobotJudge, case: RobotCase) -> tuple[str, str]:
    """How a gold plan ends, and why where it does not reach its goal."""
    facts = judge.check(case).facts
    if facts.trace.failed:
        return "does not execute", facts.trace.error.text if facts.trace.error else ""
    if facts.goal is None or not facts.goal.met:
        if on_itself(case.goal):
            return "goal asks for the impossible", "a thing is to be on or next to itself"
        return "goal not reached", facts.goal.text if facts.goal else "no goal"
    return "goal reached", ""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    judge, reader = RobotJudge(), BddlReader()
    found: Counter[str] = Counter()
    problems = 0
    for record in records(arguments.folder):
        problems += 1
        try:
            cases = list(reader.read(record))
        except CaseError as error:
            found["goal not read"] += 1
            print(f"{record.where}: {error.describe()}")
            continue
        for case in cases:
            how, why = outcome(judge, case)
            found[how] += 1
            if why:
                print(f"{case.id}: {how}: {why}")
    print(f"{problems} problems, {problems - found['goal not read']} goals read; gold plans:")
    for how, count in found.most_common():
        print(f"  {count:4} {how}")


if __name__ == "__main__":
    main()
