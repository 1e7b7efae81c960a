"""Opening the database: what is in it, and what went wrong in plain words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from adjudge.runs.address import NoStore, StoreError, is_sqlite, shown
from adjudge.runs.schema import SCHEMA_VERSION, UPGRADES, about, metadata

_BUSY_SECONDS = 10
_CONNECT_SECONDS = 10
_MAKING_TABLES = 0x61646A75646765
"""The lock that everybody takes who makes tables in a PostgreSQL database."""


def open_engine(url: URL, *, create: bool) -> Engine:
    """An engine on a store whose schema is ours; raises ``StoreError``."""
    where = shown(url)
    if is_sqlite(url):
        _need_file(Path(str(url.database)), where, create)
        engine = create_engine(url)
        event.listen(engine, "connect", _prepare_sqlite)
    else:
        engine = _postgresql(url, where)
    try:
        with named_errors(where):
            _check_schema(engine, where, create)
    except BaseException:
        engine.dispose()
        raise
    return engine


def make_tables(engine: Engine, tables: MetaData) -> None:
    """Make those that are missing, whoever else is about to do the same."""
    with engine.begin() as connection:
        alone(connection)
        tables.create_all(connection)


@contextlib.contextmanager
def named_errors(where: str) -> Iterator[None]:
    """Faults of the database as ``StoreError`` with what to do about them."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        told = str(cause).strip().split("\n")[0]
        raise StoreError(f"store {where}: {told}{_advice(told.lower())}") from error


def _advice(told: str) -> str:
    again = "what is stored is kept: give the same command again"
    for sign, advice in (
        ("locked", "another process holds it: wait for that one, or use another --store"),
        ("lock timeout", "another process holds it: wait for that one, and give it again"),
        ("disk is full", f"make room; {again}"),
        ("no space left", f"make room; {again}"),
        ("disk i/o", "the disk may be full or failing: what is stored is kept"),
        ("not a database", "the file is no SQLite database: use another --store"),
        ("malformed", "the file is damaged: use another --store"),
        ("readonly", "it cannot be written to: use another --store"),
        ("read-only", "it cannot be written to: use another --store"),
        ("unable to open", "the folder must exist and be writable, or use another --store"),
        ("password", "put NAME:PASSWORD@ before the host, or set PGPASSWORD"),
        ("permission denied", "the role needs the right to make tables and to write"),
        ("too many", "wait until others are done, or let the server take more connections"),
        ("does not exist", "make it first, with `createdb` or `createuser`"),
        ("refused", "a server must be listening there: look at host and port"),
        ("timeout", "a server must be listening there: look at host and port"),
        ("server closed", f"the server went away; {again}"),
        ("terminating connection", f"the server went away; {again}"),
        ("connection is lost", f"the server went away; {again}"),
        ("resolve host", "look at the host in the URL"),
    ):
        if sign in told:
            return f"; {advice}"
    return ""


def _need_file(path: Path, where: str, create: bool) -> None:
    if create:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"store {where}: the folder {path.parent} cannot be made: {error.strerror}"
            ) from None
    elif not path.is_file():
        raise NoStore(f"store {where}: no such file; `adjudge run` makes it, --store names another")


def _prepare_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _postgresql(url: URL, where: str) -> Engine:
    settings = {"connect_timeout": _CONNECT_SECONDS, "application_name": "adjudge"}
    given = {name: value for name, value in settings.items() if name not in url.query}
    try:
        # connections that a server's restart has broken are found out before they are used
        engine = create_engine(url, connect_args=given, pool_pre_ping=True)
    except ImportError as error:
        raise StoreError(
            f"store {where}: PostgreSQL needs its driver, which is not installed ({error}): "
            "pip install 'adjudge[postgres]'"
        ) from None
    event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_postgresql(connection: Any, _: Any) -> None:
    connection.autocommit = True
    connection.execute(f"SET lock_timeout = '{_BUSY_SECONDS}s'")
    connection.autocommit = False


def alone(connection: Connection) -> None:
    """Until the transaction, which this must begin, ends, nobody else makes tables or merges."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MAKING_TABLES})


def _check_schema(engine: Engine, where: str, create: bool) -> None:
    with engine.connect() as connection:
        found = _version(connection)
    if found is None and not create:
        raise NoStore(f"store {where}: holds no runs of Adjudge")
    if found is None or found in UPGRADES:
        found = _set_up(engine)
    if found != str(SCHEMA_VERSION):
        raise StoreError(
            f"store {where}: expected schema {SCHEMA_VERSION}, found {found}, which another "
            "version of Adjudge made; use that version, or another --store"
        )


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(about.name):
        return None
    return connection.scalar(select(about.c.value).where(about.c.name == "schema"))


def _set_up(engine: Engine) -> str | None:
    """Make the tables, or make old ones new; all of it, or nothing."""
    with engine.begin() as connection:
        alone(connection)
        found = _version(connection)
        if found is None:
            metadata.create_all(connection)
            connection.execute(about.insert(), {"name": "schema", "value": str(SCHEMA_VERSION)})
        for change in UPGRADES.get(found or "", ()):
            connection.execute(text(change))
        if found in UPGRADES:
            connection.execute(about.update().values(value=str(SCHEMA_VERSION)))
        return _version(connection)
