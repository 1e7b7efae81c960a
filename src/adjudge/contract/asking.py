"""What is asked of a model and what comes back."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from adjudge.contract.base import Frozen, JsonObject

Role = Literal["system", "user", "assistant"]
ReplyStatus = Literal["ok", "refused", "invalid", "truncated", "overflow", "error", "skipped"]


class Message(Frozen):
    """One chat message."""

    role: Role
    content: str


class Usage(Frozen):
    """What answering took: calls made, tokens in and out (0 where nobody was asked)."""

    calls: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
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
