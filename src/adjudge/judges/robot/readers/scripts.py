"""Plans as VirtualHome writes them: script lines, text files, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adjudge.contract import CaseError
from adjudge.judges.invalid import shown

_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")


@dataclass(frozen=True, slots=True)
class Script:
    """Steps as lines ``[GRAB] <mug> (1003)``; title and description where a text has them."""

    steps: tuple[str, ...]
    title: str | None = None
    description: str | None = None


def read_script(value: Any, field: str) -> Script:
    """A plan in any of its forms. Raises ``CaseError`` that names the field.

    A list of lines; a list of objects, or one object, of action and arguments; a text of either
    JSON form; a text with a title line, a description line and one step a line.

    >>> read_script([{"PUTBACK": ["soap", "1002", "washing_machine", "1001"]}], "script").steps
    ('[PUTBACK] <soap> (1002) <washing_machine> (1001)',)
    >>> read_script("Wash\\nWash the mug.\\n\\n[GRAB] <mug> (1.1003)", "script")
    Script(steps=('[GRAB] <mug> (1.1003)',), title='Wash', description='Wash the mug.')
    """
    if isinstance(value, str):
        text = _FENCE.sub("", value).strip()
        if text[:1] == "{" or re.match(r"\[\s*[{\"\]]", text):
            return Script(tuple(_json_steps(text, field)))
        return _text(text)
    if isinstance(value, list | dict):
        return Script(tuple(_steps(value, field)))
    raise CaseError("a list of steps or a text", field=field, found=shown(value))


def _text(text: str) -> Script:
    lines = [line.strip() for line in text.splitlines()]
    steps = tuple(line for line in lines if line.startswith("["))
    first = next((i for i, line in enumerate(lines) if line.startswith("[")), len(lines))
    head = [line for line in lines[:first] if line and not line.startswith("#")]
    title = head[0] if head else None
    return Script(steps, title, " ".join(head[1:]) or None)


def _json_steps(text: str, field: str) -> Iterator[str]:
    try:
        # one object may name an action several times, so pairs are kept and not a dict
        value = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise CaseError("JSON", field=field, found=f"text that is none ({error})") from None
    yield from _steps(value, field)


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object, in order."""


def _steps(value: Any, field: str) -> Iterator[str]:
    if isinstance(value, dict):
        value = _Pairs(value.items())
    if isinstance(value, _Pairs):
        for action, arguments in value:
            yield _line(action, arguments, f"{field}.{action}")
        return
    if not isinstance(value, list):
        raise CaseError("a list of steps", field=field, found=shown(value))
    for index, step in enumerate(value):
        where = f"{field}[{index}]"
        if isinstance(step, str):
            yield step
        elif isinstance(step, dict | _Pairs):
            yield from _steps(step, where)
        else:
            raise CaseError("a step", field=where, found=shown(step))


def _line(action: str, arguments: Any, field: str) -> str:
    if arguments in (None, ""):
        arguments = []
    if isinstance(arguments, str | int):
        arguments = [arguments]
    if not isinstance(arguments, list) or not all(isinstance(a, str | int) for a in arguments):
        raise CaseError("a list of names and ids", field=field, found=shown(arguments))
    words = [str(a) for a in arguments if a != ""]
    paired = len(words) % 2 == 0 and all(w.rpartition(".")[2].isdigit() for w in words[1::2])
    if not paired:
        return f"{action.lower()}({', '.join(words)})"
    things = [f" <{name}> ({id_})" for name, id_ in zip(words[::2], words[1::2], strict=True)]
    return f"[{action}]{''.join(things)}"
