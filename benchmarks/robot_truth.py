"""How far the robot judge agrees with the truth of a simulator, for any file with labels.

``python benchmarks/robot_truth.py FILE…`` judges every case whose ``label`` holds what a simulator
found: ``executed`` (step indexes), ``executable``, ``goal_satisfied`` and ``errors`` (each with
``step`` and ``error``, a class). Prints the agreement on each, Cohen's kappa for success with a
bootstrap interval clustered by task, and a table by kind of plan. With ``--disagreements`` every
disagreement follows with its reason, with ``--navigation-goals`` the option of that name is on.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adjudge.contract import Opinion, Verdict, conclude
from adjudge.inputs import expand, read_source
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.judge import RobotJudge
from adjudge.runs.reading import CaseReader

CLASSES = {
    "MISSING_STEP": "missing_step",
    "WRONG_TEMPORAL_ORDER": "wrong_order",
    "AFFORDANCE_ERROR": "affordance",
    "UNSEEN_OBJECT": "hallucination",
    "UNASSIGNED": None,
}
"""A label's class of error as the judge calls it; ``None``: the simulator gave it none."""
ADDITIONAL = "ADDITIONAL_STEP"
DECIDED = ("empty_trace", "navigation_only")
"""Rules that score 0 whatever the world looks like afterwards."""
PUBLISHED = "published for an LLM plan judge against object state: kappa 0.36 (n = 132)"
RESAMPLES = 2000


@dataclass(frozen=True)
class Judged:
    """One labelled plan and its verdict."""

    case: RobotCase
    verdict: Verdict

    @property
    def label(self) -> dict[str, Any]:
        """What the simulator found."""
        found: dict[str, Any] = self.case.label
        return found

    @property
    def task(self) -> str:
        """The task that the plan is for."""
        meta = self.case.meta if isinstance(self.case.meta, dict) else {}
        return str(meta.get("task_id") or self.case.id)

    @property
    def kind(self) -> str:
        """The kind of plan: gold, or how it was changed."""
        meta = self.case.meta if isinstance(self.case.meta, dict) else {}
        return str(meta.get("mutation") or "plan").partition("@")[0]

    @property
    def decided(self) -> bool:
        """Whether a rule scores it 0 whatever it brought about."""
        return self.verdict.rules[:1] in [(rule,) for rule in DECIDED]

    @property
    def success(self) -> bool:
        """Whether the judge calls it a success."""
        return self.verdict.success is True

    def pairs(self) -> Iterator[tuple[str, object, object]]:
        """What is compared: its name, the judge's and the label's value."""
        trace, goal = self.verdict.details["trace"], self.verdict.details["goal"]
        error, errors = trace["error"], self.label.get("errors") or []
        yield "executed steps", trace["executed_indexes"], self.label["executed"]
        yield "executability", trace["status"] == "success", self.label["executable"]
        if goal is not None:
            yield "goal", goal["met"], self.label["goal_satisfied"]
        stopped = [(e["step"], CLASSES.get(e["error"])) for e in errors if e["error"] != ADDITIONAL]
        if stopped or error is not None:
            mine = [] if error is None else [(error["step"], error["class"])]
            yield "error class", mine, stopped
        extra = [e["step"] for e in errors if e["error"] == ADDITIONAL]
        found = [f.at["step"] for f in self.verdict.findings if f.kind == "additional_step"]
        if extra or found:
            yield "additional steps", found, extra


@dataclass
class Agreement:
    """How often one thing agrees."""

    same: int = 0
    all: int = 0

    def add(self, same: bool) -> None:
        """Count one comparison."""
        self.same += same
        self.all += 1

    def __str__(self) -> str:
        share = f"{self.same / self.all:.2%}" if self.all else "–"
        return f"{share} ({self.same} of {self.all})"


@dataclass
class Report:
    """All comparisons on some files."""

    judged: list[Judged] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def agreements(self) -> dict[str, Agreement]:
        """Name of what is compared to how often it agrees."""
        found: dict[str, Agreement] = {}
        for one in self.judged:
            for name, mine, label in one.pairs():
                found.setdefault(name, Agreement()).add(mine == label)
        return found

    def disagreements(self) -> Iterator[str]:
        """Every disagreement, with what the judge says of it."""
        for one in self.judged:
            for name, mine, label in one.pairs():
                if mine != label:
                    why = (one.verdict.details["trace"]["error"] or {}).get("text", "")
                    yield f"{one.case.id}: {name}: judge {mine}, label {label} {why}".rstrip()
            if one.success != one.label["goal_satisfied"]:
                rules = ", ".join(one.verdict.rules)
                said = f"judge {one.success} ({rules}), label {one.label['goal_satisfied']}"
                yield f"{one.case.id}: success: {said}"


def judge_files(files: Sequence[str], judge: RobotJudge) -> Report:
    """Every labelled case of the files, judged without a model."""
    reader, method, report = CaseReader(judge), judge.methods()["symbolic"], Report()
    for source in expand(files):
        for piece in read_source(source):
            for item in reader.items(piece, ""):
                if item.error is not None:
                    report.unread.append(f"{item.record.where}: {item.error.describe()}")
                elif isinstance(item.case.label, dict) and "executed" in item.case.label:
                    evidence = judge.check(item.case)
                    opinion = method.step(item.case, evidence, {})
                    assert isinstance(opinion, Opinion)
                    verdict = conclude(judge, item.case, evidence, [opinion], method=method.name)
                    report.judged.append(Judged(item.case, verdict))
    return report


def kappa(table: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Cohen's kappa of a 2 by 2 table of counts; 1 where both always say the same."""
    total = table.sum()
    observed = np.trace(table) / total
    expected = float((table.sum(0) * table.sum(1)).sum()) / total**2
    return 1.0 if expected == 1 else float((observed - expected) / (1 - expected))


def kappa_interval(judged: Iterable[Judged], seed: int = 0) -> tuple[float, float, float]:
    """Kappa for success, and the 95% interval of a bootstrap that draws whole tasks."""
    tables: dict[str, np.ndarray[Any, np.dtype[np.float64]]] = {}
    for one in judged:
        table = tables.setdefault(one.task, np.zeros((2, 2)))
        table[int(one.success), int(one.label["goal_satisfied"])] += 1
    stacked = np.stack(list(tables.values()))
    draw = np.random.default_rng(seed)
    picks = draw.integers(0, len(stacked), (RESAMPLES, len(stacked)))
    drawn = [kappa(stacked[pick].sum(0)) for pick in picks]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return kappa(stacked.sum(0)), float(low), float(high)


def lines(report: Report) -> Iterator[str]:
    """The report as Markdown."""
    judged = report.judged
    tasks = len({one.task for one in judged})
    yield f"{len(judged)} labelled plans for {tasks} tasks."
    yield ""
    yield "| compared | agreement |"
    yield "|---|---|"
    for name, agreement in report.agreements().items():
        yield f"| {name} | {agreement} |"
    yield ""
    yield "| success | kappa | 95% interval | plans |"
    yield "|---|---|---|---|"
    free = [one for one in judged if not one.decided]
    for name, some in (("all plans", judged), ("scored by what they brought about", free)):
        if some:
            value, low, high = kappa_interval(some)
            yield f"| {name} | {value:.3f} | {low:.3f} to {high:.3f} | {len(some)} |"
    yield ""
    yield PUBLISHED
    yield ""
    yield "| plan | n | executed | executable | goal | error class | success | scores 0 1 2 3 4 |"
    yield "|---|---|---|---|---|---|---|---|"
    for kind in dict.fromkeys(one.kind for one in judged):
        some = [one for one in judged if one.kind == kind]
        found = Report(some).agreements()
        success = Agreement()
        for one in some:
            success.add(one.success == one.label["goal_satisfied"])
        scores = Counter(one.verdict.scores.get("score") for one in some)
        columns = [
            str(found.get(name, Agreement()))
            for name in ("executed steps", "executability", "goal", "error class")
        ]
        shown = " ".join(str(scores.get(score, 0)) for score in range(5))
        yield f"| {kind} | {len(some)} | {' | '.join(columns)} | {success} | {shown} |"
    if report.unread:
        yield ""
        yield f"{len(report.unread)} records could not be read:"
        yield from (f"- {line}" for line in report.unread[:20])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--disagreements", action="store_true", help="list every disagreement")
    parser.add_argument("--navigation-goals", action="store_true", help="the judge's option")
    arguments = parser.parse_args()
    judge = RobotJudge(navigation_goals=arguments.navigation_goals)
    report = judge_files(arguments.files, judge)
    if not report.judged:
        parser.exit(1, "no case with a label that has executed, executable, goal_satisfied\n")
    print("\n".join(lines(report)))
    if arguments.disagreements:
        print()
        print("\n".join(report.disagreements()) or "No disagreement.")


if __name__ == "__main__":
    main()
