"""Who shares the beginning of a prompt follows the one that goes first."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import BaseModel

import virtual_time
from adjudge.contract import Message, Question
from adjudge.models import (
    Endpoint,
    Limiter,
    ModelClient,
    ModelFailure,
    ModelRequest,
    ModelResponse,
)

LONG = "The robot put the mug into the sink and turned the faucet on. " * 80
SECONDS = 1.0


class Mark(BaseModel):
    score: int


class Slow:
    """Answers after a second and keeps when it was asked what."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self.came: list[tuple[float, str]] = []
        self.requests: list[ModelRequest] = []

    async def send(self, request: ModelRequest) -> ModelResponse:
        self.came.append((virtual_time.now(), request.messages[-1].content[-1]))
        self.requests.append(request)
        await asyncio.sleep(self.seconds)
        return ModelResponse('{"score": 3}')

    @property
    def at(self) -> list[float]:
        return [round(when, 3) for when, _ in self.came]


def question(text: str, key: str = "mark", system: str = "You judge.") -> Question:
    messages = (Message(role="system", content=system), Message(role="user", content=text))
    return Question(key=key, messages=messages, form=Mark)


def client(transport: Slow, samples: int = 1) -> ModelClient:
    clock = asyncio.get_running_loop().time
    limiter = Limiter(clock=clock)
    endpoint = Endpoint("python", "slow")
    return ModelClient(transport, endpoint, samples=samples, limiter=limiter, clock=clock)


def test_the_first_sample_of_a_prompt_goes_ahead_of_the_others() -> None:
    transport = Slow()

    async def main() -> None:
        asked = client(transport, samples=4)
        await asyncio.gather(*(asked.ask(question(LONG), sample) for sample in range(4)))
        # known by now: nobody waits
        await asyncio.gather(*(asked.ask(question(LONG), sample) for sample in range(4, 8)))

    virtual_time.run(main())
    assert transport.at == [0, 1, 1, 1, 2, 2, 2, 2]
    assert {request.shared for request in transport.requests} == {len(LONG)}


def test_questions_of_one_case_share_what_they_begin_with() -> None:
    transport = Slow()

    async def main() -> None:
        questions = [question(f"{LONG}\nTurn {n}", f"turn-{n}") for n in range(5)]
        replies = await client(transport).ask_all(questions)
        assert [reply.status for reply in replies.values()] == ["ok"] * 5

    virtual_time.run(main())
    assert transport.at == [0, 1, 1, 1, 1]
    assert {request.shared for request in transport.requests} == {len(LONG) + len("\nTurn ")}


def test_after_two_seconds_nobody_waits_for_an_answer() -> None:
    transport = Slow(seconds=60)

    async def main() -> None:
        asked = client(transport, samples=3)
        await asyncio.gather(*(asked.ask(question(LONG), sample) for sample in range(3)))

    virtual_time.run(main())
    assert transport.at == [0, 2, 2]


@pytest.mark.parametrize("texts", [["a", "b", "c"], ["a" + LONG, "b" + LONG, "c" + LONG]])
def test_what_is_short_or_begins_in_its_own_way_does_not_wait(texts: list[str]) -> None:
    transport = Slow()

    async def main() -> None:
        asked = client(transport)
        await asyncio.gather(*(asked.ask(question(text)) for text in texts))

    virtual_time.run(main())
    assert transport.at == [0, 0, 0]


def test_where_the_first_fails_or_is_given_up_the_others_go_on() -> None:
    class Failing(Slow):
        async def send(self, request: ModelRequest) -> ModelResponse:
            response = await super().send(request)
            if len(self.came) == 1:
                raise ModelFailure("http_400: no", http_status=400)
            return response

    async def main(transport: Slow, given_up: bool) -> list[str]:
        asked = client(transport, samples=3)
        tasks = [asyncio.create_task(asked.ask(question(LONG), sample)) for sample in range(3)]
        await asyncio.sleep(SECONDS / 2)
        if given_up:
            tasks[0].cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        return [getattr(one, "status", type(one).__name__) for one in found]

    assert virtual_time.run(main(Failing(), given_up=False)) == ["error", "ok", "ok"]
    assert virtual_time.run(main(Slow(), given_up=True)) == ["CancelledError", "ok", "ok"]


def test_a_beginning_that_nobody_used_for_long_is_new_again() -> None:
    transport = Slow()

    async def main() -> None:
        asked = client(transport, samples=2)
        for _ in range(2):
            pair = (asked.ask(question(LONG), sample) for sample in range(2))
            await asyncio.gather(*pair)
            await asyncio.sleep(300)

    virtual_time.run(main())
    assert transport.at == [0, 1, 302, 303]


def test_a_repair_turn_shares_nothing() -> None:
    class Wrong(Slow):
        async def send(self, request: ModelRequest) -> ModelResponse:
            await super().send(request)
            return ModelResponse("no idea")

    transport = Wrong()

    async def main() -> None:
        reply = await client(transport, samples=2).ask(question(LONG))
        assert reply.status == "invalid"

    virtual_time.run(main())
    assert [request.shared for request in transport.requests] == [len(LONG), 0]
