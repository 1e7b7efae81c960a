"""A judge's options: from ``NAME=VALUE`` text or Python values, checked by its fields."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_origin

from pydantic import ValidationError

from adjudge.contract import Fault, Judge
from adjudge.judges.invalid import case_error


class BadOption(Fault, ValueError):
    """An option that the judge does not have, or a value that it does not take.

    ``names`` are the options whose values are wrong.
    """

    def __init__(self, message: str, names: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.names = frozenset(names)


def parse_options(texts: Iterable[str]) -> dict[str, str]:
    """``NAME=VALUE`` texts as a mapping of texts.

    >>> parse_options(["hands=1", "domain=household"])
    {'hands': '1', 'domain': 'household'}
    """
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise BadOption(f"option: expected NAME=VALUE, found {text[:80]!r}")
        if name in options:
            raise BadOption(f"option {name}: expected it once, found it twice")
        options[name] = value
    return options


def judge_from_text(judge: type[Judge], texts: Iterable[str]) -> Judge:
    """The judge with options from ``NAME=VALUE`` texts; raises ``BadOption``.

    A value is taken as JSON where it parses as JSON and the field takes it so, else as the text
    it is (``-o tag=7`` for a field of strings).
    """
    plain = parse_options(texts)
    values = {name: _value(text) for name, text in plain.items()}
    try:
        return make_judge(judge, values)
    except BadOption as bad:
        for name in bad.names & plain.keys():
            values[name] = plain[name]
        try:
            return make_judge(judge, values)
        except BadOption:
            raise bad from None


def make_judge(judge: type[Judge], options: Mapping[str, Any]) -> Judge:
    """The judge with ``options``; raises ``BadOption``, which says what there is."""
    for name in options:
        if name not in judge.model_fields:
            raise BadOption(_unknown(judge, name))
    try:
        return judge(**options)
    except ValidationError as error:
        names = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]}
        raise BadOption(_wrong(judge, error), names) from None


def describe_options(judge: type[Judge]) -> list[tuple[str, str, str, str]]:
    """``(name, type, default, what it does)`` for every option."""
    return [
        (
            name,
            _kind(field.annotation),
            "required" if field.is_required() else f"default {_plain(field.get_default())}",
            field.description or "",
        )
        for name, field in judge.model_fields.items()
    ]


def _kind(annotation: Any) -> str:
    """A type as a user would say it: ``hard | soft``, ``int | null``."""
    inner = getattr(annotation, "__args__", ())
    if get_origin(annotation) is Literal:
        return " | ".join(str(value) for value in inner)
    if get_origin(annotation) in (Union, UnionType):
        return " | ".join(_kind(one) for one in inner)
    if annotation is NoneType:
        return "null"
    name = getattr(annotation, "__name__", str(annotation)).lower()
    return f"{name}[{', '.join(_kind(one) for one in inner)}]" if inner else name


def _plain(value: Any) -> str:
    try:
        return json.dumps(value)
    except TypeError:
        return str(value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _unknown(judge: type[Judge], name: str) -> str:
    there = list(judge.model_fields)
    near = difflib.get_close_matches(name, there, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    listed = f"it has {', '.join(there)}" if there else "it has none"
    return f"option {name[:80]!r}: the {judge.name} judge has no such option; {listed}{hint}"


def _wrong(judge: type[Judge], error: ValidationError) -> str:
    first = case_error(error, judge, None)
    there = ", ".join(judge.model_fields)
    name = first.field or "options"
    return (
        f"option {name}: expected {first.expected}, found {first.found} "
        f"(the {judge.name} judge has: {there})"
    )
