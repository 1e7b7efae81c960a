"""Sessions in the documents: what ``$`` lines print is what the document shows.

A document is played from top to bottom in a folder of its own that holds the examples:

- ```` ```console ```` blocks that begin with ``$ adjudge``: the commands run, what they print is
  what the block shows, and of a command that ends in ``| head -N`` the first N lines. Where
  ``--base-url http://127.0.0.1:8000/v1`` stands in a command, an endpoint answers there: the
  importance of a turn is its number modulo 4, everything else gets the best its form allows.
- ```` ```python ```` blocks run.
- ```` ```… title="FILE" ```` blocks are that file, for all that comes after them; where the
  examples hold that file, the two must be equal.

``python tests/sessions.py [FILE…]`` writes the real output into every document, or into these.
"""

from __future__ import annotations

import atexit
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from adjudge.testing import Received
    from forked import Forked

ROOT = Path(__file__).parents[1]
ENDPOINT = "http://127.0.0.1:8000/v1"
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"\n]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, the file it is (if any), its content and where that stands."""

    kind: str
    file: str | None
    content: str
    span: tuple[int, int]


def documents() -> list[Path]:
    """Every document that may hold a session."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    """Every block that names its language."""
    for found in _BLOCK.finditer(text):
        yield Block(found[1], found[2], found[3], found.span(3))


def played(document: Path) -> str:
    """The document with what its sessions really print."""
    text = document.read_text(encoding="utf-8")
    parts: list[str] = []
    at = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        for block in blocks(text):
            start, end = block.span
            parts.append(text[at:start])
            parts.append(_play(block, Path(folder)))
            at = end
    return "".join(parts) + text[at:]


def _play(block: Block, folder: Path) -> str:
    """What the block should hold."""
    if block.file is not None:
        _write(folder / block.file, block)
    elif block.kind == "python":
        _python(block.content, folder)
    elif block.kind == "console" and block.content.startswith("$ adjudge"):
        return _session(block.content, folder)
    return block.content


def _write(path: Path, block: Block) -> None:
    if path.exists() and path.read_text(encoding="utf-8") != block.content:
        raise AssertionError(f"{block.file} is another file than the document shows")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.content, encoding="utf-8")


def _session(content: str, folder: Path) -> str:
    shown: list[str] = []
    with ExitStack() as stack:
        url = ENDPOINT
        if ENDPOINT in content:
            from adjudge.testing import MisbehavingEndpoint

            url = stack.enter_context(MisbehavingEndpoint(_generous)).url
        for line in content.splitlines():
            if line.startswith("$ "):
                shown.append(line)
                typed, _, head = line[2:].partition(" | head -")
                _, *words = shlex.split(typed.replace(ENDPOINT, url))
                printed = _command(words, folder).replace(url, ENDPOINT)
                shown += printed.splitlines()[: int(head) if head else None]
    return "\n".join(shown) + "\n"


def _generous(received: Received) -> Any:
    from adjudge.testing import Obedient

    turns = re.search(r"at these turns: ([\d, ]+)", received.prompt)
    if turns is None:
        return Obedient([""])(received)
    scores = [{"turn": int(t), "importance": int(t) % 4} for t in turns[1].split(", ")]
    return {"analysis": "It led to the agreement.", "scores": scores}


@cache
def _warm() -> Forked:
    from forked import Forked

    warm = Forked()
    atexit.register(warm.close)
    return warm


def _command(words: list[str], folder: Path) -> str:
    """All that ``adjudge WORDS`` prints, whatever its exit status."""
    _warm().wait(_warm().start(*words, cwd=folder))
    output = folder / "output"
    printed = output.read_text(encoding="utf-8")
    output.unlink()
    if "Traceback" in printed:
        raise AssertionError(f"adjudge {shlex.join(words)}\n{printed}")
    return printed


def _python(content: str, folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", content]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise AssertionError(f"{content}\n{done.stderr}")


if __name__ == "__main__":
    for one in [Path(name) for name in sys.argv[1:]] or documents():
        one.write_text(played(one), encoding="utf-8")
