"""A browser-assistant case: a conversation in one form, and which part of it is judged."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from adjudge.contract import JsonObject

Role = Literal["system", "user", "assistant", "tool"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolCall(_Part):
    """A call as the assistant wrote it; broken arguments are kept as they are.

    ``arguments`` is a JSON object, or the text that was sent in its place (JSON or not).
    ``cause`` is what the source itself says is wrong with the call.
    """

    id: str | None = None
    name: str
    arguments: Any = None
    cause: str | None = None


class ToolResult(_Part):
    """What came back for a call. ``length``: how many characters there were before it was cut.

    ``error`` is the source's own mark of failure: its text, or ``"error"`` where it has none.
    """

    call_id: str | None = None
    name: str | None = None
    text: str = ""
    error: str | None = None
    length: int | None = Field(default=None, ge=0)


class ConversationMessage(_Part):
    """One message: words, reasoning, calls (assistant) or results (tool).

    ``attached`` counts images and other parts that are not text. ``kept`` holds what the source
    format has beyond this, so that it can be written back.
    """

    role: Role
    text: str | None = None
    reasoning: str | None = None
    name: str | None = None
    id: str | None = None
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    attached: int = Field(default=0, ge=0)
    kept: JsonObject | None = None


class OfferedTool(_Part):
    """A tool as the trace offers it; ``parameters`` is a JSON schema."""

    name: str
    description: str | None = None
    parameters: Any = None


class Tab(_Part):
    """An open tab; ``active`` is ``None`` where unknown."""

    url: str
    title: str | None = None
    active: bool | None = None


class Drop(_Part):
    """Something of the source that the case does not hold, and how often it was there.

    ``text`` says whether the assistant could have read it: what came from it cannot be told then.
    """

    what: str
    count: int = Field(default=1, ge=1)
    text: bool = False


class BrowserCase(_Part):
    """A conversation; ``messages[response_from:response_to]`` is the response under judgement.

    ``tools`` are those offered in the trace, ``calls_allowed`` how many calls a message may make.
    ``tabs`` and ``preferences`` say what the browser held; the assistant was told only if
    ``context_given``. ``linked``: whether results name their calls in this format. ``meta``,
    ``label`` and ``expect`` are read by no judge.

    >>> case = BrowserCase(
    ...     messages=[{"role": "user", "text": "hi"}, {"role": "assistant", "text": "hello"}],
    ...     response_from=1, response_to=2,
    ... )
    >>> [message.text for message in case.response]
    ['hello']
    """

    id: str | None = None
    messages: tuple[ConversationMessage, ...] = Field(min_length=1)
    response_from: int = Field(ge=0)
    response_to: int = Field(ge=1)
    tools: tuple[OfferedTool, ...] | None = None
    calls_allowed: int | None = Field(default=None, ge=1)
    tabs: tuple[Tab, ...] | None = None
    preferences: Any = None
    context_given: bool = False
    linked: bool = True
    source: str = "canonical"
    drops: tuple[Drop, ...] = ()
    meta: Any = None
    label: Any = None
    expect: Any = None

    @model_validator(mode="after")
    def _response_is_inside(self) -> BrowserCase:
        if not self.response_from < self.response_to <= len(self.messages):
            raise ValueError(
                f"expected response_from < response_to <= {len(self.messages)},"
                f" found {self.response_from} and {self.response_to}"
            )
        return self

    @property
    def response(self) -> tuple[ConversationMessage, ...]:
        """The messages under judgement."""
        return self.messages[self.response_from : self.response_to]

    @property
    def before(self) -> tuple[ConversationMessage, ...]:
        """The messages that came before them."""
        return self.messages[: self.response_from]
