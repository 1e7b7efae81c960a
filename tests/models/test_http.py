from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, Field

from adjudge.contract import Message, Question
from adjudge.models import MemoryCache, ModelClient, Retry, Sampling, connect
from adjudge.models.dialects import AnthropicMessages, OpenAIChat
from adjudge.testing import Error, Fault, MisbehavingEndpoint, Play
from adjudge.testing.wire import DialectName

ANSWER = {"summary": "It put the mug under the tap.", "score": 3}
MODELS = {
    "openai": ("openai:some-model", "OPENAI_API_KEY"),
    "anthropic": ("anthropic:some-model", "ANTHROPIC_API_KEY"),
}
DIALECTS: tuple[DialectName, ...] = ("openai", "anthropic")
KEY = "planted/key+0123456789"
QUICK = Retry(base=0.0)


class Mark(BaseModel, frozen=True):
    summary: str = Field(description="One sentence")
    score: int = Field(ge=0, le=4)


def question(text: str = "Score it.") -> Question:
    messages = (
        Message(role="system", content="You are a judge."),
        Message(role="user", content=text),
    )
    return Question(key="mark", messages=messages, form=Mark)


def client(endpoint: MisbehavingEndpoint, dialect: str, **options: Any) -> ModelClient:
    model, variable = MODELS[dialect]
    options.setdefault("retry", QUICK)
    base_url = options.pop("base_url", endpoint.url)
    return connect(model, base_url=base_url, environ={variable: KEY}, **options)


async def test_what_is_sent_to_openai() -> None:
    async with MisbehavingEndpoint(ANSWER) as endpoint:
        sampling = Sampling(temperature=0.5, max_tokens=300, seed=7)
        async with client(endpoint, "openai", sampling=sampling) as asked:
            reply = await asked.ask(question("Größe?"), sample=2)
    assert reply.value == Mark(**ANSWER)
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 100, 20)
    (received,) = endpoint.requests
    assert received.key == f"Bearer {KEY}"
    schema = received.body.pop("response_format")["json_schema"]
    assert (schema["name"], schema["strict"]) == ("Mark", True)
    assert schema["schema"]["properties"]["score"]["enum"] == [0, 1, 2, 3, 4]
    assert received.body == {
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "You are a judge."},
            {"role": "user", "content": "Größe?"},
        ],
        "temperature": 0.5,
        "max_completion_tokens": 300,
        "seed": 9,
    }


async def test_what_is_sent_to_anthropic() -> None:
    async with MisbehavingEndpoint(ANSWER) as endpoint, client(endpoint, "anthropic") as asked:
        reply = await asked.ask(question())
    assert reply.value == Mark(**ANSWER)
    (received,) = endpoint.requests
    assert received.key == KEY
    form = received.body.pop("output_config")["format"]
    assert form["type"] == "json_schema"
    assert form["schema"]["required"] == ["summary", "score"]
    assert received.body == {
        "model": "some-model",
        "max_tokens": 8192,
        "system": "You are a judge.",
        "messages": [{"role": "user", "content": "Score it."}],
        "temperature": 0.0,
    }


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_refused_schema_goes_into_the_prompt_from_then_on(dialect: str) -> None:
    async with (
        MisbehavingEndpoint(ANSWER, fault="schema_refused") as endpoint,
        client(endpoint, dialect) as asked,
    ):
        first = await asked.ask(question("one"))
        replies = [await asked.ask(question(f"more {n}")) for n in range(5)]
    assert {reply.status for reply in (first, *replies)} == {"ok"}
    assert first.meta["without"] == ["schema"]
    assert "failed" not in first.meta
    # one request was in vain, and only one
    assert (first.usage.calls, len(endpoint.requests)) == (2, 7)
    assert '"properties"' in endpoint.requests[-1].prompt
    assert endpoint.requests[-1].prompt.startswith("more 4\n\n")


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_refused_temperature_is_left_out_from_then_on(dialect: str) -> None:
    async with (
        MisbehavingEndpoint(ANSWER, fault="temperature_refused") as endpoint,
        client(endpoint, dialect) as asked,
    ):
        assert (await asked.ask(question("one"))).meta["without"] == ["temperature"]
        await asked.ask(question("two"))
    assert ["temperature" in r.body for r in endpoint.requests] == [True, False, False]
    assert "response_format" in endpoint.requests[-1].body or dialect == "anthropic"


async def test_the_limit_goes_under_its_other_name_where_the_first_is_refused() -> None:
    fault = Fault(
        "old_limit",
        "400 that names max_completion_tokens",
        Play(400, error=Error("max_completion_tokens: unknown", param="max_completion_tokens")),
        when=lambda body: "max_completion_tokens" in body,
    )
    async with (
        MisbehavingEndpoint(ANSWER, fault=fault) as endpoint,
        client(endpoint, "openai", sampling=Sampling(max_tokens=50)) as asked,
    ):
        assert (await asked.ask(question())).status == "ok"
    assert endpoint.requests[-1].body["max_tokens"] == 50


async def test_a_schema_that_is_only_mentioned_is_asked_for_again() -> None:
    """An error that stays without the schema was about something else."""
    fault = Fault("other", "400", Play(400, error=Error("the schema of your account is broken")), 2)
    async with (
        MisbehavingEndpoint(ANSWER, fault=fault) as endpoint,
        client(endpoint, "openai") as asked,
    ):
        reply = await asked.ask(question("one"))
        assert (reply.status, reply.usage.calls) == ("error", 2)
        assert (await asked.ask(question("two, and one more"))).status == "error"
        await asked.ask(question("one"))
    assert "response_format" in endpoint.requests[-1].body


async def test_connections_are_used_again() -> None:
    async with MisbehavingEndpoint(ANSWER) as endpoint, client(endpoint, "openai") as asked:
        for number in range(20):
            assert (await asked.ask(question(str(number)))).status == "ok"
        assert set(endpoint.asked.values()) == {1}
        assert endpoint.connections == 1


async def test_a_redirect_is_not_followed() -> None:
    async with MisbehavingEndpoint(ANSWER) as endpoint:
        url = endpoint.url_of("redirect")
        async with client(endpoint, "openai", base_url=url) as asked:
            reply = await asked.ask(question())
    assert reply.status == "error"
    assert str(reply.reason).startswith("http_307")
    assert "is the base URL right?" in str(reply.reason)


async def test_an_endpoint_that_is_not_there_is_named() -> None:
    async with MisbehavingEndpoint(ANSWER) as endpoint:
        url = endpoint.url
    async with client(endpoint, "openai", base_url=url, retry=Retry(attempts=2, base=0.0)) as asked:
        reply = await asked.ask(question())
    assert reply.meta["failed"] == ["connection", "connection"]
    assert f"{url}/chat/completions" in str(reply.reason)


async def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with MisbehavingEndpoint(ANSWER) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", "")
        async with client(proxy, "openai", base_url="http://model.invalid/v1") as asked:
            assert (await asked.ask(question())).status == "ok"
        monkeypatch.setenv("no_proxy", "model.invalid")
        quick = Retry(attempts=1)
        async with client(
            proxy, "openai", base_url="http://model.invalid/v1", retry=quick
        ) as asked:
            assert (await asked.ask(question())).status == "error"
    assert len(proxy.requests) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("fault", ["unauthorized", "error_body_key", "said_by_the_model"])
async def test_the_key_is_in_nothing_that_is_kept(
    dialect: str, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    faults: dict[str, Fault | None] = {
        "unauthorized": Fault("u", "401", Play(401, error=Error("Bad key {key}"))),
        "error_body_key": Fault("e", "200", Play(error=Error("Bad key {key}"))),
        "said_by_the_model": None,
    }
    answer = {"summary": f"The key is {KEY}.", "score": 9}
    cache = MemoryCache()
    async with (
        MisbehavingEndpoint(answer, fault=faults[fault]) as endpoint,
        client(endpoint, dialect, cache=cache) as asked,
    ):
        reply = await asked.ask(question())
        shown = [repr(asked), repr(vars(asked)), reply.model_dump_json()]
    assert reply.status in ("error", "invalid")
    assert reply.text is not None
    assert "[key]" in reply.text
    assert KEY in str(endpoint.requests[0].key)
    shown += [repr(reply), repr(cache.replies), caplog.text]
    for text in shown:
        assert KEY not in text
        assert json.dumps(KEY).replace("/", "\\/").strip('"') not in text


@pytest.mark.parametrize("dialect", [OpenAIChat(), AnthropicMessages()])
def test_no_key_no_header(dialect: OpenAIChat | AnthropicMessages) -> None:
    assert not {"Authorization", "x-api-key"} & set(dialect.headers(None))
