"""Runs in the store: completed, taken up again, claimed by one process, and faults by name."""

import json
import os
import platform
import random
import sqlite3
import string
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from adjudge.inputs import expand
from adjudge.runs.address import StoreError, parse_url
from adjudge.runs.claims import RunIsLive
from adjudge.runs.database import open_engine
from adjudge.runs.engine import Task
from adjudge.runs.identity import identify
from adjudge.runs.owner import STALE_SECONDS, Owner
from adjudge.runs.schema import SCHEMA_VERSION, metadata, runs
from adjudge.runs.store import NoSuchRun, Store
from running import judged, write_lines
from tally_judge import TallyJudge
from tally_runs import TASK, run, stored


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    lines = [{"id": f"c{i}", "marks": [1] * (i % 6)} for i in range(200)]
    lines[50] = {"pairs": [{"id": "p1"}, {"id": "p2"}, {"id": "c3"}]}
    return write_lines(tmp_path / "cases.jsonl", lines)


@pytest.fixture
def url(store_url: str) -> str:
    return store_url


def test_a_run_keeps_what_was_judged(cases: Path, url: str) -> None:
    assert run(cases, url) == list(range(202))
    assert stored(url) == [one.text for one in judged(TASK, cases)]
    with Store.open(url) as store:
        info = store.find("last")
    assert (info.state, info.judge, info.method, info.total) == ("complete", "tally", "count", 202)
    assert info.counts == {"scored": 201, "error": 1}
    assert info.options == {"limit": 4, "tag": ""}


def test_a_complete_run_is_not_judged_again(cases: Path, url: str) -> None:
    run(cases, url)
    before = stored(url)
    assert run(cases, url) == []
    assert stored(url) == before


@pytest.mark.parametrize("stop_after", [1, 49, 51, 52, 53, 54, 130])
def test_a_stopped_run_goes_on_where_it_was(cases: Path, url: str, stop_after: int) -> None:
    # 51 to 54 stop between the cases of one record.
    assert run(cases, url, stop_after=stop_after) == list(range(stop_after))
    with Store.open(url) as store:
        assert store.find("last").state == "interrupted"
    assert run(cases, url) == list(range(stop_after, 202))
    assert stored(url) == [one.text for one in judged(TASK, cases)]


def test_what_makes_a_run_another_run(cases: Path, tmp_path: Path) -> None:
    class Later(TallyJudge):
        version = "2"

    same = identify(TallyJudge(), "count", expand([cases]))
    (tmp_path / "elsewhere").mkdir()
    copy = tmp_path / "elsewhere" / cases.name
    copy.write_bytes(cases.read_bytes())
    assert identify(TallyJudge(), "count", expand([copy])).id == same.id
    options = tmp_path / "options.txt"
    options.write_text("one")
    named = identify(TallyJudge(tag=str(options)), "count", expand([cases])).id
    options.write_text("two")
    others = [
        named,
        identify(TallyJudge(tag=str(options)), "count", expand([cases])).id,
        identify(TallyJudge(limit=3), "count", expand([cases])).id,
        identify(Later(), "count", expand([cases])).id,
        identify(TallyJudge(), "ask", expand([cases])).id,
        identify(TallyJudge(), "count", expand([cases]), reader="native").id,
        identify(TallyJudge(), "count", expand([cases]), models=["m"]).id,
        identify(TallyJudge(), "count", expand([cases]), asking={"samples": 2}).id,
        identify(TallyJudge(), "count", expand([cases, copy])).id,
    ]
    cases.write_text("{}")
    others.append(identify(TallyJudge(), "count", expand([cases])).id)
    assert len({same.id, *others}) == 1 + len(others)


def test_a_live_run_is_refused_and_its_process_named(cases: Path, url: str) -> None:
    identity = identify(TASK.judge, "count", expand([cases]))
    with Store.open(url, create=True) as store, store.claim(identity):
        with pytest.raises(RunIsLive) as refused:
            run(cases, url)
        assert f"process {os.getpid()} on {platform.node()}, since 20" in str(refused.value)
        assert store.find("last").state == "running"
    assert len(run(cases, url)) == 202


def own(url: str, **owner: object) -> None:
    """Make the last run look as if someone else worked on it."""
    heartbeat = owner.pop("heartbeat", None)
    me = json.loads(Owner.me().to_json())
    engine = open_engine(parse_url(url), create=False)
    with engine.begin() as connection:
        values = {"owner": json.dumps({**me, **owner}), "heartbeat": heartbeat}
        connection.execute(update(runs).values(**values))
    engine.dispose()


def test_a_dead_process_holds_nothing(cases: Path, url: str) -> None:
    run(cases, url, stop_after=10)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    own(url, pid=dead.pid)
    assert len(run(cases, url)) == 192


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_another_process_of_the_same_number_holds_nothing(cases: Path, url: str) -> None:
    run(cases, url, stop_after=10)
    own(url, started="1")
    assert len(run(cases, url)) == 192


@pytest.mark.parametrize(("age", "live"), [(0, True), (STALE_SECONDS + 5, False)])
def test_another_machine_is_believed_as_long_as_it_beats(
    cases: Path, url: str, age: int, live: bool
) -> None:
    import time

    run(cases, url, stop_after=10)
    own(url, host="elsewhere", heartbeat=int(time.time()) - age)
    if live:
        with pytest.raises(RunIsLive, match="on elsewhere"):
            run(cases, url)
    else:
        assert len(run(cases, url)) == 192


def test_a_run_that_was_taken_over_is_not_written_on(cases: Path, url: str) -> None:
    identity = identify(TASK.judge, "count", expand([cases]))
    with Store.open(url, create=True) as store:
        held = store.claim(identity)
        held.begin()
        own(url, token="another")
        with pytest.raises(StoreError, match="has taken it over"):
            held.finish()


def test_runs_are_found_by_id_beginning_and_last(cases: Path, url: str) -> None:
    run(cases, url)
    run(cases, url, Task(TallyJudge(limit=1)))
    with Store.open(url) as store:
        first, second = store.runs()
        assert store.find("last") == second == store.find(second.id)
        assert store.find(first.id[:6]) == first
        with pytest.raises(NoSuchRun, match=f"no such run; there are: {first.id}, {second.id}"):
            store.find("zzz")
        with pytest.raises(NoSuchRun, match="2 runs begin so"):
            store.find("")


def test_cases_are_found_by_id_and_by_position(cases: Path, url: str) -> None:
    run(cases, url)
    with Store.open(url) as store:
        info = store.find("last")
        assert [json.loads(v)["case_id"] for v in store.verdicts_of(info, "p2")] == ["p2"]
        assert [json.loads(v)["case_id"] for v in store.verdicts_of(info, "0")] == ["c0"]
        assert [json.loads(v)["status"] for v in store.verdicts_of(info, "c3")] == [
            "scored",
            "error",
        ]
        assert store.verdicts_of(info, "nobody") == []
        assert store.near(info, "c19", most=2) == ["c19", "c190"]
        assert [json.loads(v)["position"] for v in store.verdicts(info, status="error")] == [52]


def change(url: str, *statements: str) -> None:
    """Change a store behind everybody's back."""
    engine = open_engine(parse_url(url), create=False)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def test_a_newer_schema_is_refused(cases: Path, url: str) -> None:
    run(cases, url)
    change(url, "UPDATE adjudge_about SET value = '99'")
    with pytest.raises(StoreError, match=f"expected schema {SCHEMA_VERSION}, found 99"):
        Store.open(url)


def test_an_older_schema_is_made_new(cases: Path, url: str) -> None:
    run(cases, url, stop_after=20)
    change(
        url,
        "ALTER TABLE adjudge_runs DROP COLUMN shard",
        "ALTER TABLE adjudge_runs DROP COLUMN merged",
        "ALTER TABLE adjudge_runs DROP COLUMN origin",
        "ALTER TABLE adjudge_replies DROP COLUMN cache_read_tokens",
        "ALTER TABLE adjudge_replies DROP COLUMN cache_write_tokens",
        "UPDATE adjudge_about SET value = '1'",
    )
    assert run(cases, url) == list(range(20, 202))


def test_many_may_make_a_store_at_once(cases: Path, url: str) -> None:
    def make(number: int) -> list[int]:
        return run(cases, url, Task(TallyJudge(tag=str(number))))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(make, range(8))) == [list(range(202))] * 8
    with Store.open(url) as store:
        assert len(store.runs()) == 8


def test_ids_of_any_length_and_kind_are_kept(tmp_path: Path, url: str) -> None:
    chance = random.Random(7)
    long = "".join(chance.choices(string.ascii_letters, k=20_000))
    ids = ["a\0b", "caf\u00e9", "\ud800x", "\U0001f600", "B", "a", "%_", long, long[:-1]]
    path = write_lines(tmp_path / "odd.jsonl", [{"id": one} for one in ids])
    run(path, url)
    with Store.open(url) as store:
        info = store.find("last")
        for position, one in enumerate(ids):
            [found] = store.verdicts_of(info, one)
            assert json.loads(found)["position"] == position
        assert store.near(info, "%") == ["%_"]
        assert store.near(info, "b", most=1) == ["a\ufffdb"]


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("nonsense://x/y", "expected a path, .* found one of 'nonsense'"),
        ("mysql+pymysql://x/y", "expected a path, .* found one of 'mysql.pymysql'"),
        ("://", "expected a path, .* found '://'"),
        ("postgresql://me:planted-secret@host:port/db", r"found 'postgresql://me:\*\*\*@host:port"),
        ("postgresql://me:planted@secret@host/db", "expected one @ in the URL"),
    ],
)
def test_a_store_that_cannot_be_is_named(where: str, says: str) -> None:
    with pytest.raises(StoreError, match=says) as refused:
        Store.open(where, create=True)
    assert "secret" not in str(refused.value)


def test_faults_of_the_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such file"):
        Store.open(str(tmp_path / "none.db"))
    (tmp_path / "text.db").write_text("this is no database, whatever its name says" * 50)
    with pytest.raises(StoreError, match="no SQLite database"):
        Store.open(str(tmp_path / "text.db"), create=True)
    with pytest.raises(StoreError, match="cannot be made"):
        Store.open(str(tmp_path / "text.db" / "below.db"), create=True)
    with pytest.raises(StoreError, match="unable to open"):
        Store.open(str(tmp_path), create=True)
    sqlite3.connect(tmp_path / "other.db").close()
    with pytest.raises(StoreError, match="holds no runs"):
        Store.open(str(tmp_path / "other.db"))


def test_tables_can_be_made_in_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table in metadata.sorted_tables:
        assert table.name in str(CreateTable(table).compile(dialect=dialect))
        for index in table.indexes:
            assert str(index.name) in str(CreateIndex(index).compile(dialect=dialect))
