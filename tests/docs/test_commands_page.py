"""The page on commands is what the commands say, and what documents tell to type can be typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import command_reference
import sessions

COMMANDS = command_reference.commands()
EXAMPLES = [
    line
    for command in COMMANDS.values()
    for line in command_reference.examples(command)
    if line.startswith("adjudge ")
]
_CODE = re.compile(r"`(adjudge [^`\n]+)`")
_OPTION = re.compile(r"`(--[a-z][a-z-]*)(?![a-z.-])[^`]*`")
_SAID = re.compile(r"^(?:\$ )?(adjudge .+)$", re.MULTILINE)
FOREIGN = {"--help", "--disagreements"}
"""Options of other programs, and the one that every command has."""


def test_the_page_is_what_the_commands_say() -> None:
    shown = command_reference.PAGE.read_text(encoding="utf-8")
    assert shown == command_reference.page(), "renew with: python tests/command_reference.py"


def called(words: list[str]) -> tuple[str, Any, list[str]]:
    """The command that is called, by its words, and what is given to it."""
    for count in (3, 2):
        name = " ".join(words[:count])
        if name in COMMANDS:
            return name, COMMANDS[name], words[count:]
    raise AssertionError(f"no such command: {' '.join(words)}")


def options(command: Any) -> set[str]:
    return {name for one in command.params for name in (*one.opts, *one.secondary_opts)}


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_of_the_help_can_be_typed(line: str) -> None:
    name, command, given = called(shlex.split(line.partition(" | ")[0]))
    assert command.make_context(name, given)


@pytest.mark.parametrize("document", sessions.documents(), ids=lambda path: path.name)
def test_what_a_document_tells_to_type_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    groups = {name.rpartition(" ")[0] for name in COMMANDS if name.count(" ") > 1}
    for line in {*_CODE.findall(text), *_SAID.findall(text)} - groups:
        _, command, given = called(shlex.split(line.partition(" | ")[0]))
        typed = {word.partition("=")[0] for word in given if re.match(r"--?[a-z]", word)}
        assert typed <= {*options(command), "--help", "-h"}, line


@pytest.mark.parametrize("document", sessions.documents(), ids=lambda path: path.name)
def test_an_option_that_a_document_names_exists(document: Path) -> None:
    named = set(_OPTION.findall(document.read_text(encoding="utf-8")))
    there = set().union(*(options(command) for command in COMMANDS.values()))
    assert named <= there | FOREIGN
