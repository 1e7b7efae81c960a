from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from adjudge.contract import Message, Question
from adjudge.models import MemoryCache, ModelClient, ModelRequest, Sampling, connect, form_of


class Mark(BaseModel, frozen=True):
    kind: Literal["fruit", "animal"]
    score: int = Field(ge=0, le=4)


def model_file() -> Path:
    """The real model; skips the test where it or the library cannot be had."""
    pytest.importorskip("xllamacpp", reason="needs the extra 'local'")
    source = Path(__file__).parents[1] / "real_model.py"
    spec = importlib.util.spec_from_file_location("real_model", source)
    assert spec is not None
    assert spec.loader is not None
    real_model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(real_model)
    try:
        file: Path = real_model.path()
    except OSError as problem:
        pytest.skip(str(problem))
    return file


@pytest.fixture
async def client() -> AsyncIterator[ModelClient]:
    sampling = Sampling(max_tokens=40)
    async with connect(f"llamacpp:{model_file()}", sampling=sampling, cache=MemoryCache()) as made:
        yield made


def question(text: str) -> Question:
    return Question(key="mark", messages=(Message(role="user", content=text),), form=Mark)


async def test_a_real_model_answers_in_the_form(client: ModelClient) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.005)

    ticking = asyncio.create_task(tick())
    replies = await client.ask_all([question("An apple."), question("A horse, of four.")])
    ticking.cancel()
    for reply in replies.values():
        assert reply.status == "ok", reply
        assert isinstance(reply.value, Mark)
        assert reply.usage.input_tokens > 0
        assert reply.usage.output_tokens > 0
        assert client.cost(reply.usage) == 0.0
    # the event loop went on meanwhile
    assert ticks > 2

    # a schema that no grammar can be made of goes into the prompt
    odd = replace(form_of(Mark), schema={"type": "nonsense"})
    asked = ModelRequest(question("An apple.").messages, odd, Sampling(max_tokens=5))
    response = await client.transport.send(asked)
    assert (response.without, response.usage.calls) == (("schema",), 2)

    # as much text as its context holds and more
    long = await client.ask(question("horse " * 20_000))
    assert (long.status, long.usage.calls) == ("overflow", 1)
    assert client.name == "llamacpp:SmolLM2-135M-Instruct.Q4_1.gguf"


async def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs the extra 'local'")
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"no model")
    async with connect(f"llamacpp:{file}") as broken:
        reply = await broken.ask(question("An apple."))
    assert reply.status == "error"
    assert str(reply.reason).startswith("load: broken.gguf cannot be loaded")
    assert str(tmp_path) not in str(reply.reason)
