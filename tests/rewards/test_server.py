"""The reward server, over a real socket, with requests as OpenRLHF sends them."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from adjudge.contract import Question, Reply
from adjudge.rewards import RewardSource
from adjudge.rewards.server import Limits, completion_in, reward_app
from social_cases import Scripted, importances

uvicorn = pytest.importorskip("uvicorn")

LAMP = json.dumps({"instruction": "Turn on the lamp."})
PROMPT = "<|user|>Turn on the lamp.<|assistant|>"
GOOD = "navigate(lamp)\ntoggle_on(lamp)"


@asynccontextmanager
async def serving(source: RewardSource, **options: Any) -> AsyncIterator[str]:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    config = uvicorn.Config(reward_app(source, **options), log_level="error", ws="none")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
        listening.close()


async def post(url: str, body: Any, **headers: str) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{url}/get_reward", data=data, headers=headers) as response,
    ):
        return response.status, await response.json()


def request(*completions: str, label: Any = LAMP) -> dict[str, Any]:
    count = len(completions)
    return {
        "query": [f"<s>{PROMPT}{completion}</s>" for completion in completions],
        "prompts": [PROMPT] * count,
        "labels": [label] * count,
    }


async def test_a_batch_gets_its_rewards_in_order() -> None:
    async with serving(RewardSource("robot")) as url:
        status, answer = await post(url, request(GOOD, "wait", GOOD))
    assert status == 200
    assert answer == {
        "rewards": [1.0, 0.0, 1.0],
        "scores": [1.0, 0.0, 1.0],
        "extra_logs": {"judged": [1.0, 1.0, 1.0]},
        "reasons": [None, None, None],
    }


async def test_what_cannot_be_judged_is_null_with_its_reason() -> None:
    body = {
        "query": [f"{PROMPT}{GOOD}", "another prompt", f"{PROMPT}{GOOD}", f"{PROMPT}{GOOD}"],
        "prompts": [PROMPT] * 4,
        "labels": [LAMP, LAMP, "no case", {"instruction": 3}],
    }
    async with serving(RewardSource("robot")) as url:
        _, answer = await post(url, body)
    assert answer["rewards"] == [1.0, None, None, None]
    assert answer["extra_logs"]["judged"] == [1.0, 0.0, 0.0, 0.0]
    reasons = [str(reason).split(":")[0] for reason in answer["reasons"]]
    assert reasons == ["None", "no_completion", "no_case", "error"]


async def test_a_number_stands_for_it_only_where_one_is_given() -> None:
    async with serving(RewardSource("robot"), missing=-1.0) as url:
        _, answer = await post(url, request(GOOD, label="no case"))
    assert answer["rewards"] == [-1.0]
    assert answer["extra_logs"]["judged"] == [0.0]


async def test_what_is_late_is_null_and_the_answer_comes_in_time() -> None:
    class Never(Scripted):
        async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
            if "slowly" in questions[0].messages[-1].content:
                await asyncio.sleep(60)
            return await super().ask(questions)

    talk = {
        "agent": "Ann",
        "goals": {"Ann": "Agree."},
        "scores": {"Ann": 8},
        "turns": [{"speaker": "Bob", "text": "Ten?"}],
    }
    model = Never(lambda question: importances({1: 3}))
    source = RewardSource("social", "direct", askers=[model])
    async with serving(source, limits=Limits(seconds=3.0)) as url:
        _, answer = await post(url, request("Deal.", "slowly", label=talk))
    assert answer["rewards"] == [8.0, None]
    assert answer["reasons"] == [None, "timeout"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"{", 422, "JSON"),
        ({"query": ["a"]}, 422, "prompts: Field required"),
        ({"query": "a", "prompts": ["a"], "labels": ["x"]}, 422, "query"),
        ({"query": ["a", "b"], "prompts": ["a"], "labels": [1]}, 422, "2 query, 1 prompts"),
        (request(*["wait"] * 5), 413, "at most 4 completions, found 5"),
        (request("x" * 5000), 413, "at most 4000 bytes"),
    ],
)
async def test_a_request_that_cannot_be_answered_is_told_why(
    body: Any, status: int, words: str
) -> None:
    limits = Limits(batch=4, bytes=4000)
    async with serving(RewardSource("robot"), limits=limits) as url:
        found, answer = await post(url, body)
        assert found == status
        assert words in answer["error"]
        # and the server goes on
        assert (await post(url, request(GOOD)))[0] == 200


async def test_an_empty_batch_is_answered() -> None:
    async with serving(RewardSource("robot")) as url:
        _, answer = await post(url, request())
    assert answer["rewards"] == []


async def test_a_token_is_needed_where_there_is_one_and_health_needs_none() -> None:
    async with serving(RewardSource("robot"), token="secret") as url:
        assert (await post(url, request(GOOD)))[0] == 401
        assert (await post(url, request(GOOD), Authorization="Bearer wrong"))[0] == 401
        assert (await post(url, request(GOOD), Authorization="Bearer secret"))[0] == 200
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{url}/health") as response:
                assert await response.json() == {"status": "ok", "judge": "robot", "version": "1"}
            async with session.get(f"{url}/openapi.json") as response:
                assert response.status == 404


async def test_requests_at_once_are_answered_each_for_itself() -> None:
    async with serving(RewardSource("robot")) as url:
        bodies = [request(GOOD, "wait") if i % 2 else request("wait") for i in range(12)]
        answers = await asyncio.gather(*(post(url, body) for body in bodies))
    for i, (_, answer) in enumerate(answers):
        assert answer["rewards"] == ([1.0, 0.0] if i % 2 else [0.0])


@pytest.mark.parametrize(
    ("query", "completion"),
    [
        ("<bos>Plan: pick(mug)<|im_end|>\n<|endoftext|>", " pick(mug)"),
        ("Plan: pick(mug)</s></s>", " pick(mug)"),
        ("Plan:", ""),
        ("Plan: say </s> loud", " say </s> loud"),
        ("Other", None),
    ],
)
def test_a_completion_is_what_follows_the_prompt(query: str, completion: str | None) -> None:
    assert completion_in(query, "Plan:") == completion
