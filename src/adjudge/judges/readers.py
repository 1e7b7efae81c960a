"""The formats that a judge's cases come in: its own, and those that installed packages add."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from adjudge.contract import Judge, Reader
from adjudge.judges.origin import is_rubric
from adjudge.judges.plugins import READERS, Plugin, PluginError, plugins

_log = logging.getLogger("adjudge")


def readers_of(judge: Judge, wanted: str | None = None) -> Mapping[str, Reader]:
    """Format name to reader: first those of installed packages, then the judge's own.

    Packages offer readers in the entry-point group ``adjudge.readers.NAME`` of the judge called
    so, and in ``adjudge.readers.rubric`` for all rubrics. One that cannot be used is left out and
    logged as a warning; ``PluginError`` where it is the one ``wanted``.
    """
    found: dict[str, Reader] = {}
    for name, plugin in reader_plugins(judge).items():
        try:
            found[name] = _offered(plugin)
        except PluginError as error:
            if name == wanted:
                raise
            _log.warning("%s", error)
    return {**found, **judge.readers()}


def unusable_readers(judge: Judge) -> list[PluginError]:
    """Why readers of installed packages are left out."""
    found: list[PluginError] = []
    for plugin in reader_plugins(judge).values():
        try:
            _offered(plugin)
        except PluginError as error:
            found.append(error)
    return found


def reader_plugins(judge: Judge) -> Mapping[str, Plugin]:
    """What installed packages offer for a judge, not imported yet."""
    name = "rubric" if is_rubric(type(judge)) else judge.name
    return plugins(f"{READERS}.{name}", taken=tuple(judge.readers()))


def _offered(plugin: Plugin) -> Reader:
    found = plugin.load()
    try:
        made = found() if isinstance(found, type) else found
    except Exception as error:
        raise plugin.wrong("a Reader, or its class without arguments", error) from error
    if not (callable(getattr(made, "detect", None)) and callable(getattr(made, "read", None))):
        raise plugin.wrong("a Reader (name, detect, read)", found)
    reader: Reader = made
    return reader
