"""Arguments against a tool's JSON schema. Compiled validators are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NoReturn, Protocol

from adjudge.contract import JsonObject

MOST_PROBLEMS = 5
_MAX_SCHEMA = 100_000
# types that some function lists have instead of JSON schema's own
_TYPES = {
    "dict": "object",
    "float": "number",
    "tuple": "array",
    "list": "array",
    "int": "integer",
    "str": "string",
    "bool": "boolean",
}
_ANY = ("any", "Any")


class Validator(Protocol):
    """A compiled schema."""

    def is_valid(self, instance: Any) -> bool: ...
    def iter_errors(self, instance: Any) -> Any: ...


def problems(schema: Any, arguments: JsonObject) -> list[str]:
    """What is wrong with ``arguments``, one line each, at most five; empty without a usable schema.

    An object that lists its properties and says nothing of others takes no others: a renamed
    argument is a problem.

    >>> schema = {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
    >>> problems(schema, {"url": "x"}), problems(schema, {"uri": "x"})[0]
    ([], 'uri: no such argument (there is url)')
    """
    if not isinstance(schema, dict):
        return []
    validator = _validator_of(schema)
    if validator is None:
        return []
    try:
        if validator.is_valid(arguments):
            return []
        found = list(validator.iter_errors(arguments))
    except ValueError:
        return []  # arguments or a schema that the validator gives up on prove nothing
    lines: list[str] = []
    for error in found[:MOST_PROBLEMS]:
        lines += _said(error, schema)
    return list(dict.fromkeys(lines))[:MOST_PROBLEMS]


def _said(error: Any, schema: Mapping[str, Any]) -> list[str]:
    path = ".".join(str(part) for part in error.instance_path)
    kind = type(error.kind).__name__.rpartition("_")[2]
    if kind == "AdditionalProperties":
        known = ", ".join(schema.get("properties", ())) if not path else ""
        there = f" (there is {known})" if known else ""
        names = getattr(error.kind, "unexpected", None) or ["?"]
        return [f"{_at(path, name)}: no such argument{there}" for name in names]
    if kind == "Required":
        return [f"{_at(path, str(error.kind.property))}: required, and not given"]
    message = str(error.message)
    return [f"{path or 'arguments'}: {message if len(message) <= 160 else message[:160] + '…'}"]


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


# a compiled validator is found by its schema's text, which is cheaper than compiling it again
_by_identity: dict[int, tuple[Any, Validator | None]] = {}
_MOST_KEPT = 64


def _validator_of(schema: JsonObject) -> Validator | None:
    kept = _by_identity.get(id(schema))
    if kept is not None and kept[0] is schema:
        return kept[1]
    try:
        text = json.dumps(schema, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return None
    if len(text) > _MAX_SCHEMA:
        return None
    validator = _compiled(text)
    if len(_by_identity) >= _MOST_KEPT:
        _by_identity.clear()
    _by_identity[id(schema)] = (schema, validator)
    return validator


@lru_cache(maxsize=256)
def _compiled(text: str) -> Validator | None:
    # imported late: most commands validate nothing
    import jsonschema_rs

    try:
        schema = _plain(json.loads(text))
        made: Validator = jsonschema_rs.validator_for(
            schema, retriever=_never, validate_formats=False
        )
        return made
    except (ValueError, RecursionError):
        return None  # a schema that is none says nothing about arguments


def _never(uri: str) -> NoReturn:
    raise ValueError("schemas are not fetched")


def _plain(schema: Any) -> Any:
    """The schema in JSON schema's own types, closed to arguments it does not name."""
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made: JsonObject = {}
    for name, value in schema.items():
        if name == "type" and isinstance(value, str):
            if value not in _ANY:
                made[name] = _TYPES.get(value, value)
        elif name == "type" and isinstance(value, list):
            made[name] = [_TYPES.get(one, one) if isinstance(one, str) else one for one in value]
        elif name in ("properties", "$defs", "definitions", "patternProperties"):
            made[name] = (
                {n: _plain(v) for n, v in value.items()} if isinstance(value, dict) else value
            )
        elif name in ("enum", "const", "default", "examples", "required"):
            made[name] = value
        elif name == "format":
            continue  # a format is a note there, not a rule
        else:
            made[name] = _plain(value)
    if _lists_all(made):
        made["additionalProperties"] = False
    return made


_OPEN = (
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "$ref",
    "if",
)


def _lists_all(schema: JsonObject) -> bool:
    return bool(schema.get("properties")) and not any(name in schema for name in _OPEN)
