"""A store that is locked, full or not to be written to: told by name, and no half row."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from adjudge.inputs import expand
from adjudge.runs.address import StoreError, parse_url
from adjudge.runs.engine import Judged, Task
from adjudge.runs.running import run_stored
from adjudge.runs.store import Store
from running import ENVIRONMENT, write_lines
from tally_judge import TallyJudge

TASK = Task(TallyJudge())


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "cases.jsonl", [{"id": f"c{i}"} for i in range(202)])


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/runs/store.db"


def run(path: Path, url: str, stop_after: int | None = None) -> list[int]:
    """Run, maybe stopped like by Ctrl-C; the positions that were judged."""
    positions: list[int] = []

    def on_judged(judged: Judged) -> None:
        positions.append(judged.position)
        if len(positions) == stop_after:
            raise KeyboardInterrupt

    with Store.open(url, create=True) as store:
        try:
            run_stored(TASK, expand([path]), store, on_judged=on_judged)
        except KeyboardInterrupt:
            assert stop_after
    return positions


def stored(url: str) -> list[str]:
    with Store.open(url) as store:
        return list(store.verdicts(store.find("last")))


def test_a_locked_store_is_named(cases: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.runs.database._BUSY_SECONDS", 0)
    run(cases, url, stop_after=5)
    with sqlite3.connect(parse_url(url).database or "") as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process holds it"):
            run(cases, url)
    other.close()
    assert len(run(cases, url)) == 197


FULL_DISK = """
import resource, sys
from pathlib import Path
from adjudge.inputs import expand
from adjudge.runs.address import StoreError
from adjudge.runs.engine import Task
from adjudge.runs.running import run_stored
from adjudge.runs.store import Store
from tally_judge import TallyJudge

with Store.open(sys.argv[2], create=True) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    try:
        run_stored(Task(TallyJudge()), expand([sys.argv[1]]), store)
    except StoreError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file size")
def test_a_full_disk_ends_the_run_by_name_and_keeps_what_was_stored(
    tmp_path: Path, url: str
) -> None:
    path = write_lines(tmp_path / "many.jsonl", [{"id": f"c{i}"} for i in range(2000)])
    found = subprocess.run(
        [sys.executable, "-c", FULL_DISK, path, url],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "what is stored is kept" in found.stdout
    kept = stored(url)
    assert 0 < len(kept) < 2000
    assert run(path, url) == list(range(len(kept), 2000))
