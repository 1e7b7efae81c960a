"""The command that was given, to be given again."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence


def command_again(*dropped: str) -> str:
    """This process's command line, less the options ``dropped`` with their values, and without the
    password of a store."""
    from adjudge.runs.address import masked

    return shlex.join(["adjudge", *map(masked, without(sys.argv[1:], dropped))])


def without(arguments: Sequence[str], dropped: Sequence[str]) -> list[str]:
    """``arguments`` less these options with their values.

    >>> without(["run", "robot", "a.jsonl", "--max-cost", "1", "--max-tokens=9", "-o", "x=1"],
    ...         ["--max-cost", "--max-tokens"])
    ['run', 'robot', 'a.jsonl', '-o', 'x=1']
    """
    kept: list[str] = []
    given = iter(arguments)
    for argument in given:
        if argument in dropped:
            next(given, None)
        elif not argument.startswith(tuple(f"{option}=" for option in dropped)):
            kept.append(argument)
    return kept
