"""``--log-json``: what is asked and concluded as JSON lines, in a file or on standard error."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Annotated, TextIO

import typer

from adjudge.cli.ending import fail

LogJsonOption = Annotated[
    str | None,
    typer.Option(
        "--log-json",
        metavar="FILE",
        help="Append what is asked and concluded to a file, one JSON object a line; - is standard "
        "error, and no progress there.",
    ),
]
LogContentOption = Annotated[
    bool,
    typer.Option("--log-content", help="Prompts, answers and explanations too in --log-json."),
]


@contextlib.contextmanager
def logged(file: str | None, content: bool) -> Iterator[None]:
    """Within the block events of the logger ``adjudge`` go to ``file``."""
    if file is None:
        if content:
            fail("--log-content: expected --log-json with it, found none")
        yield
        return
    from adjudge.observing.json_lines import json_lines_to

    if file == "-":
        with json_lines_to(sys.stderr, content=content):
            yield
        return
    with _opened(file) as stream, json_lines_to(stream, content=content):
        yield


@contextlib.contextmanager
def _opened(file: str) -> Iterator[TextIO]:
    try:
        stream = open(file, "a", encoding="utf-8")  # noqa: SIM115
    except OSError as problem:
        fail(f"--log-json: expected a file to write, found {file}: {problem.strerror}")
    try:
        yield stream
    finally:
        with contextlib.suppress(OSError):  # of every line it was told before
            stream.close()
