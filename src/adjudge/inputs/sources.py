"""What the user named, as a list of sources: files, folders, globs, standard input."""

from __future__ import annotations

import glob
import hashlib
import os
import stat
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from io import BufferedReader
from pathlib import Path, PurePath
from typing import IO

from adjudge.inputs.pieces import Broken

SUFFIXES = (".json", ".jsonl", ".ndjson")
_KNOWN = (*(s + z for s in SUFFIXES for z in ("", ".gz")), ".eval")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read, or the reason there is none.

    ``name`` is the path as the user gave it (``-`` for standard input; a byte that is not UTF-8 is
    ``\\xff``), ``label`` a short name that no other source of the same list has: the ids of cases
    without one begin with it.
    """

    name: str
    path: str = ""
    label: str = ""
    problem: Broken | None = None
    _kept: IO[bytes] | None = field(default=None, repr=False, compare=False)

    def open(self) -> BufferedReader:
        """The bytes, from the start; raises ``OSError``."""
        return open(self.path, "rb")

    def digest(self) -> str:
        """The SHA-256 of the bytes; of the problem where there are none."""
        made = hashlib.sha256()
        if self.problem is not None:
            made.update(self.problem.found.encode("utf-8", "replace"))
            return made.hexdigest()
        try:
            with self.open() as stream:
                while chunk := stream.read(_CHUNK):
                    made.update(chunk)
        except OSError as error:  # reading it as records will say so, in its place
            made.update(str(error).encode())
        return made.hexdigest()


def expand(arguments: Iterable[str | os.PathLike[str]]) -> list[Source]:
    """Every file that ``arguments`` name, in order; what cannot be had keeps its place and reason.

    An argument is a file, a folder (every ``.json``, ``.jsonl`` and ``.ndjson`` file below it,
    ``.gz`` and ``.eval`` too, sorted by path), a glob, or ``-``. Anything that is not a regular
    file (standard input, a pipe) is copied to a temporary file first: it is read more than once.
    """
    found = [s for argument in arguments for s in _expand_one(os.fspath(argument))]
    return _labelled(found)


def _expand_one(argument: str) -> Iterator[Source]:
    if argument == "-":
        yield _spooled("-", sys.stdin.buffer)
    elif os.path.isdir(argument):
        yield from _folder(argument)
    elif not os.path.lexists(argument) and glob.has_magic(argument):
        matches = sorted(glob.glob(argument, recursive=True))
        if not matches:
            yield _problem(argument, "a pattern that matches a file", "no match")
        for match in matches:
            yield from _folder(match) if os.path.isdir(match) else iter([_file(match)])
    else:
        yield _file(argument)


def _folder(folder: str) -> Iterator[Source]:
    problems: list[OSError] = []
    paths: list[str] = []
    for root, folders, files in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        paths.extend(
            os.path.join(root, f)
            for f in files
            if f.lower().endswith(_KNOWN) and not f.startswith(".")
        )
    for problem in problems:
        yield _problem(str(problem.filename), "a folder that can be read", _why(problem))
    if not paths and not problems:
        yield _problem(folder, f"a folder with {', '.join(SUFFIXES)} files", "none in it")
    yield from (_file(path) for path in sorted(paths))


def _file(path: str) -> Source:
    try:
        mode = os.stat(path).st_mode
        with open(path, "rb") as stream:
            if not stat.S_ISREG(mode):
                return _spooled(path, stream)
    except (OSError, ValueError) as error:
        return _problem(path, "a file that can be read", _why(error))
    return Source(name=_writable(path), path=path)


def _spooled(name: str, stream: IO[bytes]) -> Source:
    # The source keeps the file object: the temporary file lives as long as it does.
    kept = tempfile.NamedTemporaryFile(prefix="adjudge-")  # noqa: SIM115
    while chunk := stream.read(_CHUNK):
        kept.write(chunk)
    kept.flush()
    return Source(name=_writable(name), path=kept.name, _kept=kept)


def _problem(name: str, expected: str, found: str) -> Source:
    name = _writable(name)
    problem = Broken(name, None, expected, found, code="unreadable")
    return Source(name=name, problem=problem)


def _writable(name: str) -> str:
    """A file's name with ``\\xff`` for a byte that is not UTF-8: it stands in verdicts."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _labelled(sources: list[Source]) -> list[Source]:
    """The stem, or as many folders before it as it takes to tell two files apart.

    Folders that all files share are left out: a tree has the same labels wherever it stands.
    """
    parts = [_parts(source.name) for source in sources]
    common = _common(p[:-1] for p in parts)
    parts = [p[common:] for p in parts]
    length = [1] * len(sources)
    while True:
        labels = ["/".join(p[-n:]) for p, n in zip(parts, length, strict=True)]
        shared = Counter(labels)
        grown = [
            n + 1 if shared[label] > 1 and n < len(p) else n
            for label, n, p in zip(labels, length, parts, strict=True)
        ]
        if grown == length:
            break
        length = grown
    return [replace(s, label=label) for s, label in zip(sources, labels, strict=True)]


def _common(folders: Iterable[list[str]]) -> int:
    """How many folders all paths begin with."""
    count = 0
    for level in zip(*folders, strict=False):
        if len(set(level)) > 1:
            break
        count += 1
    return count


def _parts(name: str) -> list[str]:
    if name == "-":
        return ["stdin"]
    path = PurePath(name)
    stem = path.name
    for suffix in sorted(_KNOWN, key=len, reverse=True):
        if stem.lower().endswith(suffix) and len(stem) > len(suffix):
            stem = stem[: -len(suffix)]
            break
    return [*(p for p in Path(name).parent.parts if p not in ("/", ".", "..")), stem]
