"""Files of requests, split at the provider's limits, hidden until they are whole."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from pydantic_core import to_json

from adjudge.contract import Fault, JsonObject
from adjudge.models import BatchFormat

_KEY_BYTES = 32


class BatchFault(Fault, RuntimeError):
    """A batch file that cannot be written or read: which one, why, and what to do."""


@dataclass
class RequestFile:
    """One file for one model: how many requests and bytes it holds, and their keys."""

    path: Path
    model: str
    format: BatchFormat
    requests: int = 0
    size: int = 0
    _keys: bytearray = field(default_factory=bytearray, repr=False)
    _stream: BinaryIO | None = field(default=None, repr=False)

    @property
    def keys(self) -> Iterator[str]:
        """The keys of its requests, in order."""
        for at in range(0, len(self._keys), _KEY_BYTES):
            yield self._keys[at : at + _KEY_BYTES].hex()

    @property
    def hidden(self) -> Path:
        """Where it is until it is whole."""
        return self.path.with_name(f".{self.path.name}.part")

    def has_room(self, request: bytes) -> bool:
        """Whether a request fits; one that is longer than all limits stands alone."""
        limits = self.format.limits
        size = self.size + len(self.format.between) + len(request) + len(self.format.tail)
        return not self.requests or (self.requests < limits.requests and size <= limits.size)

    def add(self, key: str, request: bytes) -> None:
        """Write one request."""
        if self._stream is None:
            self._stream = self.hidden.open("wb")
        before = self.format.between if self.requests else self.format.head
        self._stream.write(before)
        self._stream.write(request)
        self.size += len(before) + len(request)
        self.requests += 1
        self._keys += bytes.fromhex(key)

    def discard(self) -> None:
        """Take it away, unless it has its name."""
        stream, self._stream = self._stream, None
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
        self.hidden.unlink(missing_ok=True)

    def close(self) -> None:
        """Write the end."""
        if self._stream is not None:
            self._stream.write(self.format.tail)
            self.size += len(self.format.tail)
            self._stream.close()
            self._stream = None


class RequestFiles:
    """The files of one round in ``folder``, which is made: ``RUN-ROUND-MODEL-PART``.

    They get their names with ``publish``; leaving the block without it removes them.
    """

    def __init__(self, folder: Path, run: str) -> None:
        self.folder = folder
        self.files: list[RequestFile] = []
        self._run = run
        self._problem: BatchFault | None = None
        self._open: dict[str, RequestFile] = {}

    def __enter__(self) -> RequestFiles:
        try:
            there = [path.name for path in self.folder.iterdir()] if self.folder.exists() else []
        except OSError as error:
            raise self._fault(error) from None
        taken = [re.match(rf"{re.escape(self._run)}-(\d+)-", name) for name in there]
        self.round = 1 + max((int(found[1]) for found in taken if found), default=0)
        return self

    def __exit__(self, *problem: object) -> None:
        for file in self.files:
            file.discard()

    def add(self, model: str, form: BatchFormat, key: str, body: JsonObject, path: str) -> None:
        """Write the request with ``key`` to ``model``; ``body`` is what would be sent to ``path``.

        Never raises: it is called where an exception would be taken for an answer. ``close`` does.
        """
        if self._problem is not None:
            return
        request = to_json(form.request(key, body, path))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = self._open.get(model)
            if file is None or not file.has_room(request):
                file = self._open[model] = self._next(model, form)
            file.add(key, request)
        except OSError as error:
            self._problem = self._fault(error)

    def close(self) -> None:
        """Nothing more is added; raises ``BatchFault`` where not all could be written."""
        if self._problem is not None:
            raise self._problem
        try:
            for file in self.files:
                file.close()
        except OSError as error:
            raise self._fault(error) from None

    def publish(self) -> None:
        """Give the files their names."""
        try:
            for file in self.files:
                file.hidden.rename(file.path)
        except OSError as error:
            raise self._fault(error) from None

    def _next(self, model: str, form: BatchFormat) -> RequestFile:
        before = self._open.get(model)
        if before is not None:
            before.close()
        stem = f"{self._run}-{self.round}-" + re.sub(r"[^A-Za-z0-9._-]+", "-", model)[:80]
        # models whose names differ only in what no file name has share the numbers
        part = 1 + sum(file.path.name.startswith(f"{stem}-") for file in self.files)
        file = RequestFile(self.folder / f"{stem}-{part}{form.suffix}", model, form)
        self.files.append(file)
        return file

    def _fault(self, error: OSError) -> BatchFault:
        told = error.strerror or str(error)
        return BatchFault(
            f"{self.folder}: batch files cannot be written: {told}; set it right, or say another "
            "folder"
        )
