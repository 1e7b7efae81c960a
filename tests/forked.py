"""The command line in children of one warm process: a start takes milliseconds, not half a second.

``python tests/forked.py`` reads one command a line, ``{"cwd": …, "arguments": […]}``, answers with
the number of the process that runs it, and with how that one ended once it is asked for it
(``{"wait": number}``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from running import ENVIRONMENT


class Forked:
    """The warm process, from the outside. Close it when done."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, *arguments: str, cwd: Path) -> int:
        """Begin ``adjudge ARGUMENTS``; what it writes goes to ``cwd/output``. Its number."""
        return int(self._call({"cwd": str(cwd), "arguments": list(arguments)}))

    def wait(self, number: int) -> int:
        """How it ended: its exit status, less than 0 where a signal ended it."""
        return int(self._call({"wait": number}))

    def close(self) -> None:
        """End the warm process."""
        self._process.communicate()

    def _call(self, command: dict[str, Any]) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


def _run(command: dict[str, Any]) -> None:
    from adjudge.cli import main

    os.chdir(command["cwd"])
    output = os.open("output", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.argv = ["adjudge", *command["arguments"]]
    status = 1
    try:
        main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _warm() -> None:
    """Import, compile and open once what every child would; no thread is left behind."""
    import contextlib
    import importlib
    import io
    import tempfile

    from adjudge.cli import main
    from scripted import unsettled

    for name in ("aiohttp", "adjudge.runs.running", "adjudge.cli.interrupts"):
        importlib.import_module(name)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        Path("case.json").write_text(json.dumps(unsettled(0)))
        for arguments in (["run", "robot", "case.json"], ["render", "robot", "case.json"]):
            sys.argv = ["adjudge", *arguments]
            with contextlib.suppress(SystemExit):
                main()
        os.chdir(before)


def _serve() -> None:
    _warm()
    for line in sys.stdin:
        command = json.loads(line)
        if "wait" in command:
            _, status = os.waitpid(command["wait"], 0)
            answer = os.waitstatus_to_exitcode(status)
        else:
            answer = os.fork()
            if answer == 0:
                _run(command)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
