"""What every dialect has in common."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from adjudge.contract import JsonObject, Message
from adjudge.models.transport import ModelRequest, ModelResponse


class Dialect(Protocol):
    """One API's way to write a request and a reply. Pure: no I/O.

    ``without`` names the parts of a request that the endpoint does not know: ``schema`` (it then
    goes into the prompt), ``temperature``, ``seed``, ``max_tokens``.
    """

    path: str

    def headers(self, key: str | None) -> dict[str, str]: ...
    def body(self, model: str, request: ModelRequest, without: Collection[str]) -> JsonObject: ...
    def read(self, body: JsonObject, raw: str) -> ModelResponse:
        """The reply in ``body``; ``ModelFailure`` where it holds none."""
        ...


SCHEMA_PROMPT = "\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n"


def with_schema_in_prompt(request: ModelRequest) -> tuple[Message, ...]:
    """The messages with the form's schema after the last of them.

    The last message, because whatever a hostile text says before it is then not the last word.
    """
    *before, last = request.messages
    told = last.content + SCHEMA_PROMPT + request.form.schema_json
    return (*before, Message(role=last.role, content=told))
