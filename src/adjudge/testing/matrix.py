"""Every fault through the client, as a table: ``python -m adjudge.testing.matrix FILE``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field

from adjudge.contract import Message, Question, Reply
from adjudge.models import Limiter, ModelClient, Retry, connect
from adjudge.testing.endpoint import MisbehavingEndpoint
from adjudge.testing.fault import Fault
from adjudge.testing.faults import FAULTS
from adjudge.testing.wire import DialectName

KEY = "planted-key-0123456789"
ANSWER = {"summary": "It put the mug under the tap.", "score": 3, "success": True}
RENEW = "python -m adjudge.testing.matrix docs/faults.md"

_MODELS: dict[DialectName, tuple[str, str]] = {
    "openai": ("openai-compatible:any", "ADJUDGE_API_KEY"),
    "anthropic": ("anthropic:any", "ANTHROPIC_API_KEY"),
}
_HEAD = f"""\
# What happens when an endpoint misbehaves

Each line is a fault of `adjudge.testing`, met by a client that makes at most four attempts. The
answer asked for has a summary, a score from 0 to 4 and a yes or no. *Calls* counts the requests
that one question came to; *kept* says whether what came is kept with the reply.

Made by `{RENEW}`; a test compares.

| fault | the endpoint | dialect | status | reason | calls | kept |
|---|---|---|---|---|---|---|
"""


class Mark(BaseModel):
    """The answer that the matrix asks for."""

    summary: str = Field(description="One sentence about what was done")
    score: int = Field(ge=0, le=4)
    success: bool


@dataclass(frozen=True, slots=True)
class Row:
    """What one fault in one dialect came to."""

    fault: Fault
    dialect: DialectName
    reply: Reply
    calls: int

    def cells(self) -> tuple[str, str, str, str]:
        """Status, reason, calls, kept."""
        reply = self.reply
        reason = (reply.reason or "").partition(":")[0]
        if not reason:
            reason = "after a repair turn" if "repaired" in reply.meta else ""
        return reply.status, reason, str(self.calls), "yes" if reply.text else "nothing came"


class Clock:
    """Time that passes only in ``sleep``."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass at once."""
        self.now += seconds
        await asyncio.sleep(0)


def client(endpoint: MisbehavingEndpoint, dialect: DialectName, fault: Fault) -> ModelClient:
    """A client that meets ``fault`` in ``dialect`` and does not really wait between attempts."""
    model, variable = _MODELS[dialect]
    clock = Clock()
    return connect(
        model,
        base_url=endpoint.url_of(fault.name),
        environ={variable: KEY},
        limiter=Limiter(clock=clock, sleep=clock.sleep),
        retry=Retry(attempts=4, timeout=0.1 if fault.slow else 60.0),
        clock=clock,
        sleep=clock.sleep,
        draw=lambda: 1.0,
    )


async def rows(faults: Iterable[Fault] = FAULTS.values()) -> list[Row]:
    """Ask one question under each fault, in each dialect that knows it."""
    question = Question(
        key="mark",
        messages=(Message(role="user", content="The robot put the mug under the tap. Score it."),),
        form=Mark,
    )
    found = []
    async with MisbehavingEndpoint(ANSWER) as endpoint:
        for fault in faults:
            for dialect in fault.dialects:
                before = len(endpoint.requests)
                async with client(endpoint, dialect, fault) as asked:
                    reply = await asked.ask(question)
                found.append(Row(fault, dialect, reply, len(endpoint.requests) - before))
    return found


def table(found: Iterable[Row]) -> str:
    """The rows as a page of Markdown; one line where both dialects come to the same."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in found:
        cells = (f"`{row.fault.name}`", row.fault.about, *row.cells())
        lines.setdefault(cells, []).append(row.dialect)
    text = _HEAD
    for (name, about, *outcome), dialects in lines.items():
        shown = "both" if len(dialects) > 1 else dialects[0]
        text += f"| {' | '.join((name, about, shown, *outcome))} |\n"
    return text


def main() -> None:
    """Write the page to the file named on the command line, or to standard output."""
    page = table(asyncio.run(rows()))
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page, "utf-8")
    else:
        sys.stdout.write(page)


if __name__ == "__main__":
    main()
