"""What a budget allows, from Python: never passed by more than the questions in flight."""

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.contract import BUDGET, Usage
from adjudge.models import (
    CannotCount,
    Endpoint,
    Juror,
    ModelClient,
    ModelFailure,
    ModelRequest,
    ModelResponse,
    Price,
    Prices,
)
from adjudge.runs.panel import BadAsking
from scripted import unsettled, verdict_of

CASES = [unsettled(number) for number in range(12)]
NAME = "python:counting"
PRICE = Price(3.0, 7.0)


@dataclass
class Counting:
    """A model whose every request takes tokens from a list, and which now and then fails, refuses
    or says nothing that can be read. It notes what had been used when each request came."""

    takes: list[tuple[int, int]]
    turns: list[str]
    name: str = "counting"
    used: list[Usage] = field(default_factory=list)
    came: list[Usage] = field(default_factory=list)
    now: int = 0
    most: int = 0

    async def send(self, request: ModelRequest) -> ModelResponse:
        number = len(self.came)
        self.came.append(sum(self.used, Usage()))
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(number % 3):
            await asyncio.sleep(0)
        self.now -= 1
        read, written = self.takes[number % len(self.takes)]
        usage = Usage(calls=1, input_tokens=read, output_tokens=written)
        self.used.append(usage)
        match self.turns[number % len(self.turns)]:
            case "fail":
                raise ModelFailure("http_500: down", usage=usage)
            case "mumble":
                return ModelResponse("Well.", usage=usage)
        return ModelResponse(json.dumps(verdict_of(number % 5)), usage=usage)


takes = st.lists(st.tuples(st.integers(1, 400), st.integers(0, 90)), min_size=1, max_size=9)
turns = st.lists(st.sampled_from(["say", "say", "fail", "mumble"]), min_size=1, max_size=5)


@settings(deadline=None, max_examples=40)
@given(
    takes=takes,
    turns=turns,
    concurrency=st.integers(1, 7),
    samples=st.integers(1, 2),
    max_tokens=st.none() | st.integers(0, 4000),
    max_cost=st.none() | st.floats(0, 0.02),
)
def test_no_question_goes_out_once_a_budget_is_reached(
    takes: list[tuple[int, int]],
    turns: list[str],
    concurrency: int,
    samples: int,
    max_tokens: int | None,
    max_cost: float | None,
) -> None:
    model = Counting(takes, turns)
    verdicts = adjudge.judge(
        "robot",
        CASES,
        model=model,
        samples=samples,
        temperature=1.0,
        concurrency=concurrency,
        max_tokens=max_tokens,
        max_cost=max_cost,
        prices=Prices({NAME: PRICE}),
    )

    def reached(used: Usage) -> bool:
        tokens = used.input_tokens + used.output_tokens
        return (max_tokens is not None and tokens >= max_tokens) or (
            max_cost is not None and PRICE.of(used) >= max_cost
        )

    assert model.most <= concurrency
    assert not any(reached(used) for used in model.came)
    assert len(verdicts) == len(CASES)
    skipped = [v for v in verdicts if v.status == "skipped"]
    assert {v.reason for v in skipped} <= {BUDGET}
    assert all(v.scores == {} for v in skipped)
    if skipped:
        assert reached(sum(model.used, Usage()))
    # what is judged was heard whole
    assert all(
        opinion.reason != BUDGET for v in verdicts if v.status == "scored" for opinion in v.opinions
    )
    paid = sum((verdict.usage for verdict in verdicts), Usage())
    assert paid == sum(model.used, Usage())
    costs = [verdict.cost_usd for verdict in verdicts]
    assert sum(cost or 0.0 for cost in costs) == pytest.approx(PRICE.of(paid))


def test_a_budget_that_cannot_be_kept_is_refused_by_name() -> None:
    with pytest.raises(BadAsking, match=r"max_cost: there is no price for python:counting"):
        adjudge.judge("robot", CASES, model=Counting([(1, 1)], ["say"]), max_cost=1.0)
    silent = Counting([(0, 0)], ["say"])
    with pytest.raises(CannotCount, match="python:counting answers without saying how many"):
        adjudge.judge("robot", CASES, model=silent, max_tokens=100, concurrency=2)
    free = Prices({NAME: Price(0.0, 0.0)})
    for budget in (1.0, 0.0):
        found = adjudge.judge("robot", CASES, model=silent, max_cost=budget, prices=free)
        assert {(v.status, v.cost_usd) for v in found} == {("scored", 0.0)}
    with pytest.raises(BadAsking, match="max_tokens: expected a number from 0"):
        adjudge.judge("robot", CASES, model=silent, max_tokens=-1)
    with pytest.raises(TypeError, match="max_cost: expected a model with it"):
        adjudge.judge("robot", CASES, max_cost=1.0)
    juror = Juror(ModelClient(silent))
    with pytest.raises(TypeError, match="max_tokens: expected a model with it, found askers"):
        adjudge.judge("robot", CASES, askers=[juror], max_tokens=1)


def test_a_client_of_one_s_own_is_held_to_it_for_this_call_alone() -> None:
    model = Counting([(100, 20)], ["say"])
    client = ModelClient(model, Endpoint("python", "counting"))
    held = adjudge.judge("robot", CASES, model=client, max_tokens=360, concurrency=1)
    assert [v.status for v in held].count("skipped") <= len(CASES) - 3
    assert len(model.came) < len(CASES) + 3
    assert {v.status for v in adjudge.judge("robot", CASES, model=client)} == {"scored"}
