from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from typing import Any

import aiohttp
import pytest

from adjudge.testing import FAULTS, Error, Fault, MisbehavingEndpoint, Play, Received

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer", "enum": [0, 1]}}}


def request(prompt: str = "Score it.", **more: Any) -> dict[str, Any]:
    schema = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
    messages = [{"role": "user", "content": prompt}]
    return {"model": "any", "messages": messages, "response_format": schema, **more}


async def ask(url: str, body: dict[str, Any]) -> tuple[int, Any]:
    path = "/chat/completions"
    async with aiohttp.ClientSession() as session, session.post(url + path, json=body) as response:
        return response.status, json.loads(await response.text())


def said(body: Any) -> Any:
    return json.loads(body["choices"][0]["message"]["content"])


async def test_a_fixed_answer() -> None:
    async with MisbehavingEndpoint({"score": 1}) as endpoint:
        status, body = await ask(endpoint.url, request())
    assert (status, said(body)) == (200, {"score": 1})


async def test_a_sequence_of_answers_by_question() -> None:
    async with MisbehavingEndpoint([{"score": 1}, {"score": 2}]) as endpoint:
        asked = ["a", "a", "b", "a"]
        scores = [said((await ask(endpoint.url, request(p)))[1])["score"] for p in asked]
    assert scores == [1, 2, 1, 2]
    assert sorted(endpoint.asked.values()) == [1, 3]


async def test_an_answer_made_from_the_request() -> None:
    def answer(received: Received) -> dict[str, Any]:
        return {"echo": received.prompt}

    async with MisbehavingEndpoint(answer) as endpoint:
        assert said((await ask(endpoint.url, request("hello")))[1]) == {"echo": "hello"}


async def test_without_a_script_the_least_answer_that_fits() -> None:
    async with MisbehavingEndpoint() as endpoint:
        assert said((await ask(endpoint.url, request()))[1]) == {"score": 0}


async def test_a_repair_turn_is_the_same_question() -> None:
    async with MisbehavingEndpoint({"score": 1}) as endpoint:
        first = request()
        repair = [
            *first["messages"],
            {"role": "assistant", "content": "?"},
            {"role": "user", "content": "No."},
        ]
        await ask(endpoint.url, first)
        await ask(endpoint.url, {**first, "messages": repair})
    assert list(endpoint.asked.values()) == [2]
    assert [received.nth for received in endpoint.requests] == [0, 1]


async def test_a_fault_of_ones_own() -> None:
    fault = Fault("teapot", "418 once", Play(418, error=Error("short and stout")), times=1)
    async with MisbehavingEndpoint({"score": 1}, fault=fault) as endpoint:
        outcomes = [(await ask(endpoint.url, request()))[0] for _ in range(2)]
    assert outcomes == [418, 200]


async def test_every_fault_has_a_url() -> None:
    async with MisbehavingEndpoint({"score": 1, "why": "so"}) as endpoint:
        status, body = await ask(endpoint.url_of("context_overflow"), request())
        assert (status, body["error"]["code"]) == (400, "context_length_exceeded")
        with pytest.raises(KeyError):
            endpoint.url_of("no_such_fault")


async def test_latency() -> None:
    async with MisbehavingEndpoint({"score": 1}, latency=3600) as endpoint:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(endpoint.url, request()), 0.05)
        endpoint.latency = 0
        assert (await ask(endpoint.url, request()))[0] == 200


def test_in_a_thread_for_code_that_blocks() -> None:
    with MisbehavingEndpoint({"score": 1}) as endpoint:
        data = json.dumps(request()).encode()
        asked = urllib.request.Request(endpoint.url + "/chat/completions", data)
        with urllib.request.urlopen(asked) as response:
            assert said(json.loads(response.read())) == {"score": 1}


def test_names_in_the_table_are_their_own() -> None:
    assert all(fault.name == name for name, fault in FAULTS.items())
    assert len({fault.about for fault in FAULTS.values()}) == len(FAULTS)


def test_as_a_command() -> None:
    command = [sys.executable, "-m", "adjudge.testing", "--answer", '{"score": 1}']
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[0]
        _, body = asyncio.run(ask(url, request()))
        server.terminate()
    assert said(body) == {"score": 1}
    listed = subprocess.run(
        [*command[:3], "--faults"], capture_output=True, text=True, check=True
    ).stdout
    assert all(name in listed for name in FAULTS)
