"""Models from Python: by name, as an object with one method, several, and what they may say."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import adjudge
from adjudge.models import ModelClient, ModelRequest, ModelResponse
from adjudge.testing import MisbehavingEndpoint
from scripted import MODEL, by_number, unsettled, verdict_of

CASES = [unsettled(number) for number in range(12)]


class Scripted:
    """A model in memory."""

    def __init__(self, answer: Callable[[ModelRequest], Any], name: str | None = None) -> None:
        self.answer = answer
        self.requests: list[ModelRequest] = []
        if name is not None:
            self.name = name

    async def send(self, request: ModelRequest) -> ModelResponse:
        self.requests.append(request)
        await asyncio.sleep(0)
        answer = self.answer(request)
        return ModelResponse(answer if isinstance(answer, str) else json.dumps(answer))


def always(score: int, name: str | None = None) -> Scripted:
    return Scripted(lambda request: verdict_of(score), name)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[MisbehavingEndpoint]:
    with MisbehavingEndpoint(by_number) as made:
        yield made


def test_a_model_by_name_and_an_object_judge_alike(endpoint: MisbehavingEndpoint) -> None:
    named = adjudge.judge("robot", CASES, model=MODEL, base_url=endpoint.url)
    assert [v.scores["score"] for v in named] == [number % 5 for number in range(12)]
    assert {v.method for v in named} == {"llm"}
    own = always(3)
    found = adjudge.judge("robot", CASES, model=own)
    assert [v.scores["score"] for v in found] == [3] * 12
    assert {o.model for v in found for o in v.opinions} == {"python:Scripted"}
    assert len(own.requests) == 12
    through_client = adjudge.judge("robot", CASES, model=ModelClient(always(2)))
    assert [v.scores["score"] for v in through_client] == [2] * 12


def test_what_an_endpoint_says_to_one_it_says_to_all_in_this_process() -> None:
    with MisbehavingEndpoint(fault="rate_limit_day") as tired:
        asked = [
            adjudge.judge("robot", CASES[:1], model=MODEL, base_url=tired.url) for _ in range(2)
        ]
    reasons = [str(verdicts[0].reason).partition(":")[0] for verdicts in asked]
    assert reasons == ["http_429", "held"]
    assert len(tired.requests) == 1


async def test_where_a_loop_runs_it_works_as_well(endpoint: MisbehavingEndpoint) -> None:
    sync = adjudge.judge("robot", CASES, model=always(1))
    later = await adjudge.judge_async("robot", CASES, model=always(1))
    streamed = [v async for v in adjudge.judge_stream("robot", CASES, model=always(1))]
    assert sync == later == sorted(streamed, key=lambda v: v.position)


def test_several_models_are_several_jurors() -> None:
    models = [always(0, "a"), always(4, "b"), always(3, "c")]
    [verdict] = adjudge.judge("robot", CASES[:1], model=models)
    assert verdict.scores == {"score": 3}
    assert verdict.flags == ("disagreement",)
    assert [o.model for o in verdict.opinions] == ["python:a", "python:b", "python:c"]
    with pytest.raises(adjudge.Fault, match="expected each once, found python:Scripted 2 times"):
        adjudge.judge("robot", CASES[:1], model=[always(0), always(1)])


def test_samples_ask_for_several_answers_and_warn_at_temperature_0() -> None:
    model = always(2)
    found = adjudge.judge("robot", CASES[:2], model=model, samples=3, temperature=0.7, seed=4)
    assert sorted(r.sample for r in model.requests) == [0, 0, 1, 1, 2, 2]
    assert {r.sampling.temperature for r in model.requests} == {0.7}
    assert [o.sample for o in found[0].opinions] == [0, 1, 2]
    with pytest.warns(UserWarning, match="samples: 3 at temperature 0"):
        adjudge.judge("robot", CASES[:1], model=always(2), samples=3)


def test_questions_in_flight_are_bounded() -> None:
    most = now = 0

    class Counting(Scripted):
        async def send(self, request: ModelRequest) -> ModelResponse:
            nonlocal most, now
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.002)
            now -= 1
            return await super().send(request)

    model = Counting(lambda request: verdict_of(1))
    cases = [unsettled(number) for number in range(60)]
    assert len(adjudge.judge("robot", cases, model=model, concurrency=5)) == 60
    assert most == 5


def test_equal_questions_are_asked_once() -> None:
    model = always(2)
    cases = [{**unsettled(7), "id": f"c{number}"} for number in range(40)]
    found = adjudge.judge("robot", cases, model=model)
    assert [v.scores["score"] for v in found] == [2] * 40
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("asking", "says"),
    [
        ({"model": "gpt"}, "PROVIDER:NAME"),
        ({"model": 7}, "expected PROVIDER:NAME or an object"),
        ({"model": always(1), "samples": 0}, "samples: expected a number from 1"),
        ({"model": always(1), "quorum": 2}, "quorum: expected 1 to 1"),
        ({"model": always(1), "concurrency": 0}, "concurrency: expected a number from 1"),
        ({"model": always(1), "rpm": 0}, "rpm: expected a number above 0"),
        ({"model": always(1), "tpm": float("inf")}, "tpm: expected a number above 0"),
        ({"model": always(1), "temperature": -1}, "temperature: expected a number from 0"),
        ({"model": always(1), "timeout": float("nan")}, "timeout"),
        ({"model": always(1), "max_output_tokens": 0}, "max_output_tokens"),
        ({"model": MODEL, "base_url": "ftp://x"}, "http:// or https://"),
    ],
)
def test_a_way_of_asking_that_makes_no_sense_is_named(asking: Any, says: str) -> None:
    with pytest.raises(adjudge.Fault, match=says):
        adjudge.judge("robot", CASES[:1], **asking)


def test_settings_of_asking_without_a_model_are_a_mistake() -> None:
    with pytest.raises(TypeError, match="samples: expected a model with it"):
        adjudge.judge("robot", CASES[:1], samples=3)
    with pytest.raises(TypeError, match="askers: expected none beside a model"):
        adjudge.judge("robot", CASES[:1], model=always(1), askers=[object()])  # type: ignore[list-item]


def test_text_that_no_file_could_hold_is_made_safe() -> None:
    odd = "half a pair: \ud800, nothing: \x00, an escape: \x1b[2J"
    [verdict] = adjudge.judge("robot", CASES[:1], model=Scripted(lambda r: verdict_of(3, odd)))
    assert verdict.output is not None
    assert verdict.output["summary"] == "half a pair: \ufffd, nothing: \ufffd, an escape: \ufffd[2J"
    [raw] = adjudge.judge("robot", CASES[:1], model=Scripted(lambda r: f"No. {odd}"))
    assert raw.status == "invalid"
    for text in (verdict.to_json(), raw.to_json()):
        assert not set(text) & set("\ud800\x00\x1b")


@pytest.mark.parametrize("fault", [ValueError("broken"), TimeoutError(), OSError("gone")])
def test_an_object_that_raises_is_an_error_of_its_cases(fault: Exception) -> None:
    def answer(request: ModelRequest) -> Any:
        if "number 3." in request.messages[-1].content:
            raise fault
        return verdict_of(1)

    found = adjudge.judge("robot", CASES[:5], model=Scripted(answer), deadline=0.05)
    assert [v.status for v in found] == ["scored"] * 3 + ["error", "scored"]


def test_an_object_that_cancels_itself_loses_no_case() -> None:
    def answer(request: ModelRequest) -> Any:
        raise asyncio.CancelledError

    found = adjudge.judge("robot", CASES[:3], model=Scripted(answer))
    assert [(v.status, v.reason) for v in found] == [("error", "internal_error")] * 3


@pytest.mark.parametrize("judge", ["robot"])
def test_workers_give_the_same_verdicts(judge: str, endpoint: MisbehavingEndpoint) -> None:
    asking: Any = {"model": MODEL, "base_url": endpoint.url}
    alone = adjudge.judge(judge, CASES, **asking)
    assert adjudge.judge(judge, CASES, workers=1, **asking) == alone
