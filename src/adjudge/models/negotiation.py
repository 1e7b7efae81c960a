"""What an endpoint turned out not to know is remembered once and left out from then on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from adjudge.models.failures import unknown_part
from adjudge.models.transport import ModelFailure, ModelResponse

Post = Callable[[frozenset[str]], Awaitable[ModelResponse]]


class Negotiation:
    """Asks without what the endpoint refuses, and learns what that is.

    A refused part is remembered only once a request without it got through: a 400 that merely
    mentions a schema must not turn structured output off for the whole run.
    """

    def __init__(self) -> None:
        self.without: frozenset[str] = frozenset()

    async def send(self, post: Post) -> ModelResponse:
        """``post`` with what is known to be unknown left out, and again where more is."""
        without = self.without
        calls = 0
        while True:
            try:
                response = await post(without)
            except ModelFailure as problem:
                part = unknown_part(problem.http_status, problem.raw or "")
                if problem.status != "error" or part is None or part in without:
                    if calls:
                        more = problem.usage.model_copy(
                            update={"calls": problem.usage.calls + calls}
                        )
                        problem.usage = more
                    raise
                without |= {part}
                calls += 1
                continue
            if without:
                self.without |= without
                usage = response.usage
                response = replace(
                    response,
                    without=tuple(sorted(without)),
                    usage=usage.model_copy(update={"calls": usage.calls + calls}),
                )
            return response
