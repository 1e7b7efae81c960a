"""``kill -9`` and Ctrl-C at any moment: nothing lost, nothing twice, nothing judged again."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudge.runs.engine import Task
from running import adjudge, judged, started, write_lines
from tally_judge import TallyJudge

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
COUNT = 300


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    lines = [{"id": f"c{i}", "text": "wait", "marks": [1] * (i % 5)} for i in range(COUNT)]
    lines[200] = {"id": "c3"}
    return write_lines(tmp_path / "cases.jsonl", lines)


def rows(folder: Path) -> list[tuple[int, str]]:
    database = folder / ".adjudge" / "adjudge.db"
    if not database.exists():
        return []
    connection = sqlite3.connect(database)
    try:
        found = connection.execute("SELECT position, body FROM adjudge_verdicts ORDER BY position")
        return list(found)
    except sqlite3.OperationalError:  # the tables are not made yet
        return []
    finally:
        connection.close()


def wait_for(process: subprocess.Popen[str], happened: Callable[[], bool]) -> None:
    while not happened():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def run_until(cases: Path, count: int, log: Path, number: int, workers: int = 1) -> tuple[str, int]:
    """Begin a run, signal it when ``count`` verdicts are stored; standard error and status."""
    process = started(
        "run",
        "tally_judge:TallyJudge",
        cases.name,
        "--workers",
        str(workers),
        cwd=cases.parent,
        TALLY_LOG=str(log),
    )
    wait_for(process, lambda: len(rows(cases.parent)) >= count)
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
    tmp_path: Path, cases: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index, count in enumerate((1, 150)):
        before = {json.loads(body)["case_id"] for _, body in rows(tmp_path)}
        log = tmp_path / f"log{index}"
        run_until(cases, count, log, signal.SIGKILL, workers)
        # A worker judges the second c3 before anyone can know that it is the second.
        assert not (before - {"c3"}) & set(ids(log)), "what was stored was judged again"
    kept = rows(tmp_path)
    assert [position for position, _ in kept] == list(range(len(kept)))
    assert len(kept) < COUNT
    last = adjudge("run", "tally_judge:TallyJudge", cases.name, cwd=tmp_path)
    assert last.returncode == 3, last.stderr
    bodies = [body for _, body in rows(tmp_path)]
    assert bodies[: len(kept)] == [body for _, body in kept]
    monkeypatch.chdir(tmp_path)
    assert bodies == [one.text for one in judged(Task(TallyJudge()), Path(cases.name))]


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_it_keeps_what_there_is_and_says_how_to_go_on(
    tmp_path: Path, cases: Path, workers: int
) -> None:
    error, status = run_until(cases, 30, tmp_path / "log", signal.SIGINT, workers)
    assert status == 130
    assert f"adjudge run tally_judge:TallyJudge cases.jsonl --workers {workers}" in error
    assert "Traceback" not in error
    kept = len(rows(tmp_path))
    assert f"{kept} verdicts are kept" in error
    assert "interrupted" in adjudge("runs", cwd=tmp_path).stdout


def test_workers_end_when_their_parent_is_killed(tmp_path: Path, cases: Path) -> None:
    log = tmp_path / "log"
    run_until(cases, 30, log, signal.SIGKILL, workers=2)
    # ``communicate`` above returned: no process holds the pipes any more, so no worker is left.
    judged_by_then = len(ids(log))
    time.sleep(0.2)
    assert len(ids(log)) == judged_by_then < COUNT
