"""People's instructions: the measured quality of the rules, where the shared data is here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from robot_cases import SHARED

PLANS = SHARED / "data" / "robot" / "alfred_plans.jsonl"
BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "instruction_goals.py"


@pytest.mark.skipif(not PLANS.exists(), reason="the folder of shared data is not here")
def test_precision_coverage_and_set_size() -> None:
    command = [sys.executable, str(BENCHMARK), str(PLANS)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    figures = {line.split()[0]: line.split()[1] for line in printed.splitlines()[:3]}
    size = next(line.split()[2] for line in printed.splitlines() if line.startswith("set size"))
    assert float(figures["precision"].rstrip("%")) >= 95
    assert float(figures["coverage"].rstrip("%")) >= 60
    assert float(size) <= 1.5
