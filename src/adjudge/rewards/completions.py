"""A policy's completion put into the case that it completes, for the judges that come with us."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudge.contract import Fault

Completion = str | Sequence[Mapping[str, Any]]
"""What a policy wrote: text, or chat messages."""

_FENCE_LINE = re.compile(r"^\s*(?:```|~~~)")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,4}[.):])\s+")


class BadRow(Fault, ValueError):
    """A row that holds no case to complete; the text says what was expected."""


def completion_text(completion: Completion) -> str:
    """The text of a completion: of chat messages, the assistant's, joined by line breaks.

    >>> completion_text([{"role": "assistant", "content": "pick(mug)"}])
    'pick(mug)'
    """
    if isinstance(completion, str):
        return completion
    said = [m.get("content") for m in completion if m.get("role", "assistant") == "assistant"]
    return "\n".join(text for text in said if isinstance(text, str))


def completed(judge: str, case: Any, completion: Completion) -> dict[str, Any]:
    """``case`` (an object, or its JSON) with ``completion`` in its place.

    ``robot``: the steps of ``plan``, from a JSON list or one a line. ``social``: one more turn, by
    the case's ``agent``. ``browser``: the messages that respond. Raises ``BadRow``.

    >>> completed("robot", '{"instruction": "Wash the mug."}', "1. pick(mug)\\n2. wash(mug)")
    {'instruction': 'Wash the mug.', 'plan': ['pick(mug)', 'wash(mug)']}
    """
    given = _object(case)
    complete = _COMPLETE.get(judge)
    if complete is None:
        raise BadRow(
            f"judge {judge}: expected one of {', '.join(_COMPLETE)}, or a function that makes the "
            "case from a completion (case=...)"
        )
    return complete(given, completion)


def _object(case: Any) -> dict[str, Any]:
    if isinstance(case, str):
        try:
            case = json.loads(case)
        except ValueError as error:
            raise BadRow(
                f"case: expected a JSON object, found text that is none ({error})"
            ) from None
    if not isinstance(case, Mapping):
        raise BadRow(f"case: expected an object or its JSON, found {type(case).__name__}")
    return dict(case)


def _robot(case: dict[str, Any], completion: Completion) -> dict[str, Any]:
    return {**case, "plan": steps_in(completion_text(completion))}


def steps_in(text: str) -> list[str]:
    """The steps of a plan as a model writes it: a JSON list of strings, else one a line.

    Blank lines and code fences are left out, numbers and bullets taken off.

    >>> steps_in('Plan: ["pick(mug)", "wash(mug)"]'), steps_in("- pick(mug)\\n\\n(2) wash(mug)")
    (['pick(mug)', 'wash(mug)'], ['pick(mug)', 'wash(mug)'])
    """
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end:
        try:
            found = json.loads(text[start : end + 1])
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list) and all(isinstance(step, str) for step in found):
            return found
    lines = (line for line in text.splitlines() if not _FENCE_LINE.match(line))
    steps = (_BULLET.sub("", line).strip() for line in lines)
    return [step for step in steps if step]


def _social(case: dict[str, Any], completion: Completion) -> dict[str, Any]:
    agent, turns = case.get("agent"), case.get("turns")
    if not isinstance(agent, str) or not isinstance(turns, list):
        raise BadRow("case: expected the agent that speaks and the turns before it")
    turn = {"speaker": agent, "text": completion_text(completion), "kind": "speak"}
    return {**case, "turns": [*turns, turn]}


def _browser(case: dict[str, Any], completion: Completion) -> dict[str, Any]:
    messages = case.get("messages")
    if not isinstance(messages, list):
        raise BadRow("case: expected the messages before the response")
    said = (
        [{"role": "assistant", "content": completion}]
        if isinstance(completion, str)
        else [dict(message) for message in completion]
    )
    return {**case, "messages": [*messages, *said]}


_COMPLETE: dict[str, Callable[[dict[str, Any], Completion], dict[str, Any]]] = {
    "robot": _robot,
    "social": _social,
    "browser": _browser,
}
