"""Lists of tools from files: our own TOML, or OpenAI's, Anthropic's and JSON-schema lists."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.browser.catalogue.model import ROLES, Catalogue, CatalogueError, Tool
from adjudge.judges.invalid import shown

BUILT_IN = ("assistant", "smart_window")
_HOLDERS = ("function", "toolSpec", "tool")
_SCHEMAS = ("parameters", "input_schema", "inputSchema", "json_schema")


@cache
def built_in(name: str) -> Catalogue:
    """``assistant`` (the five tools) or ``smart_window`` (the same, renamed)."""
    text = files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
    return Catalogue(_tools(tomllib.loads(text), name, infer=False))


@cache
def known_tools() -> Catalogue:
    """Every built-in tool by each of its names: what a name alone says about a tool's role."""
    return Catalogue((t for name in BUILT_IN for t in built_in(name).tools), closed=False)


def load_catalogue(source: str) -> Catalogue:
    """A built-in catalogue by name, or the one in a file. Raises ``CatalogueError``.

    A ``.toml`` file has our own form (``[[tool]]`` with ``name``, ``role``, ``aliases``,
    ``terminal``, ``description``, ``parameters``). Any other is JSON or JSON lines: a list of
    tools, or an object that holds one under ``tools``; each in OpenAI's, Anthropic's or the plain
    ``name`` and ``parameters`` form, and it may have ``role``, ``aliases`` and ``terminal`` too.
    """
    if source in BUILT_IN:
        return built_in(source)
    path = Path(source)
    try:
        text = path.read_text("utf-8")
        value = tomllib.loads(text) if path.suffix == ".toml" else _json(text)
    except OSError as error:
        raise CatalogueError(
            f"tools: expected {', '.join(BUILT_IN)} or a file of tools, found {source[:80]!r}"
            f" ({error.strerror})"
        ) from None
    except ValueError as error:
        raise CatalogueError(
            f"tools: {source[:200]}: expected TOML or JSON, found {error}"
        ) from None
    return Catalogue(_tools(value, source))


def catalogue_of(tools: Any) -> Catalogue:
    """A catalogue from a list in any of those forms. Raises ``CatalogueError``."""
    return Catalogue(_tools(tools, "tools"))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line) for line in lines]


def _tools(value: Any, where: str, *, infer: bool = True) -> Iterator[Tool]:
    """``infer``: a name that a built-in tool has says what its role is."""
    at = where
    if isinstance(value, dict):
        for holder in ("tool", "tools"):
            if isinstance(value.get(holder), list):
                value, at = value[holder], f"{where}: {holder}"
                break
        else:
            value = [value]
    if not isinstance(value, list):
        raise CatalogueError(f"{where}: expected a list of tools, found {shown(value)}")
    seen: set[str] = set()
    for index, one in enumerate(value):
        tool = _tool(one, f"{at}[{index}]", infer)
        if tool.name in seen:
            raise CatalogueError(
                f"{at}[{index}]: expected each name once, found {tool.name!r} again"
            )
        seen.add(tool.name)
        yield tool


def _tool(given: Any, at: str, infer: bool) -> Tool:
    if not isinstance(given, dict):
        raise CatalogueError(f"{at}: expected an object, found {shown(given)}")
    inner = next((given[h] for h in _HOLDERS if isinstance(given.get(h), dict)), given)
    name = inner.get("name")
    if not isinstance(name, str) or not name:
        raise CatalogueError(f"{at}.name: expected a tool's name, found {shown(name)}")
    known = known_role(name) if infer else None
    role = given.get("role", known.role if known else None)
    if role is not None and role not in ROLES:
        raise CatalogueError(f"{at}.role: expected {', '.join(ROLES)}, found {shown(role)}")
    aliases = given.get("aliases", ())
    if not (isinstance(aliases, list | tuple) and all(isinstance(a, str) for a in aliases)):
        raise CatalogueError(f"{at}.aliases: expected a list of names, found {shown(aliases)}")
    terminal = given.get("terminal", known.terminal if known else False)
    return Tool(
        name=name,
        role=role,
        aliases=tuple(aliases),
        description=inner.get("description") if isinstance(inner.get("description"), str) else None,
        parameters=_schema(inner),
        terminal=bool(terminal),
    )


def known_role(name: str) -> Tool | None:
    """The built-in tool of this name, by any of its names."""
    found = known_tools().find(name)
    return found.tool if found else None


def _schema(tool: JsonObject) -> Any:
    for field in _SCHEMAS:
        if isinstance(tool.get(field), dict):
            schema = tool[field]
            return schema["json"] if set(schema) == {"json"} else schema
    return None
