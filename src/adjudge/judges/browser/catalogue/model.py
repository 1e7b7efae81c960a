"""What tools there are: names, other names, roles, and the schemas of their arguments."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from adjudge.contract import Fault

ToolRole = Literal["read_page", "search_history", "preferences", "tabs", "web_search"]
ROLES: tuple[str, ...] = get_args(ToolRole)
_PREFIXES = ("functions.", "default_api.", "tools.")


class CatalogueError(Fault, ValueError):
    """A list of tools that cannot be used, and what it should hold."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. ``terminal``: calling it ends the conversation. ``parameters`` is a JSON schema."""

    name: str
    role: str | None = None
    aliases: tuple[str, ...] = ()
    description: str | None = None
    parameters: Any = field(default=None, hash=False)
    terminal: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A tool that a name stands for; ``alias`` where the name is not its own."""

    tool: Tool
    alias: bool


class Catalogue:
    """Tools by name.

    ``closed``: there are no others, so that a name it does not hold is unknown. ``assumed``: nobody
    said that these are the tools; they are taken to be, because the trace calls no other.
    """

    def __init__(
        self, tools: Iterable[Tool], *, closed: bool = True, assumed: bool = False
    ) -> None:
        self.tools = tuple(tools)
        self.closed = closed
        self.assumed = assumed
        self._names = {tool.name: Found(tool, False) for tool in self.tools}
        for tool in self.tools:
            for alias in tool.aliases:
                self._names.setdefault(alias, Found(tool, True))

    def find(self, name: str) -> Found | None:
        """The tool that ``name`` stands for.

        >>> tools = Catalogue([Tool("engine_search", aliases=("search_engine",))])
        >>> tools.find("search_engine").alias, tools.find("fetch")
        (True, None)
        """
        found = self._names.get(name)
        if found is None:
            for prefix in _PREFIXES:
                if name.startswith(prefix) and (own := self._names.get(name[len(prefix) :])):
                    return Found(own.tool, True)
        return found

    def near(self, name: str) -> str | None:
        """The name that was probably meant."""
        close = difflib.get_close_matches(name[:80], self._names, n=1)
        return self._names[close[0]].tool.name if close else None

    def has_role(self, role: str) -> bool:
        """Whether some tool is known to be there for this; of an open catalogue that is unknown."""
        return self.closed and any(tool.role == role for tool in self.tools)

    @property
    def names(self) -> Sequence[str]:
        """The tools' own names."""
        return [tool.name for tool in self.tools]
