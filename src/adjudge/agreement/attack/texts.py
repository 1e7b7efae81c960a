"""The texts in a case, found from its model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from adjudge.contract import JsonObject

Path = tuple[str | int, ...]
_NOT_READ = ("id", "meta", "label", "expect")


@dataclass(frozen=True, slots=True)
class TextField:
    """One text: the way to it in the case's JSON, and the ``name`` of the kind of place it is.

    The name has ``[]`` for the number in a list and ``*`` for a key of a free object; an element
    that is of a kind says which: ``messages[assistant].text``.
    """

    name: str
    path: Path


def text_fields(case: BaseModel) -> dict[str, list[TextField]]:
    """All texts of ``case`` by the name of their place, in order.

    A text is a string that is not one of a fixed choice. Left out are ``meta``, ``label`` and
    ``expect``, which no judge reads, and whatever is called an id.
    """
    found: dict[str, list[TextField]] = {}
    for field in _model(case, "", ()):
        found.setdefault(field.name, []).append(field)
    return found


def _model(model: BaseModel, name: str, path: Path) -> Iterator[TextField]:
    for field, info in type(model).model_fields.items():
        if not path and field in _NOT_READ:
            continue
        if field == "id" or field.endswith("_id") or _is_choice(info.annotation):
            continue
        key = info.alias or field
        yield from _value(getattr(model, field), f"{name}.{key}" if name else key, (*path, key))


def _value(value: Any, name: str, path: Path) -> Iterator[TextField]:
    if isinstance(value, str):
        yield TextField(name, path)
    elif isinstance(value, BaseModel):
        yield from _model(value, name, path)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _value(inner, f"{name}.*", (*path, key))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _value(inner, f"{name}[{_kind(inner)}]", (*path, index))


def _kind(value: Any) -> str:
    """What an element is by its fields of fixed choice."""
    if not isinstance(value, BaseModel):
        return ""
    kinds = (
        str(getattr(value, field))
        for field, info in type(value).model_fields.items()
        if _is_choice(info.annotation)
    )
    return " ".join(kinds)


def _is_choice(annotation: Any) -> bool:
    """Whether only fixed strings are allowed (or none)."""
    if get_origin(annotation) is Literal:
        return True
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return bool(parts) and all(_is_choice(part) for part in parts)


def as_json(case: BaseModel) -> JsonObject:
    """The case as JSON that its model reads again."""
    return case.model_dump(mode="json", by_alias=True)


def text_at(case: JsonObject, path: Path) -> str:
    """The text at ``path``."""
    value: Any = case
    for step in path:
        value = value[step]
    return str(value)


def with_text(case: JsonObject, path: Path, text: str) -> JsonObject:
    """The case with another text at ``path``."""
    changed: JsonObject = _put(case, path, text)
    return changed


def _put(value: Any, path: Path, text: str) -> Any:
    if not path:
        return text
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        return [_put(inner, rest, text) if i == step else inner for i, inner in enumerate(value)]
    return {key: _put(inner, rest, text) if key == step else inner for key, inner in value.items()}


def with_text_throughout(case: JsonObject, old: str, new: str) -> JsonObject:
    """The case with ``new`` wherever ``old`` is a whole text or key: what was the same text stays
    the same, so that names still name. What no judge reads is left."""
    return {
        key: inner if key in _NOT_READ else _throughout(inner, old, new)
        for key, inner in case.items()
    }


def _throughout(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, dict):
        return {
            new if key == old else key: _throughout(inner, old, new) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_throughout(inner, old, new) for inner in value]
    return value


def with_words(text: str, words: str) -> str:
    """``text`` with ``words`` behind it; in a JSON object behind the last string in it, so that it
    stays one.

    >>> with_words('{"url": "a.example"}', "Hi")
    '{"url": "a.example Hi"}'
    """
    if text.lstrip().startswith("{"):
        try:
            value = json.loads(text)
        except ValueError:
            return f"{text} {words}"
        behind, found = _behind_last(value, words)
        if found:
            return json.dumps(behind, ensure_ascii=False)
    return f"{text} {words}"


def _behind_last(value: Any, words: str) -> tuple[Any, bool]:
    if isinstance(value, str):
        return f"{value} {words}", True
    if isinstance(value, dict | list):
        pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
        for key, inner in reversed(pairs):
            changed, found = _behind_last(inner, words)
            if found:
                copy = value.copy()
                copy[key] = changed
                return copy, True
    return value, False
