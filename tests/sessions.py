"""Console sessions in the documents: what ``$`` lines print is what the document shows.

``python tests/sessions.py`` writes the real output into every document.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def documents() -> list[Path]:
    """Every document that may hold a session."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Kind, content and place of each block."""
    for found in _BLOCK.finditer(text):
        yield found[1], found[2], found.span(2)


def played(document: Path) -> str:
    """The document with what its sessions really print."""
    text = document.read_text(encoding="utf-8")
    parts: list[str] = []
    at = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        for kind, content, (start, end) in blocks(text):
            parts.append(text[at:start])
            if kind == "console" and content.startswith("$ adjudge"):
                parts.append(_session(content, folder))
            else:
                parts.append(content)
                if kind == "python":
                    _run([sys.executable, "-c", content], folder, content)
            at = end
    return "".join(parts) + text[at:]


def _session(content: str, folder: str) -> str:
    shown: list[str] = []
    for line in content.splitlines():
        if line.startswith("$ "):
            shown.append(line)
            command = [sys.executable, "-m", *line[2:].split()]
            shown += _run(command, folder, line, any_code=True).splitlines()
    return "\n".join(shown) + "\n"


def _run(command: list[str], folder: str, what: str, *, any_code: bool = False) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    environment.pop("ADJUDGE_STORE", None)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if "Traceback" in done.stderr or (done.returncode and not any_code):
        raise AssertionError(f"{what}\n{done.stderr}")
    return done.stdout + done.stderr


if __name__ == "__main__":
    for one in documents():
        one.write_text(played(one), encoding="utf-8")
