"""Where a store is, as a URL: read, and shown without its secrets."""

from __future__ import annotations

import re

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from adjudge.contract import Fault

DEFAULT_STORE = "sqlite:///.adjudge/adjudge.db"

_POSTGRESQL = "postgresql+psycopg"
_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": _POSTGRESQL,
    "postgresql": _POSTGRESQL,
    _POSTGRESQL: _POSTGRESQL,
}
_EXPECTED = f"a path, {DEFAULT_STORE} or {_POSTGRESQL}://NAME@HOST/DATABASE"
_PASSWORD = re.compile(r"(://[^:/@?\s]*):\S*@")
_SETTING = re.compile(r"([?&](?:ssl)?password=)[^&\s]*", re.IGNORECASE)


class StoreError(Fault, RuntimeError):
    """The store cannot be used: which one, why, and what to do."""


class NoStore(StoreError):
    """There is no store there yet."""


def parse_url(text: str) -> URL:
    """A store's URL; a text without ``://`` is the path of a SQLite file.

    Raises ``StoreError`` for one that is neither SQLite nor PostgreSQL.
    """
    try:
        url = make_url(text if "://" in text else f"sqlite:///{text}")
    except (ArgumentError, ValueError):
        raise StoreError(f"store: expected {_EXPECTED}, found {masked(text)[:80]!r}") from None
    if url.drivername not in _DRIVERS:
        raise StoreError(f"store: expected {_EXPECTED}, found one of {url.drivername[:40]!r}")
    url = url.set(drivername=_DRIVERS[url.drivername])
    if is_sqlite(url) and url.database in (None, "", ":memory:"):
        raise StoreError(
            "store: expected a SQLite file, found one in memory, which nobody could "
            "read afterwards; give a path"
        )
    if "@" in (url.host or ""):
        raise StoreError(
            "store: expected one @ in the URL, found more; in a name or password write it %40"
        )
    return url


def is_sqlite(url: URL) -> bool:
    """Whether it is a file of SQLite's, not a PostgreSQL server."""
    return url.get_backend_name() == "sqlite"


def shown(url: URL) -> str:
    """The URL without passwords."""
    return masked(url.render_as_string(hide_password=True))


def masked(text: str) -> str:
    """``text`` with ``***`` for every password in a URL.

    >>> masked("--store=postgresql+psycopg://me:se/cr@et@host/db?sslpassword=x&a=b")
    '--store=postgresql+psycopg://me:***@host/db?sslpassword=***&a=b'
    """
    return _SETTING.sub(r"\1***", _PASSWORD.sub(r"\1:***@", text))
