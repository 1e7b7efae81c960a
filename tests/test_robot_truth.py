"""The agreement benchmark: its kappa, its interval, and what it prints of a labelled file."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from virtualhome_home import record

pytest.importorskip("numpy", reason="statistics need the extra stats")

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "robot_truth.py"


@pytest.fixture(scope="module")
def truth() -> Any:
    spec = importlib.util.spec_from_file_location("robot_truth", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["robot_truth"] = module
    spec.loader.exec_module(module)
    return module


def test_kappa(truth: Any) -> None:
    import numpy as np

    # the textbook example: 20 and 15 agreed of 50, kappa 0.4
    assert truth.kappa(np.array([[20.0, 5.0], [10.0, 15.0]])) == pytest.approx(0.4)
    assert truth.kappa(np.array([[7.0, 0.0], [0.0, 0.0]])) == 1.0
    assert truth.kappa(np.array([[0.0, 5.0], [5.0, 0.0]])) == pytest.approx(-1.0)


def labelled(plan_id: str, steps: list[str], mutation: str, **label: Any) -> dict[str, Any]:
    plan = record(steps)["script"]
    said = {"executed": [0, 1], "executable": True, "goal_satisfied": True, "errors": [], **label}
    return {"id": plan_id, "mutation": mutation, "script": plan, "label": said}


def test_what_it_prints(truth: Any, tmp_path: Path) -> None:
    task = {**record([], "cup CLEAN"), "task_id": "t"}
    del task["script"], task["id"]
    stuck = [{"step": 0, "error": "MISSING_STEP", "message": "far away"}]
    task["plans"] = [
        labelled("t:gold", ["walk cup", "wash cup"], "gold"),
        labelled(
            "t:delete@0",
            ["wash cup"],
            "delete@0",
            executed=[],
            executable=False,
            goal_satisfied=False,
            errors=stuck,
        ),
        # a label that is wrong, to be found
        labelled("t:dup@1", ["walk cup", "wash cup"], "dup@1", goal_satisfied=False),
    ]
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(task) + "\n" + '{"scene": {"nodes": 1}}\n', "utf-8")
    report = truth.judge_files([str(path)], truth.RobotJudge())
    text = "\n".join(truth.lines(report))
    assert "3 labelled plans for 1 tasks." in text
    assert "| executed steps | 100.00% (3 of 3) |" in text
    assert "| goal | 66.67% (2 of 3) |" in text
    assert "| error class | 100.00% (1 of 1) |" in text
    assert "kappa 0.36 (n = 132)" in text
    assert "1 records could not be read" in text
    assert [line.split(":")[:2] for line in report.disagreements()] == [["t", "dup@1"]] * 2
