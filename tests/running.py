"""Helps for tests that run things: cases in files, the command line in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from adjudge.contract import Verdict
from adjudge.inputs import expand
from adjudge.runs.engine import Judged, Task, judge_places
from adjudge.runs.places import places

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if not k.startswith("ADJUDGE")},
    "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]),
}


def write_lines(path: Path, lines: Iterable[Any]) -> Path:
    """JSON lines; a string is written as it is."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(text + "\n" for text in texts))
    return path


def judged(task: Task, *paths: Path, workers: int = 1) -> list[Judged]:
    """All that judging the files gives."""
    sources = expand(paths)
    names = [source.name for source in sources]
    return list(judge_places(task, places(sources), names, workers=workers))


def verdicts(task: Task, *paths: Path, workers: int = 1) -> list[Verdict]:
    """The verdicts on the files."""
    return [one.verdict() for one in judged(task, *paths, workers=workers)]


def adjudge(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """``adjudge ARGUMENTS`` in a process of its own."""
    return subprocess.run(
        command(*arguments), cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def started(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.Popen[str]:
    """``adjudge ARGUMENTS``, begun and not waited for, in a process group of its own."""
    return subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        env={**ENVIRONMENT, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def command(*arguments: str | Path) -> list[str]:
    """The command line, without relying on an installed script."""
    return [sys.executable, "-m", "adjudge", *map(str, arguments)]
