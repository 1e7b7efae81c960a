"""A case of a judge without a view of its own: its fields, and its messages as a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from adjudge.contract import JsonObject
from adjudge.report.parts import Placed, as_json, fields, talk, turn
from adjudge.report.views.view import View

_SPEAKER = ("role", "speaker", "from", "author")
_WORDS = ("content", "text", "value", "message")
_ABOUT = ("instruction", "task", "question", "request", "title", "scenario", "prompt", "text")
_ITS_OWN = ("id", "label", "expect")


def view(case: Any, verdict: JsonObject) -> View:
    """Texts as they are, messages as turns, lists of objects field by field, the rest as JSON."""
    given = _plain(case)
    placed = Placed(verdict["findings"])
    blocks = []
    rows = []
    for name, value in given.items():
        if name in _ITS_OWN:
            continue
        if _is_talk(value):
            blocks.append(_talk(name, value, placed))
        elif _is_list_of_objects(value):
            blocks.append(fields(name, _numbered(value)))
        elif text := _text(value):
            rows.append((name, text))
    return View(_headline(given), [fields("Case", rows), *blocks] if rows else blocks)


def _plain(case: Any) -> Mapping[str, Any]:
    if isinstance(case, BaseModel):
        return case.model_dump(mode="json", by_alias=True)
    return case if isinstance(case, Mapping) else {"case": case}


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, Mapping) and not any(isinstance(v, list | dict) for v in value.values()):
        return "\n".join(f"{name}: {_text(inner)}" for name, inner in value.items())
    return as_json(value)


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


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(v, dict) for v in value)


def _numbered(objects: list[Mapping[str, Any]]) -> list[tuple[str, str]]:
    return [
        (f"{number} {name}", _text(value))
        for number, one in enumerate(objects)
        for name, value in one.items()
    ]


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
