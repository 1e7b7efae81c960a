"""What is asked of a model and what comes back."""

from __future__ import annotations

from operator import not_
from typing import Any, Literal

from pydantic import BaseModel, Field

from adjudge.contract.base import Frozen, JsonObject

Role = Literal["system", "user", "assistant"]
ReplyStatus = Literal["ok", "refused", "invalid", "truncated", "overflow", "error", "skipped"]
BUDGET = "budget"
"""Why a question was not asked and a case not judged (``skipped``): what a run may take was used
up. Such a verdict counts as not there when the run goes on."""


class Message(Frozen):
    """One chat message."""

    role: Role
    content: str


class Usage(Frozen):
    """What answering took: calls made, tokens in and out (0 where nobody was asked).

    Of ``input_tokens`` so many came from the provider's prompt cache (``cache_read_tokens``) and so
    many were put there at a price of their own (``cache_write_tokens``). In JSON these two stand
    only where they are not 0.

    >>> Usage(calls=1, input_tokens=900, output_tokens=20, cache_read_tokens=768).model_dump_json()
    '{"calls":1,"input_tokens":900,"output_tokens":20,"cache_read_tokens":768}'
    """

    calls: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cache_read_tokens: int = Field(default=0, ge=0, exclude_if=not_)
    cache_write_tokens: int = Field(default=0, ge=0, exclude_if=not_)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
        )


class Question(Frozen):
    """One request to a model.

    ``key`` names it within its case ("goal", "turn-4"); ``form`` is the answer's shape, one static
    pydantic model a method.
    """

    key: str
    messages: tuple[Message, ...]
    form: type[BaseModel]


class Reply(Frozen):
    """The parsed answer to a question, or the reason there is none. The raw text is kept."""

    status: ReplyStatus
    value: BaseModel | None = None
    text: str | None = None
    reason: str | None = None
    usage: Usage = Usage()
    meta: JsonObject = {}


class Ask(Frozen):
    """A step's answer "I need these replies first"."""

    questions: tuple[Question, ...]


def answer(reply: Reply) -> Any:
    """The parsed value of an ``ok`` reply; ``ValueError`` for any other."""
    if reply.status != "ok" or reply.value is None:
        raise ValueError(f"the reply has no value: {reply.status} ({reply.reason})")
    return reply.value
