"""What only a server can do: refuse, and go away; its password is told to nobody."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from adjudge.inputs import expand
from adjudge.runs.address import StoreError, masked
from adjudge.runs.engine import Judged, Task
from adjudge.runs.running import run_stored
from adjudge.runs.store import Store
from commands import adjudge
from databases import POSTGRESQL
from running import write_lines
from tally_judge import TallyJudge

TASK = Task(TallyJudge())
needs_server = pytest.mark.skipif(POSTGRESQL is None, reason="runs with make test-postgres")


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "cases.jsonl", [{"id": f"c{i}"} for i in range(500)])


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_where_the_driver_is_missing_the_extra_is_named(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'adjudge\[postgres\]'") as refused:
        Store.open(f"{scheme}://me:planted-secret@localhost/db", create=True)
    assert f"{scheme[:10]}" in str(refused.value)
    assert "planted" not in str(refused.value)


def test_the_command_to_go_on_with_does_not_tell_a_password() -> None:
    for argument in (
        "postgresql://me:planted-secret@host/db",
        "--store=postgresql+psycopg://me:pla/nted@se:cret@host:5432/db?a=b",
        "postgresql://me@host/db?password=planted-secret&sslpassword=planted",
    ):
        assert "***" in masked(argument)
        assert not {"plan", "nted", "cret"} & {
            word for word in ("plan", "nted", "cret") if word in masked(argument)
        }
    for argument in ("cases@home.jsonl", "http://localhost:8000/v1", "sqlite:///a:b@c.db", "a:b@c"):
        assert masked(argument) == argument


@needs_server
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"password": "wrong-secret"}, "password authentication failed"),
        ({"password": ""}, "set PGPASSWORD"),
        ({"username": "nobody-here"}, "password authentication failed"),
        ({"database": "nowhere"}, "does not exist; make it first"),
        ({"host": "no-such-host.invalid"}, "look at the host"),
        ({"port": 1}, "a server must be listening there"),
    ],
)
def test_a_server_that_cannot_be_used_is_named(
    change: dict[str, object], says: str, cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PGPASSWORD", raising=False)
    url = make_url(str(POSTGRESQL)).set(**change).render_as_string(hide_password=False)  # type: ignore[arg-type]
    for arguments in (["run", "robot", cases], ["runs"], ["show", "last"]):
        found = adjudge(*arguments, "--store", url)
        assert found.exit_code == 2
        assert len(found.stderr.splitlines()) == 1
        assert says in found.stderr
        assert "secret" not in found.output


@needs_server
def test_a_server_that_goes_away_ends_the_run_by_name(cases: Path, store_url: str) -> None:
    if store_url.startswith("sqlite"):
        pytest.skip("a file does not go away")
    count = 0

    def on_judged(judged: Judged) -> None:
        nonlocal count
        count += 1
        if count == 200:
            end_connections(store_url)

    with Store.open(store_url, create=True) as store:
        with pytest.raises(StoreError, match="the server went away; what is stored is kept"):
            run_stored(TASK, expand([cases]), store, on_judged=on_judged)
        # the same process goes on with new connections
        kept = store.find("last").total
        assert 0 < kept < 500
        judged: list[int] = []
        run_stored(TASK, expand([cases]), store, on_judged=lambda one: judged.append(one.position))
        assert judged == list(range(kept, 500))
        assert store.find("last").state == "complete"


def end_connections(url: str) -> None:
    """As a server that is shut down does."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND application_name = 'adjudge'"
            )
        )
    engine.dispose()
