"""Verdicts into a file, whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

from adjudge.contract import Fault
from adjudge.exports.table import write_csv

Lines = Callable[[], Iterable[str]]
"""Verdicts as JSON lines, from the start at each call: a format may read them twice."""


class UnknownFormat(Fault, ValueError):
    """No format goes by this suffix, or the file cannot be written."""


def write_jsonl(verdicts: Lines, stream: TextIO) -> None:
    """One verdict a line, byte for byte as stored."""
    for line in verdicts():
        stream.write(line + "\n")


_FORMATS = {".jsonl": write_jsonl, ".ndjson": write_jsonl, ".csv": write_csv}


def check_suffix(path: str) -> None:
    """Raise ``UnknownFormat`` unless ``path`` names a format and its folder is there."""
    if Path(path).suffix.lower() not in _FORMATS:
        raise UnknownFormat(
            f"output: expected a file name with {', '.join(_FORMATS)}, or - for standard output, "
            f"found {path[:80]!r}"
        )
    check_place(path)


def check_place(path: str) -> None:
    """Raise ``UnknownFormat`` unless ``path`` can be a file in a folder that is there."""
    target = Path(path)
    if target.is_dir() or not target.absolute().parent.is_dir():
        what = "a folder" if target.is_dir() else f"no folder {target.parent}"
        raise UnknownFormat(f"output: expected a file in a folder that exists, found {what}")


def write_file(path: str, verdicts: Lines) -> None:
    """Write ``verdicts`` to ``path`` in the format of its suffix, whole or not at all."""
    check_suffix(path)
    write = _FORMATS[Path(path).suffix.lower()]
    write_whole(path, lambda stream: write(verdicts, stream))


def write_whole(path: str, write: Callable[[TextIO], None]) -> None:
    """Have ``write`` fill the file at ``path``.

    A regular file is replaced in one step when all is written; others are written to directly.
    """
    check_place(path)
    target = Path(path)
    try:
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with target.open("w", encoding="utf-8", newline="") as stream:
                write(stream)
            return
        _replace(target.resolve(), write)
    except OSError as error:
        raise UnknownFormat(f"output {path}: cannot be written: {error.strerror}") from error


def _replace(target: Path, write: Callable[[TextIO], None]) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            write(stream)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """The rights the file has, or those that any new file would have."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
