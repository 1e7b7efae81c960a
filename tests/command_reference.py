"""The page on commands, made from the commands.

``python tests/command_reference.py`` writes it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from adjudge.cli.app import app

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
_NOTE = re.compile(r"\s*\[((?:default|env var|required|x>=|[0-9.]+<=x)[^\]]*)\]")
_VALUES = {
    "<int range>": "N",
    "<int>": "N",
    "<float range>": "X",
    "<float>": "X",
    "<str>": "TEXT",
}
_OPENING = """\
# Commands

Made from the commands themselves (`python tests/command_reference.py`); a test compares. Each also
prints its part with `--help`.
"""


def commands() -> dict[str, Any]:
    """Every command by the words that call it: ``adjudge run``, ``adjudge label import``."""
    return dict(_below("adjudge", get_command(app)))


def _below(words: str, command: Any) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield words, command
        return
    for name, child in children.items():
        yield from _below(f"{words} {name}", child)


def examples(command: Any) -> list[str]:
    """The lines of a command's help that begin with a command."""
    lines = (line.strip() for line in (command.help or "").splitlines())
    return [line for line in lines if "adjudge " in line and not line.endswith(".")]


def page() -> str:
    """The whole page."""
    parts = [_OPENING]
    found = commands()
    parts.append("\n".join(["| command | |", "|---|---|", *map(_line, found.items())]) + "\n")
    parts += [_section(words, command) for words, command in found.items()]
    return "\n".join(parts)


def _line(item: tuple[str, Any]) -> str:
    words, command = item
    return f"| [`{words}`](#{words.replace(' ', '-')}) | {_cell(_paragraphs(command)[0])} |"


def _paragraphs(command: Any) -> list[str]:
    return inspect.cleandoc(command.help or "").split("\n\n")


def _section(words: str, command: Any) -> str:
    context = command.make_context(words, [], resilient_parsing=True)
    pieces = [_argument(piece) for piece in command.collect_usage_pieces(context)]
    first, *rest = _paragraphs(command)
    parts = [f"## {words}\n", f"{first}\n", f"```text\n{' '.join([words, *pieces])}\n```\n"]
    parts += [_paragraph(text) for text in rest]
    for kind in ("argument", "option"):
        rows = [_row(one, context) for one in command.params if one.param_type_name == kind]
        if rows:
            parts.append("\n".join([f"| {kind} | | default |", "|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _paragraph(text: str) -> str:
    if not text.startswith("\b"):
        return f"{text}\n"
    title, *lines = text.lstrip("\b\n").splitlines()
    return f"{title}\n\n```text\n" + inspect.cleandoc("\n".join(lines)) + "\n```\n"


def _row(parameter: Any, context: Any) -> str:
    """What ``--help`` says of one parameter: its name, its text, and in a column its default."""
    name, text = parameter.get_help_record(context)
    if parameter.param_type_name == "argument":
        name = _argument(*parameter.get_usage_pieces(context)).strip("[]").replace("]...", "...")
    for kind, word in _VALUES.items():
        name = name.replace(kind, word)
    default = "required" if parameter.required else ""
    told: list[str] = []
    for note in "; ".join(_NOTE.findall(text)).split("; "):
        label, _, value = note.partition(": ")
        if label == "default":
            default = value
        elif label == "env var":
            told.append(f"In the environment: {value}.")
        elif label != "required":
            told.append(_range(note))
    told.insert(0, _NOTE.sub("", text))
    return f"| `{_cell(name)}` | {_cell(' '.join(told))} | {_cell(default)} |"


def _range(note: str) -> str:
    """``x>=1`` and ``0<=x<=1`` in words."""
    if note.startswith("x>="):
        return f"At least {note[3:]}."
    low, _, high = note.partition("<=x<=")
    return f"From {low} to {high}." if high else note


def _argument(metavar: str) -> str:
    """``{judge}`` as ``JUDGE``: what stands for a value is written in capitals."""
    plain = re.sub(r"\{([^}]+)\}", r"\1", metavar)
    return plain.upper()


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
