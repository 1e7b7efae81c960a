"""Helps for tests that ask: cases that need a question, answers, and runs that ask an endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import OperationalError, ProgrammingError

from adjudge.testing import MisbehavingEndpoint, Received

MODEL = "openai-compatible:any"
PLAN = ["navigate(shelf)", "pick(book)", "place_on(book, table)"]


def unsettled(number: int, **more: Any) -> dict[str, Any]:
    """A robot case whose goal nobody can read: its bounds leave 0 to 4, so a model is asked."""
    return {
        "id": f"case-{number}",
        "instruction": f"Do the usual with shelf number {number}.",
        "plan": PLAN,
        **more,
    }


def verdict_of(score: int, summary: str = "It did as it was told.") -> dict[str, Any]:
    """An answer in the robot judge's form."""
    return {
        "summary": summary,
        "execution_analysis": "Every action of it could be executed.",
        "evaluate": "What was asked for is there in the end.",
        "score": score,
        "success_boolean": score >= 3,
    }


def about(received: Received) -> int:
    """Which case of ``unsettled`` a request is about, a repair turn too."""
    first = next(m["content"] for m in received.body["messages"] if m["role"] == "user")
    return int(first.partition("shelf number ")[2].split(".")[0])


def by_number(received: Received) -> dict[str, Any]:
    """An answer that names the case it is about; its score depends on that alone."""
    number = about(received)
    return verdict_of(number % 5, summary=f"This was about {number}.")


def asked_about(requests: Iterable[Received]) -> list[int]:
    """The cases that requests are about, in order."""
    return [about(received) for received in requests]


def asking(endpoint: MisbehavingEndpoint, *more: str) -> list[str]:
    """The options that ask ``endpoint``."""
    return ["--model", MODEL, "--base-url", endpoint.url, *more]


def rows(store: Path | str, query: str) -> list[Any]:
    """What a query finds in a store, a file or a URL, that another process may write to; nothing
    without one."""
    url = make_url(store) if isinstance(store, str) else make_url(f"sqlite:///{store}")
    if url.drivername == "sqlite" and not Path(str(url.database)).exists():
        return []
    engine = create_engine(url, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query))]
    except (OperationalError, ProgrammingError):  # the tables are not made yet
        return []


def stored_verdicts(store: Path) -> list[dict[str, Any]]:
    """All verdicts in a store, by position."""
    found = rows(store, "SELECT body FROM adjudge_verdicts ORDER BY run, position")
    return [json.loads(body) for (body,) in found]
