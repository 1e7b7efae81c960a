"""What installed packages add, by entry points; none is imported before it is used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from adjudge.contract import Fault

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

JUDGES = "adjudge.judges"
READERS = "adjudge.readers"
EXPORTERS = "adjudge.exporters"


class PluginError(Fault, ImportError):
    """Something that a package offers and that cannot be used: which package, and why."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A name that one package, or by mistake several, offer in a group."""

    group: str
    name: str
    entries: tuple[EntryPoint, ...]

    @property
    def package(self) -> str:
        """The package that offers it."""
        return " and ".join(_package(entry) for entry in self.entries)

    def load(self) -> Any:
        """What is offered. Raises ``PluginError``, naming the package."""
        kind = self.group.split(".")[1].removesuffix("s")
        first = self.entries[0]
        if len(self.entries) > 1:
            raise PluginError(
                f"{kind} {self.name!r}: expected one package that offers it, found {self.package}; "
                "uninstall all but one"
            )
        try:
            return first.load()
        except (Exception, SystemExit) as error:  # importing may raise anything
            told = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            raise PluginError(
                f"{kind} {self.name!r} of the package {self.package} ({first.value}) cannot be "
                f"imported: {told}; mend or uninstall the package"
            ) from error

    def wrong(self, expected: str, found: Any) -> PluginError:
        """The error where what is offered is of another kind."""
        kind = self.group.split(".")[1].removesuffix("s")
        return PluginError(
            f"{kind} {self.name!r} of the package {self.package}: expected {expected} at "
            f"{self.entries[0].value}, found {found!r:.80}"
        )


def plugins(group: str, taken: Sequence[str] = ()) -> dict[str, Plugin]:
    """Name to plugin, in order of names, of an entry-point group; less the names that are
    ``taken``."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for entry in _offered(tuple(sys.path)):
        if entry.group == group:
            found.setdefault(entry.name, {})[_package(entry)] = entry
    return {
        name: Plugin(group, name, tuple(by for _, by in sorted(found[name].items())))
        for name in sorted(found)
        if name not in taken
    }


@lru_cache(maxsize=4)
def _offered(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """All that is offered to us on ``path``, looked up once."""
    # imported late: what comes with us needs no look at what is installed
    from importlib.metadata import distributions

    ours = (JUDGES, READERS, EXPORTERS)
    found: list[EntryPoint] = []
    seen: set[str] = set()
    for one in distributions():
        if one.name not in seen:  # the first on the path is the one that is imported
            seen.add(one.name)
            found += [entry for entry in one.entry_points if entry.group.startswith(ours)]
    return tuple(found)


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else "unknown"
