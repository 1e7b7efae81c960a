"""A store that is locked, full or not to be written to: told by name, and no half row."""

import json
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from adjudge.inputs import expand
from adjudge.runs.address import StoreError, parse_url
from adjudge.runs.engine import Judged
from adjudge.runs.running import run_stored
from adjudge.runs.store import Store
from commands import adjudge
from full_disk import COUNT, MOMENTS
from running import ENVIRONMENT, ROOT, command, write_lines
from tally_runs import TASK, run, stored


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "cases.jsonl", [{"id": f"c{i}"} for i in range(202)])


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/runs/store.db"


def test_a_locked_store_is_named(cases: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.runs.database._BUSY_SECONDS", 0)
    run(cases, url, stop_after=5)
    with sqlite3.connect(parse_url(url).database or "") as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process holds it"):
            run(cases, url)
    other.close()
    assert len(run(cases, url)) == 197


def test_a_store_that_is_locked_on_the_way_is_named(
    cases: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.runs.database._BUSY_SECONDS", 0)
    seen = 0
    with Store.open(url, create=True) as store:
        other = sqlite3.connect(parse_url(url).database or "", check_same_thread=False)

        def on_judged(judged: Judged) -> None:
            nonlocal seen
            seen += 1
            if seen == 100:
                other.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreError, match="another process holds it"):
            run_stored(TASK, expand([cases]), store, on_judged=on_judged)
        other.close()
        # this process works on it no more, though the store could not be told so
        assert store.find("last").state == "interrupted"
    kept = len(stored(url))
    assert kept < 202
    assert run(cases, url) == list(range(kept, 202))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the length of files")
def test_a_full_disk_ends_the_run_by_name_and_leaves_no_half_row(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "full_disk.py"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(runs) == 2 * len(MOMENTS)
    for one in runs:
        assert one["told"].startswith("store sqlite:///"), one
        assert "disk" in one["told"], one
        assert one["thinks"] == "ok", one
        assert one["kept"] < COUNT, one
        assert one["same"], one
        if one["asks"]:
            # a reply is kept before its verdict
            assert one["asked_again"] <= COUNT - one["kept"], one
    assert any(one["kept"] for one in runs)


@pytest.fixture
def pragma() -> Iterator[Callable[[str], None]]:
    """Sets something in every connection that is opened from then on."""
    listeners = []

    def set_pragma(text: str) -> None:
        def listen(connection: Any, _: Any) -> None:
            connection.execute(f"PRAGMA {text}")

        event.listen(Engine, "connect", listen)
        listeners.append(listen)

    yield set_pragma
    for listen in listeners:
        event.remove(Engine, "connect", listen)


@pytest.mark.parametrize("stop_after", [None, 150])
def test_a_database_that_may_not_grow_is_full(
    cases: Path, url: str, pragma: Callable[[str], None], stop_after: int | None
) -> None:
    if stop_after:
        run(cases, url, stop_after=stop_after)
    before = stored(url) if stop_after else []
    path = Path(parse_url(url).database or "")
    pages = path.stat().st_size // 4096 + 2 if stop_after else 3
    pragma(f"max_page_count = {pages}")
    with pytest.raises(StoreError, match="disk is full; make room; what is stored is kept"):
        run(cases, url)
    pragma("max_page_count = 1000000")
    if stop_after:
        kept = stored(url)
        assert kept[: len(before)] == before
        assert run(cases, url) == list(range(len(kept), 202))
    else:
        assert run(cases, url) == list(range(202))


@pytest.mark.parametrize("at", ["made", "there"])
def test_a_store_that_cannot_be_written_to_is_named(
    cases: Path, url: str, pragma: Callable[[str], None], at: str
) -> None:
    if at == "there":
        run(cases, url, stop_after=5)
    pragma("query_only = ON")
    with pytest.raises(StoreError, match="it cannot be written to: use another --store"):
        run(cases, url)
    if at == "there":
        assert len(stored(url)) >= 5


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no file")
def test_a_folder_that_takes_no_file_is_named(cases: Path) -> None:
    for where in ("/proc/store.db", "/proc/self/below/store.db"):
        for arguments in (["run", "robot", cases], ["runs"]):
            told = adjudge(*arguments, "--store", where)
            assert told.exit_code == 2
            [line] = told.stderr.splitlines()
            assert line.startswith(f"adjudge: store sqlite:///{where}: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_output_on_a_full_disk_is_named_and_no_half_file_is_left(tmp_path: Path) -> None:
    lines = [{"id": f"c{i}", "instruction": "Turn on the lamp.", "plan": ["x"]} for i in range(400)]
    write_lines(tmp_path / "cases.jsonl", lines)
    call = shlex.join(command("run", "robot", "cases.jsonl", "--output"))

    def shell(text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", text], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True
        )

    assert shell(f"{call} before.jsonl").returncode == 0
    (tmp_path / "kept.jsonl").write_text("what was there")
    (tmp_path / "full.jsonl").symlink_to("/dev/full")
    before = sorted(path.name for path in tmp_path.iterdir())
    for text, says in (
        (f"ulimit -f 80; {call} new.jsonl", "output new.jsonl: cannot be written: File too large"),
        (f"ulimit -f 80; {call} kept.jsonl", "output kept.jsonl: cannot be written"),
        (f"{call} full.jsonl", "output full.jsonl: cannot be written: No space left on device"),
        (f"{call} - >/dev/full", "standard output cannot be written: No space left on device"),
    ):
        done = shell(text)
        assert done.returncode == 2, done
        assert says in done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "kept.jsonl").read_text() == "what was there"
