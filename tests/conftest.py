"""Makes the helpers beside the tests importable, here and in the processes that tests start; and
stores of every kind there is."""

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

sys.path.insert(0, str(Path(__file__).parent))

from databases import POSTGRESQL


@pytest.fixture(params=["sqlite", "postgresql"] if POSTGRESQL else ["sqlite"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a store that is not there yet: in SQLite, and in PostgreSQL where
    ``ADJUDGE_TEST_POSTGRES`` says where a server is."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/runs/store.db"
        return
    assert POSTGRESQL is not None
    server = create_engine(POSTGRESQL)
    schema = f"adjudge_{uuid.uuid4().hex}"
    try:
        with server.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {schema}"))
        there = make_url(POSTGRESQL).update_query_dict({"options": f"-csearch_path={schema}"})
        yield there.render_as_string(hide_password=False)
        with server.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    finally:
        server.dispose()
