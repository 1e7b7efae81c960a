"""How commands end: faults and a full disk as one line and exit 2, Ctrl-C as 130, a closed pipe in
silence."""

from __future__ import annotations

import errno
import functools
import io
import os
import sys
from collections.abc import Callable
from typing import NoReturn, ParamSpec, TypeVar

import typer

ALL_SCORED = 0
WRONG = 2
NOT_ALL_SCORED = 3
INTERRUPTED = 130
_PIPE_CLOSED = 141
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT)

P = ParamSpec("P")
T = TypeVar("T")


def command(function: Callable[P, T]) -> Callable[P, T]:
    """The function as a command that ends in the same ways as all others."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        from adjudge.contract.faults import Fault

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # what an encoding lacks ends no command
                stream.reconfigure(errors="backslashreplace")
        try:
            result = function(*args, **kwargs)
            sys.stdout.flush()
            return result
        except Fault as fault:
            fail(str(fault))
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _write_no_more()
            raise typer.Exit(_PIPE_CLOSED) from None
        except OSError as error:
            if error.filename is not None or error.errno not in _FULL:
                raise
            _write_no_more()
            fail(f"standard output cannot be written: {error.strerror}")

    return wrapped


def _write_no_more() -> None:
    """Python flushes standard output once more as it exits: let that go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str) -> NoReturn:
    """Say what is wrong on standard error, and exit 2."""
    from adjudge.cli.terminal import visible

    print(f"adjudge: {visible(message)}", file=sys.stderr)
    raise typer.Exit(WRONG)
