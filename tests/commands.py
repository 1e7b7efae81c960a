"""Helps for tests of commands: ``adjudge ARGUMENTS`` within this process."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner, Result

from adjudge.cli.app import app


def adjudge(*arguments: str | Path) -> Result:
    """What the command came to: ``exit_code``, ``stdout``, ``stderr``."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
