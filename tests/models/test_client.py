from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import BaseModel, Field

from adjudge.contract import Message, Question, Usage
from adjudge.models import (
    Endpoint,
    Juror,
    Limiter,
    MemoryCache,
    ModelClient,
    ModelFailure,
    ModelRequest,
    ModelResponse,
    Price,
    Prices,
    Retry,
    Sampling,
    StoredReply,
)

PYTHON = Endpoint("python", "scripted")


class Mark(BaseModel, frozen=True):
    summary: str = Field(description="One sentence on what was done")
    score: int = Field(ge=0, le=4)


GOOD = json.dumps({"summary": "It washed the mug.", "score": 3})
BAD = json.dumps({"summary": "It washed the mug.", "score": 7})
ONE_CALL = Usage(calls=1, input_tokens=10, output_tokens=2)


class Scripted:
    """A transport that says or raises one thing after another; the last one for ever."""

    def __init__(self, *script: str | ModelResponse | Exception) -> None:
        self.script = script
        self.requests: list[ModelRequest] = []

    async def send(self, request: ModelRequest) -> ModelResponse:
        said = self.script[min(len(self.requests), len(self.script) - 1)]
        self.requests.append(request)
        await asyncio.sleep(0)
        if isinstance(said, Exception):
            raise said
        return ModelResponse(said, usage=ONE_CALL) if isinstance(said, str) else said


class Time:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def question(text: str = "Score it.", key: str = "mark") -> Question:
    return Question(key=key, messages=(Message(role="user", content=text),), form=Mark)


def busy(seconds: float | None = None, status: int = 429) -> ModelFailure:
    return ModelFailure(
        f"http_{status}: busy",
        retryable=True,
        retry_after=seconds,
        http_status=status,
        raw='{"error": "busy"}',
    )


def patient(transport: Scripted, time: Time, retry: Retry = Retry(), **more: Any) -> ModelClient:
    limiter = Limiter(clock=time, sleep=time.sleep)
    return ModelClient(
        transport,
        PYTHON,
        limiter=limiter,
        retry=retry,
        clock=time,
        sleep=time.sleep,
        draw=lambda: 0.5,
        **more,
    )


async def test_a_good_answer() -> None:
    transport = Scripted(GOOD)
    reply = await ModelClient(transport, PYTHON).ask(question())
    assert (reply.status, reply.value, reply.text) == ("ok", Mark(**json.loads(GOOD)), GOOD)
    assert reply.usage == ONE_CALL
    assert set(reply.meta) == {"key", "finish"}
    assert transport.requests[0].messages == question().messages


async def test_one_repair_turn_says_what_was_wrong() -> None:
    transport = Scripted(BAD, GOOD)
    reply = await ModelClient(transport, PYTHON).ask(question())
    assert reply.status == "ok"
    assert reply.usage == ONE_CALL + ONE_CALL
    asked, answered, told = transport.requests[1].messages
    assert asked == question().messages[0]
    assert (answered.role, answered.content) == ("assistant", BAD)
    assert told.role == "user"
    assert "less than or equal to 4, found 7" in told.content
    assert reply.meta["repaired"].startswith("bad_value: score")


async def test_after_one_repair_turn_it_is_invalid_with_the_text_kept() -> None:
    transport = Scripted(BAD)
    reply = await ModelClient(transport, PYTHON).ask(question())
    assert (reply.status, reply.value, reply.text) == ("invalid", None, BAD)
    assert reply.reason is not None
    assert reply.reason.startswith("bad_value: score")
    assert len(transport.requests) == 2


@pytest.mark.parametrize(
    ("response", "status"),
    [
        (ModelResponse(GOOD, finish="length"), "truncated"),
        (ModelResponse("", finish="refusal", raw="{}"), "refused"),
        (ModelResponse("", refusal="I won't."), "refused"),
    ],
)
async def test_nobody_is_pressed_for_another_answer(response: ModelResponse, status: str) -> None:
    transport = Scripted(response)
    reply = await ModelClient(transport, PYTHON).ask(question())
    assert (reply.status, reply.value) == (status, None)
    assert len(transport.requests) == 1


async def test_tried_again_until_it_works() -> None:
    time = Time()
    transport = Scripted(busy(status=500), busy(status=503), OSError("reset"), TimeoutError(), GOOD)
    reply = await patient(transport, time).ask(question())
    assert reply.status == "ok"
    assert reply.meta["failed"] == [500, 503, "connection", "timeout"]
    # full jitter: half of 0.5, 1, 2, 4 seconds when every draw is one half
    assert time.waits == [0.25, 0.5, 1.0, 2.0]
    assert reply.usage.calls == 5


async def test_refused_for_now_it_is_asked_again_as_long_as_the_endpoint_answers() -> None:
    time = Time()
    refusals = [busy() for _ in range(16)]
    transport = Scripted(GOOD, *refusals[:8], GOOD, *refusals[8:], GOOD)
    client = patient(transport, time, Retry(attempts=2))
    for number in range(3):
        reply = await client.ask(question(str(number)))
        assert (reply.status, reply.reason) == ("ok", None)
    assert len(transport.requests) == 19


async def test_refused_for_long_it_is_given_up() -> None:
    time = Time()
    transport = Scripted(GOOD, busy())
    client = patient(transport, time, Retry(attempts=2))
    assert (await client.ask(question("first"))).status == "ok"
    begun = time.now
    assert (await client.ask(question("second"))).reason == "http_429: busy"
    assert 120 <= time.now - begun < 600
    calls = len(transport.requests)
    # nobody has been answered for so long: two attempts are enough
    assert (await client.ask(question("third"))).reason == "http_429: busy"
    assert len(transport.requests) == calls + 2


async def test_the_endpoint_is_asked_again_when_it_said() -> None:
    time = Time()
    reply = await patient(Scripted(busy(7), GOOD), time).ask(question())
    assert reply.status == "ok"
    assert sum(time.waits) == 7.25


async def test_attempts_are_capped() -> None:
    transport = Scripted(busy())
    reply = await patient(transport, Time(), Retry(attempts=3)).ask(question())
    assert (reply.status, reply.reason) == ("error", "http_429: busy")
    assert reply.text == '{"error": "busy"}'
    assert len(transport.requests) == 3


async def test_the_deadline_holds_for_all_attempts_together() -> None:
    time = Time()
    transport = Scripted(busy())
    retry = Retry(attempts=100, deadline=10, longest=4, base=4)
    reply = await patient(transport, time, retry).ask(question())
    assert reply.status == "error"
    assert time.now - 100 <= 10
    assert 3 < len(transport.requests) < 8


async def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    time = Time()
    transport = Scripted(busy(86_400))
    client = patient(transport, time)
    replies = await asyncio.gather(*(client.ask(question(str(n))) for n in range(3)))
    assert time.waits == []
    assert {reply.status for reply in replies} == {"error"}
    # who came after the endpoint said so did not ask it
    late = await client.ask(question("late"))
    assert (late.status, late.usage.calls) == ("error", 0)
    assert str(late.reason).startswith("held: not to be asked for 86400 s")


async def test_one_refusal_holds_back_everybody() -> None:
    time = Time()
    transport = Scripted(busy(5), GOOD)
    client = patient(transport, time)
    first = await client.ask(question("first"))
    assert first.status == "ok"
    sent_at = time.now
    assert sent_at >= 105
    assert (await client.ask(question("second"))).status == "ok"
    assert time.now == sent_at


async def test_what_cannot_help_is_not_tried_again() -> None:
    transport = Scripted(ModelFailure("http_401: bad key", http_status=401, raw="{}"))
    reply = await patient(transport, Time()).ask(question())
    assert (reply.status, reply.reason) == ("error", "http_401: bad key")
    assert len(transport.requests) == 1


async def test_any_other_exception_is_an_error_with_its_name() -> None:
    transport = Scripted(KeyError("choices"))
    reply = await patient(transport, Time()).ask(question())
    assert (reply.status, reply.reason) == ("error", "exception: KeyError: 'choices'")
    assert len(transport.requests) == 1


@pytest.mark.parametrize("given", ["a string", None, ModelResponse(None)])  # type: ignore[arg-type]
async def test_a_transport_that_returns_something_else_is_an_error(given: Any) -> None:
    class Odd:
        async def send(self, request: ModelRequest) -> ModelResponse:
            response: ModelResponse = given
            return response

    reply = await ModelClient(Odd(), PYTHON).ask(question())
    assert reply.status == "error"
    assert str(reply.reason).startswith("exception: the transport returned")


async def test_an_empty_answer_is_told_so() -> None:
    transport = Scripted(ModelResponse("", raw='{"choices": "…"}'), GOOD)
    reply = await ModelClient(transport, PYTHON).ask(question())
    assert (reply.status, reply.meta["repaired"]) == ("ok", "empty: the answer is empty")
    assert transport.requests[1].messages[1].content == "(no answer)"


async def test_usage_of_a_failed_call_counts() -> None:
    failed = ModelFailure("http_500", retryable=True, usage=ONE_CALL)
    client = patient(Scripted(failed, GOOD), Time())
    reply = await client.ask(question())
    assert reply.usage == ONE_CALL + ONE_CALL == client.spent.usage


async def test_a_transport_that_never_answers_is_left() -> None:
    class Silent:
        async def send(self, request: ModelRequest) -> ModelResponse:
            await asyncio.Event().wait()
            raise AssertionError

    client = ModelClient(Silent(), PYTHON, retry=Retry(attempts=2, timeout=0.01, base=0.001))
    reply = await client.ask(question())
    assert reply.status == "error"
    assert reply.meta["failed"] == ["timeout", "timeout"]


async def test_identical_questions_in_flight_are_asked_once() -> None:
    transport = Scripted(GOOD)
    client = ModelClient(transport, PYTHON)
    replies = await asyncio.gather(*(client.ask(question()) for _ in range(50)))
    assert len(transport.requests) == 1
    assert all(reply == replies[0] for reply in replies)
    assert (client.spent.questions, client.spent.shared, client.spent.calls) == (50, 49, 1)


async def test_samples_of_one_question_are_asked_apart() -> None:
    transport = Scripted(GOOD)
    client = ModelClient(transport, PYTHON, sampling=Sampling(temperature=1, seed=40))
    replies = await asyncio.gather(*(client.ask(question(), sample=n) for n in range(3)))
    assert [request.seed for request in transport.requests] == [40, 41, 42]
    assert len({reply.meta["key"] for reply in replies}) == 3


async def test_when_the_first_asker_gives_up_another_goes_on() -> None:
    gate = asyncio.Event()
    begun = asyncio.Event()

    class Gated(Scripted):
        async def send(self, request: ModelRequest) -> ModelResponse:
            begun.set()
            await gate.wait()
            return await super().send(request)

    client = ModelClient(Gated(GOOD), PYTHON)
    first = asyncio.create_task(client.ask(question()))
    await begun.wait()
    others = [asyncio.create_task(client.ask(question())) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    others[0].cancel()
    await asyncio.sleep(0)
    gate.set()
    assert [reply.status for reply in await asyncio.gather(*others[1:])] == ["ok", "ok"]
    assert first.cancelled()
    assert others[0].cancelled()
    assert client.spent.calls == 1


async def test_several_questions_at_once_come_back_by_key() -> None:
    client = ModelClient(Scripted(GOOD), PYTHON)
    replies = await client.ask_all([question("a", "turn-1"), question("b", "turn-2")])
    assert list(replies) == ["turn-1", "turn-2"]
    assert await client.ask_all([]) == {}


async def test_a_cached_reply_is_the_reply_itself() -> None:
    cache = MemoryCache()
    first = await ModelClient(Scripted(BAD, GOOD), PYTHON, cache=cache).ask(question())
    silent = Scripted(AssertionError("asked"))
    client = ModelClient(silent, PYTHON, cache=cache)
    again = await client.ask(question())
    assert again == first
    assert again.model_dump_json() == first.model_dump_json()
    assert (client.spent.calls, client.spent.cached) == (0, 2)


async def test_every_request_is_kept_as_it_arrives() -> None:
    """Killed during the repair turn, only the repair turn is paid for again."""
    cache = MemoryCache()
    gone = patient(Scripted(BAD, OSError("killed")), Time(), Retry(attempts=1), cache=cache)
    assert (await gone.ask(question())).status == "error"
    transport = Scripted(GOOD)
    reply = await ModelClient(transport, PYTHON, cache=cache).ask(question())
    assert reply.status == "ok"
    assert [len(request.messages) for request in transport.requests] == [3]


async def test_a_kept_answer_that_the_form_no_longer_takes_is_asked_again() -> None:
    cache = MemoryCache()
    await ModelClient(Scripted(GOOD), PYTHON, cache=cache).ask(question())
    (key,) = cache.replies
    cache.replies[key] = StoredReply("python:scripted", "ok", BAD)
    transport = Scripted(GOOD)
    reply = await ModelClient(transport, PYTHON, cache=cache).ask(question())
    assert reply.status == "ok"
    assert len(transport.requests) == 1


async def test_keys_wanted_at_once_are_looked_up_at_once() -> None:
    class Counting(MemoryCache):
        lookups = 0

        def may_have(self, key: str) -> bool:
            return True

        async def get_many(self, keys: Sequence[str]) -> Any:
            self.lookups += 1
            return await super().get_many(keys)

    cache = Counting()
    client = ModelClient(Scripted(GOOD), PYTHON, cache=cache)
    await client.ask_all([question(str(n), f"turn-{n}") for n in range(100)])
    assert cache.lookups == 1
    assert len(cache.replies) == 100


async def test_a_cache_is_not_asked_for_what_it_says_it_has_not() -> None:
    class Empty(MemoryCache):
        async def get_many(self, keys: Sequence[str]) -> Any:
            raise AssertionError("asked in vain")

    client = ModelClient(Scripted(GOOD), PYTHON, cache=Empty())
    assert (await client.ask(question())).status == "ok"


async def test_a_broken_cache_is_no_reply() -> None:
    class Full(MemoryCache):
        async def put(self, key: str, reply: StoredReply) -> None:
            raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        await ModelClient(Scripted(GOOD), PYTHON, cache=Full()).ask(question())


async def test_no_more_in_flight_than_allowed() -> None:
    most = now = 0

    class Counting:
        async def send(self, request: ModelRequest) -> ModelResponse:
            nonlocal most, now
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.001)
            now -= 1
            return ModelResponse(GOOD)

    client = ModelClient(Counting(), PYTHON, limiter=Limiter(4))
    await client.ask_all([question(str(n), str(n)) for n in range(40)])
    assert most == 4


async def test_what_it_costs() -> None:
    prices = Prices({"python:scripted": Price(input=2.0, output=10.0)})
    client = ModelClient(Scripted(GOOD), PYTHON, prices=prices)
    reply = await client.ask(question())
    assert reply.meta["cost_usd"] == client.cost(reply.usage)
    assert client.cost(reply.usage) == pytest.approx(10 * 2e-6 + 2 * 10e-6)
    assert ModelClient(Scripted(GOOD), PYTHON).cost(reply.usage) is None
    assert ModelClient(Scripted(GOOD), PYTHON).cost(Usage()) == 0.0


async def test_the_transport_is_closed() -> None:
    class Closing(Scripted):
        closed = False

        async def aclose(self) -> None:
            self.closed = True

    transport = Closing(GOOD)
    async with ModelClient(transport) as client:
        assert client.name == f"python:{Closing.__qualname__}"
    assert transport.closed


async def test_jurors_of_one_client_have_samples_of_their_own() -> None:
    transport = Scripted(GOOD)
    client = ModelClient(transport, PYTHON)
    jurors = [Juror(client, sample) for sample in range(3)]
    replies = [await juror.ask([question()]) for juror in jurors]
    assert [reply["mark"].status for reply in replies] == ["ok"] * 3
    assert [(juror.model, juror.sample) for juror in jurors] == [
        ("python:scripted", sample) for sample in range(3)
    ]
    assert len(transport.requests) == 3
