"""Ctrl-C while models are asked, and a second process on a run that lives."""

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudge.testing import MisbehavingEndpoint, Received
from running import adjudge, started, write_lines
from scripted import asking, by_number, rows, unsettled

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
STORE = Path(".adjudge") / "adjudge.db"
COUNT = 60
NEVER = 3600.0


class Holding(MisbehavingEndpoint):
    """Answers quickly until ``held`` requests have come; those after them get no answer."""

    def __init__(self, held: int) -> None:
        super().__init__(self._answered, latency=0.01)
        self.held = held

    def _answered(self, received: Received) -> dict[str, Any]:
        if len(self.requests) >= self.held:
            self.latency = NEVER
        return by_number(received)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_lines(tmp_path / "cases.jsonl", [unsettled(number) for number in range(COUNT)])
    return tmp_path


def wait_for(process: subprocess.Popen[str], happened: Callable[[], bool]) -> None:
    patience = time.monotonic() + 120
    while not happened():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < patience
        time.sleep(0.01)


def interrupt(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers get it too


def count(folder: Path, table: str) -> int:
    [(found,)] = rows(folder / STORE, f"SELECT count(*) FROM adjudge_{table}") or [(0,)]
    return int(found)


@pytest.mark.parametrize(("judge", "workers"), [("robot", "1"), ("tally_judge:TallyJudge", "0")])
def test_the_first_lets_what_is_in_flight_finish_and_asks_nothing_new(
    judge: str, workers: str, folder: Path
) -> None:
    method = [] if judge == "robot" else ["--method", "ask"]
    if method:
        cases = [{"id": f"c{n}", "text": f"shelf number {n}."} for n in range(COUNT)]
        write_lines(folder / "cases.jsonl", cases)

    def answer(received: Received) -> dict[str, Any]:
        return {"value": 3} if method else by_number(received)

    with MisbehavingEndpoint(answer, latency=0.2) as endpoint:
        options = [*method, *asking(endpoint, "--workers", workers, "--concurrency", "4")]
        process = started("run", judge, "cases.jsonl", *options, cwd=folder)
        wait_for(process, lambda: len(endpoint.requests) >= 10)
        interrupt(process)
        out, error = process.communicate()
        asked = len(endpoint.requests)
        assert process.returncode == 130, error
        assert out == ""
        assert "Traceback" not in error
        assert "Ctrl-C again stops at once" in error
        assert asked < COUNT
        assert count(folder, "replies") == asked
        kept = count(folder, "verdicts")
        assert f"{kept} verdicts are kept" in error
        assert f"adjudge run {judge} cases.jsonl {' '.join(options)}" in error
        if judge == "robot":
            assert kept == asked
        endpoint.latency = 0.0
        assert adjudge("run", judge, "cases.jsonl", *options, cwd=folder).returncode == 0
        assert set(Counter(r.question for r in endpoint.requests).values()) == {1}
    assert count(folder, "verdicts") == COUNT


def test_the_second_stops_at_once(folder: Path) -> None:
    with Holding(12) as endpoint:
        options = asking(endpoint, "--workers", "1", "--concurrency", "4")
        process = started("run", "robot", "cases.jsonl", *options, cwd=folder)
        wait_for(process, lambda: len(endpoint.requests) >= 12 and endpoint.latency == NEVER)
        wait_for(process, lambda: count(folder, "verdicts") > 0)
        interrupt(process)
        assert process.stderr is not None
        heard = process.stderr.readline() + process.stderr.readline()
        assert "Ctrl-C again stops at once" in heard
        assert process.poll() is None
        interrupt(process)
        _, error = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in error
    kept = count(folder, "verdicts")
    assert 0 < kept < COUNT
    assert f"{kept} verdicts are kept" in error
    assert f"adjudge run robot cases.jsonl {' '.join(options)}" in error
    assert "interrupted" in adjudge("runs", cwd=folder).stdout


def test_a_second_process_on_a_live_run_is_refused_and_told_of_the_first(folder: Path) -> None:
    with Holding(4) as endpoint:
        options = asking(endpoint, "--concurrency", "4", "--workers", "0")
        process = started("run", "robot", "cases.jsonl", *options, cwd=folder)
        wait_for(process, lambda: len(endpoint.requests) >= 4)
        asked = len(endpoint.requests)
        second = adjudge("run", "robot", "cases.jsonl", *options, "--retry-failed", cwd=folder)
        assert second.returncode == 2
        assert f"process {process.pid} on " in second.stderr
        assert "stop it and give the same command again" in second.stderr
        assert len(endpoint.requests) <= asked + 4
        assert "running" in adjudge("runs", cwd=folder).stdout
        process.kill()
        process.communicate()
