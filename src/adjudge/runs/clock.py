"""The database's clock: the only one that all machines which share a store agree on."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class seconds_now(FunctionElement[int]):
    """Whole seconds since 1970."""

    type = BigInteger()
    inherit_cache = True


@compiles(seconds_now, "sqlite")
def _sqlite(element: Any, compiler: Any, **more: Any) -> str:
    return "CAST(strftime('%s', 'now') AS INTEGER)"


@compiles(seconds_now, "postgresql")
def _postgresql(element: Any, compiler: Any, **more: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS BIGINT)"
