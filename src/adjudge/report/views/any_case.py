"""A case of a judge without a view of its own: its fields, and its messages as a conversation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from adjudge.contract import JsonObject
from adjudge.report.parts import Placed, fields, talk, turn
from adjudge.report.views.view import View

_SPEAKER = ("role", "speaker", "from", "author")
_WORDS = ("content", "text", "value", "message")
_ABOUT = ("instruction", "task", "question", "request", "title", "scenario", "prompt", "text")
_ITS_OWN = ("id", "label", "expect")


def view(case: Any, verdict: JsonObject) -> View:
    """Texts as they are, lists of messages as turns, anything else as JSON."""
    given = _plain(case)
    placed = Placed(verdict["findings"])
    blocks = []
    rows = []
    for name, value in given.items():
        if name in _ITS_OWN:
            continue
        if _is_talk(value):
            blocks.append(_talk(name, value, placed))
        else:
            rows.append((name, _text(value)))
    return View(_headline(given), [fields("Case", rows), *blocks] if rows else blocks)


def _plain(case: Any) -> Mapping[str, Any]:
    if isinstance(case, BaseModel):
        return case.model_dump(mode="json", by_alias=True)
    return case if isinstance(case, Mapping) else {"case": case}


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _headline(given: Mapping[str, Any]) -> str:
    texts = {k: v for k, v in given.items() if isinstance(v, str) and v and k not in _ITS_OWN}
    for name in _ABOUT:
        if name in texts:
            return texts[name]
    for value in given.values():
        if _is_talk(value):
            return _text(_either(value[0], _WORDS))
    return next(iter(texts.values()), "")


def _is_talk(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(
            isinstance(one, Mapping)
            and isinstance(_either(one, _SPEAKER), str)
            and any(name in one for name in _WORDS)
            for one in value
        )
    )


def _talk(name: str, messages: Any, placed: Placed) -> JsonObject:
    turns = []
    for index, one in enumerate(messages):
        rest = {k: v for k, v in one.items() if k not in (*_SPEAKER, *_WORDS) and v}
        found = [*placed.take(message=index), *placed.take(turn=index)]
        who = str(_either(one, _SPEAKER))
        turns.append(
            turn(
                index,
                who,
                _text(_either(one, _WORDS)),
                aside=who.lower() in ("user", "customer", "human", "system", "tool"),
                notes=[f"{k}: {_text(v)}" for k, v in rest.items()],
                findings=[finding["id"] for finding in found],
            )
        )
    return talk(name, turns)


def _either(one: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((one[name] for name in names if one.get(name) is not None), None)
