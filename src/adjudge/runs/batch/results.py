"""Files of results: read once from end to end, then looked up by id; only places are in memory."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, NamedTuple

from adjudge.inputs import expand
from adjudge.models import (
    BATCH_FORMATS,
    PROVIDERS,
    BatchResult,
    ModelFailure,
    parse_model,
)
from adjudge.models.failures import unknown_part
from adjudge.models.parsing import safe
from adjudge.runs.batch.files import BatchFault
from adjudge.runs.batch.questions import Asked, BatchQuestions, Failed
from adjudge.runs.seen import FirstSeen, Seen

_CHUNK = 500
_LISTED = 100
_OFFSET = 40
_FORMATS = tuple(dict.fromkeys(BATCH_FORMATS.values()))


class _Line(NamedTuple):
    """One line: where it begins, its name, and the result in it or what is wrong with it."""

    where: int
    name: str
    result: BatchResult | None
    wrong: str


@dataclass
class Taken:
    """What came of reading: lines with a good result, with an error (by its kind), with a result
    of a question that has one, with an id that the run never asked, and without a result. The
    first of the last two kinds are ``listed``, with file and line."""

    good: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    duplicates: int = 0
    unknown: int = 0
    broken: int = 0
    listed: list[str] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """All of them."""
        return self.good + self.failed.total() + self.duplicates + self.unknown + self.broken

    @property
    def useless(self) -> int:
        """Those that answered nothing and told nothing that was known."""
        return self.failed.total() + self.unknown + self.broken

    def name(self, what: str) -> None:
        """List one."""
        if len(self.listed) < _LISTED:
            self.listed.append(what)


class Results:
    """Results by custom id, in any number of files (plain or gzip); without files there are none.

    Raises ``BatchFault`` for a file that cannot be read.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = names
        self._files: list[tuple[str, IO[bytes]]] = []
        self._cut: list[str] = []
        self._good = FirstSeen()
        self._final = FirstSeen()
        self._failed = Seen()

    def __enter__(self) -> Results:
        sources = expand(self._names)
        for source in sources:
            if source.problem is not None:
                told = f"expected {source.problem.expected}, found {source.problem.found}"
                raise BatchFault(f"{source.name}: {told}")
        for source in sources:
            self._files.append((source.name, self._plain(source.name, source.open())))
        return self

    def __exit__(self, *problem: object) -> None:
        for _, file in self._files:
            file.close()

    def get(self, key: str) -> BatchResult | None:
        """The result of the request with this id: the first good one, else a final error. ``None``
        too where it cannot be read any more."""
        where = self._good.where(key)
        if where is None:
            where = self._final.where(key)
        if where is None:
            return None
        file = self._files[where >> _OFFSET][1]
        try:
            file.seek(where & ((1 << _OFFSET) - 1))
            result, _ = _result(file.readline())
        except OSError:
            return None
        return result if result is not None and result.custom_id == key else None

    def take(self, questions: BatchQuestions, *, final: bool = False) -> Taken:
        """Read all files from end to end.

        The first good result of a question counts. An error is kept as the reason why there is
        none, so that the question is asked again; with ``final`` it is the result, unless there is
        a good one.
        """
        taken = Taken()
        for cut in self._cut:
            taken.broken += 1
            taken.name(cut)
        lines = self._lines()
        while some := list(islice(lines, _CHUNK)):
            there = questions.find({line.result.custom_id for line in some if line.result})
            failures = []
            for line in some:
                failed = self._take(line, there, taken)
                if failed is not None and final:
                    self._final.add(failed.key, line.where)
                elif failed is not None:
                    failures.append(failed)
            if failures:
                questions.fail(failures)
        return taken

    def _take(self, line: _Line, there: dict[str, Asked], taken: Taken) -> Failed | None:
        """Count one line; the failure that it tells of, if it is the first of its question."""
        if line.result is None:
            taken.broken += 1
            taken.name(f"{line.name}: {line.wrong}")
            return None
        key = line.result.custom_id
        asked = there.get(key)
        if asked is None:
            taken.unknown += 1
            taken.name(f"{line.name}: custom_id {key[:80]!r}: the run asked no such question")
            return None
        seen = asked.answered or self._good.where(key) is not None
        problem = None if seen else _failure(line.result, asked)
        if seen or (problem is not None and key in self._failed):
            taken.duplicates += 1
            return None
        if problem is None:
            taken.good += 1
            self._good.add(key, line.where)
            return None
        self._failed.add(key)
        taken.failed[problem.reason.removeprefix("batch: ").partition(":")[0]] += 1
        unknown = unknown_part(problem.http_status, problem.raw or "")
        return Failed(key, asked.model, safe(problem.reason), unknown)

    def _lines(self) -> Iterator[_Line]:
        for index, (name, file) in enumerate(self._files):
            offset = 0
            for number, text in enumerate(file, start=1):
                if text.strip():
                    yield _Line(index << _OFFSET | offset, f"{name}:{number}", *_result(text))
                offset += len(text)

    def _plain(self, name: str, file: IO[bytes]) -> IO[bytes]:
        """The file, or what is compressed in it."""
        magic = file.read(2)
        file.seek(0)
        if magic != b"\x1f\x8b":
            return file
        made = tempfile.TemporaryFile(prefix="adjudge-")  # noqa: SIM115
        try:
            with file, gzip.open(file) as unpacked:
                shutil.copyfileobj(unpacked, made)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self._cut.append(f"{name}: the compressed file is damaged or cut off; get it again")
        made.seek(0)
        return made


def _result(text: bytes) -> tuple[BatchResult | None, str]:
    """The result in a line, or what is wrong with it."""
    try:
        line = json.loads(text.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        shown = text[:60].decode("utf-8", "replace").strip()
        more = "" if text.endswith(b"\n") else ", cut off at the end of the file; get it again"
        return None, f"expected a JSON object, found {shown!r}{more}"
    if isinstance(line, dict):
        for form in _FORMATS:
            result = form.result(line)
            if result is not None:
                return result, ""
    return None, (
        "expected a result with custom_id and response, error or result, found "
        f"{', '.join(map(str, line))[:80] if isinstance(line, dict) else type(line).__name__}"
    )


def _failure(result: BatchResult, asked: Asked) -> ModelFailure | None:
    """The error, if it is one: a refusal, or that a question is too long, is an answer."""
    if not result.errored:
        return None
    try:
        result.response(PROVIDERS[parse_model(asked.model).provider].dialect)
    except ModelFailure as problem:
        return problem if problem.status == "error" else None
    return None
