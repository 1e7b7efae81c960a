"""How many tokens a question and its answer will take: a rough guess, without a tokenizer."""

from __future__ import annotations

from adjudge.contract import JsonObject
from adjudge.models.forms import Form
from adjudge.models.transport import ModelRequest

BYTES_PER_TOKEN = 3.5
"""UTF-8 bytes in a token. Prompts here are prose, names and JSON in English."""

_A_MESSAGE = 6
_A_TEXT = 80
_A_TAG = 6
_A_VALUE = 2
_ITEMS = 8


def question_tokens(request: ModelRequest, *, with_schema: bool = True) -> int:
    """Tokens to be read: those of the messages, and of the answer's schema where it is sent.

    >>> from adjudge.contract import Message
    >>> from adjudge.models.forms import form_of
    >>> from pydantic import BaseModel
    >>> class Mark(BaseModel):
    ...     score: int
    >>> asked = ModelRequest((Message(role="user", content="x" * 350),), form_of(Mark))
    >>> question_tokens(asked, with_schema=False)
    106
    """
    size = sum(len(m.content.encode("utf-8", "replace")) for m in request.messages)
    if with_schema:
        size += len(request.form.schema_json)
    return round(size / BYTES_PER_TOKEN) + _A_MESSAGE * len(request.messages)


def answer_tokens(form: Form, most: int | None = None) -> int:
    """Tokens to be written: the form filled in, 80 for each text of its own and 8 entries in each
    list; ``most`` is the longest answer. What a model thinks before it answers is not in it."""
    guess = _size(form.schema)
    return guess if most is None else min(guess, most)


def _size(schema: JsonObject, inside_list: bool = False) -> int:
    if "enum" in schema:
        return _A_VALUE
    if "anyOf" in schema:
        return max(_size(part, inside_list) for part in schema["anyOf"])
    kind = schema.get("type")
    if kind == "object":
        parts = schema.get("properties", {})
        names = sum(round(len(name) / BYTES_PER_TOKEN) + _A_VALUE for name in parts)
        return names + sum(_size(part, inside_list) for part in parts.values())
    if kind == "array":
        items = schema.get("items")
        return _ITEMS * (_size(items, inside_list=True) if isinstance(items, dict) else _A_VALUE)
    if kind == "string":
        return _A_TAG if inside_list else _A_TEXT
    return _A_VALUE
