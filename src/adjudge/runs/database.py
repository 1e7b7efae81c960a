"""Opening the database: where it is, what is in it, and what went wrong in plain words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, insert, inspect, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from adjudge.contract import Fault
from adjudge.runs.schema import SCHEMA_VERSION, about, metadata

DEFAULT_STORE = "sqlite:///.adjudge/adjudge.db"
_BUSY_SECONDS = 10


class StoreError(Fault, RuntimeError):
    """The store cannot be used: which one, why, and what to do."""


def parse_url(text: str) -> URL:
    """A store's URL; a text without ``://`` is the path of a SQLite file."""
    try:
        url = make_url(text if "://" in text else f"sqlite:///{text}")
    except ArgumentError:
        raise StoreError(
            f"store: expected a path or a URL such as {DEFAULT_STORE}, found {text[:80]!r}"
        ) from None
    if _is_sqlite(url) and url.database in (None, "", ":memory:"):
        raise StoreError(
            "store: expected a SQLite file, found one in memory, which nobody could "
            "read afterwards; give a path"
        )
    return url


def open_engine(url: URL, *, create: bool) -> Engine:
    """An engine on a store whose schema is ours; raises ``StoreError``."""
    shown = url.render_as_string(hide_password=True)
    if _is_sqlite(url):
        _need_file(Path(str(url.database)), shown, create)
    try:
        engine = create_engine(url)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreError(f"store {shown}: no driver for it: {error}; install one") from None
    if _is_sqlite(url):
        event.listen(engine, "connect", _prepare_sqlite)
    with named_errors(shown):
        _check_schema(engine, shown, create)
    return engine


@contextlib.contextmanager
def named_errors(shown: str) -> Iterator[None]:
    """Faults of the database as ``StoreError`` with what to do about them."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        text = str(cause).strip().split("\n")[0]
        raise StoreError(f"store {shown}: {text}{_advice(text.lower())}") from error


def _advice(text: str) -> str:
    for sign, advice in (
        ("locked", "; another process holds it: wait for that one, or use another --store"),
        ("disk is full", "; make room, then give the same command again: what is stored is kept"),
        ("disk i/o", "; the disk may be full or failing: what is stored is kept"),
        ("not a database", "; the file is no SQLite database: use another --store"),
        ("malformed", "; the file is damaged: use another --store"),
        ("readonly", "; it cannot be written to: use another --store"),
        ("unable to open", "; the folder must exist and be writable, or use another --store"),
    ):
        if sign in text:
            return advice
    return ""


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _need_file(path: Path, shown: str, create: bool) -> None:
    if create:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"store {shown}: the folder {path.parent} cannot be made: {error.strerror}"
            ) from None
    elif not path.is_file():
        raise StoreError(
            f"store {shown}: no such file; `adjudge run` makes it, --store names another"
        )


def _prepare_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _check_schema(engine: Engine, shown: str, create: bool) -> None:
    if not inspect(engine).has_table(about.name):
        if not create:
            raise StoreError(f"store {shown}: holds no runs of Adjudge")
        with engine.begin() as connection:
            metadata.create_all(connection)
            if connection.execute(select(about)).first() is None:
                row = {"name": "schema", "value": str(SCHEMA_VERSION)}
                connection.execute(insert(about), row)
    with engine.connect() as connection:
        found = connection.scalar(select(about.c.value).where(about.c.name == "schema"))
    if found != str(SCHEMA_VERSION):
        raise StoreError(
            f"store {shown}: expected schema {SCHEMA_VERSION}, found {found}, which another "
            "version of Adjudge made; use that version, or another --store"
        )
