"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

StoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="ADJUDGE_STORE",
        help="Where runs are kept: a SQLite file or a PostgreSQL URL.  [default: "
        "sqlite:///.adjudge/adjudge.db]",
    ),
]
