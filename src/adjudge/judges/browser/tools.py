"""Which tools a case is judged with."""

from __future__ import annotations

import re

from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.catalogue import (
    BUILT_IN,
    Catalogue,
    Tool,
    built_in,
    known_role,
    known_tools,
)

_NAMES_THAT_TELL = 2
_PLAIN = "plain"


def catalogue_for(case: BrowserCase, given: Catalogue | None) -> Catalogue:
    """``given`` by the user; else what the trace offers; else what its calls allow to assume.

    A trace that calls built-in tools and no others, or whose system prompt names two of them, is
    taken to have that built-in set, and so is a case in the plain form that calls nothing.
    Otherwise the tools are not known: no name is unknown, and names that a built-in tool has tell
    its role.
    """
    if given is not None:
        return given
    if case.tools is not None:
        return Catalogue(_offered(case))
    names = {call.name for message in case.messages for call in message.calls}
    for name in BUILT_IN:
        tools = built_in(name)
        if names and all(tools.find(called) for called in names):
            return _assumed(name)
    if not names and (case.source == _PLAIN or _named_in_prompt(case)):
        return _assumed(BUILT_IN[0])
    return known_tools()


def _assumed(name: str) -> Catalogue:
    kept = _ASSUMED.get(name)
    if kept is None:
        kept = _ASSUMED[name] = Catalogue(built_in(name).tools, assumed=True)
    return kept


_ASSUMED: dict[str, Catalogue] = {}


def _named_in_prompt(case: BrowserCase) -> bool:
    first = case.messages[0]
    if first.role != "system" or not first.text:
        return False
    text = first.text
    tools = built_in(BUILT_IN[0]).names
    named = sum(re.search(rf"\b{re.escape(name)}\b", text) is not None for name in tools)
    return named >= _NAMES_THAT_TELL


def _offered(case: BrowserCase) -> list[Tool]:
    tools = {}
    for tool in case.tools or ():
        known = known_role(tool.name)
        tools[tool.name] = Tool(
            name=tool.name,
            role=known.role if known else None,
            description=tool.description,
            parameters=tool.parameters,
            terminal=known.terminal if known else False,
        )
    return list(tools.values())
