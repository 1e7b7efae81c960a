"""``kill -9`` and Ctrl-C at any moment: nothing lost, nothing twice, nothing judged again."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudge.runs.engine import Task
from running import adjudge, judged, started, write_lines
from scripted import rows
from tally_judge import TallyJudge

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
COUNT = 300


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    lines = [{"id": f"c{i}", "text": "wait", "marks": [1] * (i % 5)} for i in range(COUNT)]
    lines[200] = {"id": "c3"}
    return write_lines(tmp_path / "cases.jsonl", lines)


def stored(url: str) -> list[tuple[int, str]]:
    return rows(url, "SELECT position, body FROM adjudge_verdicts ORDER BY position")


def wait_for(process: subprocess.Popen[str], happened: Callable[[], bool]) -> None:
    while not happened():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def run_until(
    cases: Path, url: str, count: int, log: Path, number: int, workers: int = 1
) -> tuple[str, int]:
    """Begin a run, signal it when ``count`` verdicts are stored; standard error and status."""
    process = started(
        "run",
        "tally_judge:TallyJudge",
        cases.name,
        "--workers",
        str(workers),
        "--store",
        url,
        cwd=cases.parent,
        TALLY_LOG=str(log),
    )
    wait_for(process, lambda: len(stored(url)) >= count)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # Ctrl-C at a terminal reaches workers too
    else:
        process.send_signal(number)
    _, error = process.communicate()
    return error, process.returncode


def ids(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


@pytest.mark.parametrize("workers", [1, 2])
def test_killed_at_any_moment_it_is_completed(
    tmp_path: Path, cases: Path, store_url: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index, count in enumerate((1, 150)):
        before = {json.loads(body)["case_id"] for _, body in stored(store_url)}
        log = tmp_path / f"log{index}"
        run_until(cases, store_url, count, log, signal.SIGKILL, workers)
        # A worker judges the second c3 before anyone can know that it is the second.
        assert not (before - {"c3"}) & set(ids(log)), "what was stored was judged again"
    kept = stored(store_url)
    assert [position for position, _ in kept] == list(range(len(kept)))
    assert len(kept) < COUNT
    last = adjudge("run", "tally_judge:TallyJudge", cases.name, "--store", store_url, cwd=tmp_path)
    assert last.returncode == 3, last.stderr
    bodies = [body for _, body in stored(store_url)]
    assert bodies[: len(kept)] == [body for _, body in kept]
    monkeypatch.chdir(tmp_path)
    assert bodies == [one.text for one in judged(Task(TallyJudge()), Path(cases.name))]


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_it_keeps_what_there_is_and_says_how_to_go_on(
    tmp_path: Path, cases: Path, store_url: str, workers: int
) -> None:
    error, status = run_until(cases, store_url, 30, tmp_path / "log", signal.SIGINT, workers)
    assert status == 130
    assert f"adjudge run tally_judge:TallyJudge cases.jsonl --workers {workers}" in error
    assert "Traceback" not in error
    assert "planted" not in error
    kept = len(stored(store_url))
    assert f"{kept} verdicts are kept" in error
    assert "interrupted" in adjudge("runs", "--store", store_url, cwd=tmp_path).stdout


def test_workers_end_when_their_parent_is_killed(tmp_path: Path, cases: Path) -> None:
    log = tmp_path / "log"
    url = f"sqlite:///{tmp_path}/store.db"
    run_until(cases, url, 30, log, signal.SIGKILL, workers=2)
    # ``communicate`` above returned: no process holds the pipes any more, so no worker is left.
    judged_by_then = len(ids(log))
    time.sleep(0.2)
    assert len(ids(log)) == judged_by_then < COUNT
