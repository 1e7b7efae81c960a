"""Judges in a Python file of one's own: ``./mine.py:Class``."""

from __future__ import annotations

import hashlib
import importlib.abc
import importlib.util
import os
import sys
import traceback
from dataclasses import dataclass
from types import ModuleType

from adjudge.contract import Fault, Judge

_PREFIX = "adjudge_own_file_"


class JudgeFileError(Fault, ImportError):
    """A file that holds no judge: which line, what was expected, what was found."""


@dataclass(frozen=True, slots=True)
class JudgeFile:
    """A file as it was read: its path as it was given, and its content."""

    where: str
    path: str
    content: bytes

    @classmethod
    def read(cls, where: str) -> JudgeFile:
        """The file at a path. Raises ``JudgeFileError``."""
        try:
            with open(where, "rb") as stream:
                return cls(where, os.path.abspath(where), stream.read())
        except OSError as error:
            raise JudgeFileError(
                f"{where}: expected a Python file, found: {error.strerror}"
            ) from None

    @property
    def sha256(self) -> str:
        """Of the content, in hex. What it imports is not in it."""
        return hashlib.sha256(self.content).hexdigest()

    def module(self) -> ModuleType:
        """The file as a module, run once for each content it has had. Raises ``JudgeFileError``.

        Modules beside the file can be imported by it.
        """
        name = _PREFIX + hashlib.sha256(self.path.encode() + b"\0" + self.content).hexdigest()[:24]
        if name in sys.modules:
            return sys.modules[name]
        folder = os.path.dirname(self.path)
        if folder not in sys.path:
            sys.path.append(folder)  # at the end: what is installed is not hidden by it
        spec = importlib.util.spec_from_loader(name, _Loader(self), origin=self.path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.__dict__["__adjudge_file__"] = self
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            del sys.modules[name]
            raise self._failed(error) from error
        return module

    def _failed(self, error: BaseException) -> JudgeFileError:
        line = error.lineno if isinstance(error, SyntaxError) else None
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == self.path:
                line = frame.lineno
        told = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        place = self.where if line is None else f"{self.where}:{line}"
        return JudgeFileError(f"{place}: expected Python that can be run, found {told}")

    def judge(self, class_name: str = "") -> type[Judge]:
        """The judge of this name; without one the only judge that the file defines.

        Raises ``JudgeFileError``.
        """
        module = self.module()
        own = {
            name: value
            for name, value in vars(module).items()
            if isinstance(value, type)
            and issubclass(value, Judge)
            and value.__module__ == module.__name__
        }
        listed = ", ".join(f"{self.where}:{name}" for name in own) or "none in it"
        if not class_name:
            if len(own) != 1:
                raise JudgeFileError(f"{self.where}: expected one Judge class, found {listed}")
            return next(iter(own.values()))
        found = getattr(module, class_name, None)
        if not (isinstance(found, type) and issubclass(found, Judge)):
            what = "no such name" if found is None else f"{found!r:.80}"
            raise JudgeFileError(
                f"{self.where}:{class_name}: expected a Judge class, found {what}; there is: "
                f"{listed}"
            )
        return found


def file_of(kind: type) -> JudgeFile | None:
    """The file that a class was defined in, if it was loaded from one."""
    module = sys.modules.get(kind.__module__)
    found = getattr(module, "__adjudge_file__", None)
    return found if isinstance(found, JudgeFile) else None


class _Loader(importlib.abc.SourceLoader):
    """Runs the very bytes that were read."""

    def __init__(self, file: JudgeFile) -> None:
        self._file = file

    def get_filename(self, fullname: str) -> str:
        return self._file.path

    def get_data(self, path: str | bytes) -> bytes:
        if path != self._file.path:
            raise OSError("no compiled file is kept")
        return self._file.content
