"""What is known about an answer form: its JSON schema for the wire, and its placeholders."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from adjudge.contract import JsonObject

_ENUM_SPAN = 50
_DROPPED = {"title", "default", "examples", "discriminator", "placeholder"}
_CONSTRAINTS = {
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
}
_STAND_IN = re.compile(r"<[^<>]{1,200}>|\.{3}|…|string|str|text")


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """An answer's shape, worked out once per pydantic model.

    ``schema`` is the subset of JSON Schema that every structured-output endpoint takes;
    ``placeholders`` are the form's own words, which are no answer; ``number_choices`` says that a
    field is a choice of numbers (``Literal[0, 1]``).
    """

    model: type[BaseModel]
    name: str
    schema: JsonObject
    schema_json: str
    digest: str
    placeholders: frozenset[str]
    choices: frozenset[str]
    number_choices: bool

    def echoes(self, text: str) -> bool:
        """Whether ``text`` is the form's own wording rather than an answer.

        That is: a field's description, an example or ``placeholder`` of it, something in angle
        brackets, an ellipsis, or the name of the type. A choice of the form is always an answer.
        """
        if text in self.choices:
            return False
        said = _plain(text)
        return said in self.placeholders or bool(_STAND_IN.fullmatch(said))


@lru_cache(maxsize=256)
def form_of(model: type[BaseModel]) -> Form:
    """The form of a pydantic model. ``ValueError`` for one that contains itself.

    A field's placeholder texts are its ``description`` and those of its ``examples`` that are
    prose (an example that is a tag or a number is a possible answer); further ones are declared
    with ``json_schema_extra={"placeholder": "…"}``.
    """
    published = model.model_json_schema()
    schema = strict_schema(published)
    choices = list(_choices(published))
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return Form(
        model=model,
        name=re.sub(r"[^A-Za-z0-9_-]", "_", model.__name__)[:64],
        schema=schema,
        schema_json=text,
        digest=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        placeholders=frozenset(_placeholders(published)),
        choices=frozenset(c for c in choices if isinstance(c, str)),
        number_choices=any(isinstance(c, int | float) for c in choices),
    )


def strict_schema(schema: JsonObject) -> JsonObject:
    """The part of a JSON schema that strict structured output knows, at every endpoint.

    References are resolved, every property is required, none may be added. A short range of
    integers becomes an ``enum``, which holds everywhere; other constraints are put in words into
    the description, and the form itself checks them when the answer is read.

    >>> strict_schema({"type": "integer", "minimum": 0, "maximum": 2, "title": "Score"})
    {'type': 'integer', 'enum': [0, 1, 2]}
    """
    return _strict(schema, schema.get("$defs", {}), ())


def _strict(schema: JsonObject, defs: JsonObject, inside: tuple[str, ...]) -> JsonObject:
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        if name in inside:
            raise ValueError(f"an answer form must not contain itself: {name}")
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return _strict({**defs[name], **beside}, defs, (*inside, name))
    strict: JsonObject = {}
    limits: JsonObject = {}
    for key, value in schema.items():
        if key in _DROPPED or key == "$defs":
            continue
        if key in _CONSTRAINTS:
            limits[key] = value
        elif key == "properties":
            strict[key] = {name: _strict(part, defs, inside) for name, part in value.items()}
        elif key in ("anyOf", "oneOf"):
            strict["anyOf"] = [_strict(part, defs, inside) for part in value]
        elif key == "prefixItems":
            strict[key] = [_strict(part, defs, inside) for part in value]
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            strict[key] = _strict(value, defs, inside)
        elif key == "const":
            strict["enum"] = [value]
        else:
            strict[key] = value
    if "properties" in strict:
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return _limited(strict, limits)


def _limited(strict: JsonObject, limits: JsonObject) -> JsonObject:
    """Constraints as an ``enum`` where they leave few integers, else in words."""
    if strict.get("type") == "integer":
        low = limits.get("minimum", limits.get("exclusiveMinimum", float("-inf")) + 1)
        high = limits.get("maximum", limits.get("exclusiveMaximum", float("inf")) - 1)
        if high - low < _ENUM_SPAN and not limits.get("multipleOf"):
            return {**strict, "enum": list(range(int(low), int(high) + 1))}
    if limits:
        words = ", ".join(f"{name} {value}" for name, value in limits.items())
        told = strict.get("description")
        strict["description"] = f"{told} ({words})" if told else words
    return strict


def _placeholders(schema: Any) -> Iterator[str]:
    for part in _parts(schema):
        for text in (part.get("description"), part.get("placeholder")):
            if isinstance(text, str):
                yield _plain(text)
        for example in part.get("examples") or ():
            if isinstance(example, str) and len(example) >= 12 and " " in example:
                yield _plain(example)


def _choices(schema: Any) -> Iterator[Any]:
    for part in _parts(schema):
        yield from part.get("enum") or ()
        if "const" in part:
            yield part["const"]


def _parts(schema: Any) -> Iterator[JsonObject]:
    """Every sub-schema; a property that is called like a keyword is not taken for one."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in ("properties", "$defs"):
        for part in (schema.get(key) or {}).values():
            yield from _parts(part)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for part in schema.get(key) or ():
            yield from _parts(part)
    for key in ("items", "additionalProperties"):
        yield from _parts(schema.get(key))


def _plain(text: str) -> str:
    """Case, spacing and a closing full stop do not make an echo an answer."""
    plain = " ".join(text.split())
    return plain.rstrip(".").casefold() or plain
