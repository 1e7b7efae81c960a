"""Reward functions as trainers call them: one number or None a completion, whatever happens."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudge.contract import Fault, Question, Reply, Usage
from adjudge.models import form_of, parse
from adjudge.rewards import (
    BadRow,
    NotJudged,
    RewardSource,
    compute_score,
    trl_reward,
    trl_reward_async,
    verl_reward,
)
from adjudge.testing import MisbehavingEndpoint
from social_cases import Scripted, importances
from tally_judge import TallyJudge

LAMP = json.dumps({"id": "same", "instruction": "Turn on the lamp."})
GOOD = "navigate(lamp)\ntoggle_on(lamp)"
TALK = {
    "agent": "Ann",
    "goals": {"Ann": "Agree on a price."},
    "scores": {"Ann": 8},
    "turns": [{"speaker": "Bob", "text": "Ten?"}],
}


def test_trl_gets_one_reward_a_completion_of_the_same_case() -> None:
    reward = trl_reward("robot")
    completions = [GOOD, "navigate(lamp)", "", "fly(lamp)"]
    rewards = reward(
        prompts=["p"] * 4, completions=completions, case=[LAMP] * 4, completion_ids=[[1]] * 4
    )
    assert rewards == [1.0, 0.0, 0.0, 0.0]
    assert reward.__name__ == "adjudge_robot"


def test_a_broken_case_is_none_and_the_others_keep_their_place() -> None:
    broken = json.dumps({"instruction": 3})
    rewards = trl_reward("robot")(["p"] * 3, [GOOD] * 3, case=[LAMP, broken, LAMP])
    assert rewards == [1.0, None, 1.0]


def test_conversational_completions_are_read_too() -> None:
    said = [{"role": "assistant", "content": GOOD}]
    assert trl_reward("robot")([[{"role": "user", "content": "p"}]], [said], case=[LAMP]) == [1.0]


def test_what_was_judged_and_what_not_is_logged_where_the_trainer_logs() -> None:
    extra: dict[str, list[str]] = {}
    metrics: dict[str, float] = {}
    trl_reward("robot")(
        ["p", "p"],
        [GOOD, GOOD],
        case=[LAMP, json.dumps({"instruction": 3})],
        log_extra=extra.__setitem__,
        log_metric=metrics.__setitem__,
    )
    assert extra["adjudge_reason"] == ["", "error: bad_case"]
    assert extra["adjudge_scores"] == ['{"score": 4}', "{}"]
    assert metrics == {"adjudge/judged": 0.5, "adjudge/scored": 0.5, "adjudge/error": 0.5}


def test_a_case_of_ones_own_and_rows_that_are_not_to_be_judged() -> None:
    def case(prompt: Any, completion: Any, row: Mapping[str, Any]) -> Any:
        return None if row["skip"] else {"text": prompt, "marks": [1] * len(completion)}

    reward = trl_reward(TallyJudge(limit=4), case=case)
    rewards = reward(["a", "b", "c"], ["xx", "xxx", ""], skip=[False, True, False])
    assert rewards == [0.5, None, 0.0]


def test_the_reward_can_be_made_of_anything_in_the_verdict() -> None:
    def steps(verdict: Any) -> float | None:
        rewards = [step["reward"] for step in verdict.details["steps"]]
        return sum(rewards) / len(rewards) if rewards else None

    reward = trl_reward("robot", reward=steps)
    broken = json.dumps({"instruction": 3})
    assert reward(["p"] * 3, [GOOD, "", GOOD], case=[LAMP, LAMP, broken]) == [1.0, None, None]
    nothing = trl_reward("robot", reward=lambda verdict: float("nan"))
    assert nothing(["p"], [GOOD], case=[LAMP]) == [None]


def test_a_column_that_is_missing_is_named() -> None:
    with pytest.raises(BadRow, match=r"column 'case' .* found label"):
        trl_reward("robot")(["p"], ["x"], label=["y"])


def test_a_case_that_makes_several_verdicts_cannot_shift_the_rewards() -> None:
    talk = {**TALK, "agents": ["Ann", "Bob"], "turns": [{"speaker": "Ann", "text": "Hi"}]}
    del talk["agent"]
    source = RewardSource("social", "uniform")
    with pytest.raises(Fault, match="one case a completion"):
        asyncio.run(source.judged([talk, {**TALK, "scores": {"Ann": 3}}]))


def test_judges_that_ask_a_model_work_from_any_thread_and_loop() -> None:
    """The model's connections belong to one event loop; so every call is run in the same."""
    loops: set[Any] = set()

    class Bound(Scripted):
        async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
            loops.add(asyncio.get_running_loop())
            return await super().ask(questions)

    model = Bound(lambda question: importances({1: 3}))
    reward = trl_reward("social", "direct", askers=[model])
    found: list[Any] = []

    def call() -> None:
        found.append(reward(["p", "p"], ["Deal.", "Deal."], case=[TALK, TALK]))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    async def inside() -> Any:
        return reward(["p"], ["Deal."], case=[TALK])

    found.append(asyncio.run(inside()))
    assert found == [[8.0, 8.0]] * 4 + [[8.0]]
    assert len(loops) == 1


def test_a_model_is_named_as_everywhere_and_its_connections_are_used_again() -> None:
    with MisbehavingEndpoint(importances({1: 3})) as endpoint:
        reward = trl_reward("social", "direct", model="openai-compatible:m", base_url=endpoint.url)
        assert reward(["p", "p"], ["Deal.", "No."], case=[TALK, TALK]) == [8.0, 8.0]
        # the same completion again is not asked about again
        assert reward(["p", "p"], ["Deal.", "Well."], case=[TALK, TALK]) == [8.0, 8.0]
        assert len(endpoint.requests) == 3


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"method": "direct"}, "expected a model to ask"),
        ({"method": "direkt"}, "did you mean direct"),
        ({"method": "direct", "model": "nobody:x"}, "unknown provider"),
        ({"options": {"dimenson": "goal"}}, "did you mean dimension"),
    ],
)
def test_what_is_wrong_is_said_before_training_begins(arguments: Any, problem: str) -> None:
    for make in (trl_reward, trl_reward_async, verl_reward):
        with pytest.raises(Fault, match=problem):
            make("social", **arguments)


async def test_the_async_function_is_one_and_gives_the_same() -> None:
    reward = trl_reward_async("robot")
    assert inspect.iscoroutinefunction(reward)
    assert await reward(["p", "p"], [GOOD, "wait"], case=[LAMP, LAMP]) == [1.0, 0.0]


async def test_what_takes_too_long_is_none_and_what_was_done_stays() -> None:
    class Slow(Scripted):
        async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
            if "slowly" in questions[0].messages[-1].content:
                await asyncio.sleep(60)
            return await super().ask(questions)

    model = Slow(lambda question: importances({1: 3}))
    source = RewardSource("social", "direct", askers=[model])
    slow = {
        **TALK,
        "turns": [{"speaker": "Bob", "text": "slowly"}, {"speaker": "Ann", "text": "x"}],
    }
    quick = {**TALK, "turns": [*TALK["turns"], {"speaker": "Ann", "text": "Deal."}]}
    results = await source.judged([quick, slow, quick], seconds=3.0)
    assert [result.reward for result in results] == [8.0, None, 8.0]
    assert results[1].reason == "timeout"


def test_a_reply_that_cannot_be_used_is_none_and_never_zero() -> None:
    model = Scripted(lambda question: "I cannot judge people.")
    reward = trl_reward("social", "direct", askers=[model])
    assert reward(["p"], ["Deal."], case=[TALK]) == [None]


# verl


def test_verl_gets_a_score_and_whether_it_was_judged() -> None:
    found = compute_score("plans/robot", GOOD, LAMP, {"index": 3}, reward_router_address="x")
    assert found == {"score": 1.0, "judged": 1.0, "status": "scored"}


def test_verl_gets_no_number_for_what_was_not_judged_unless_one_is_given() -> None:
    with pytest.raises(NotJudged, match="error: bad_case"):
        compute_score("robot", GOOD, {"instruction": 3})
    found = compute_score("robot", GOOD, {"instruction": 3}, missing=-1)
    assert found == {"score": -1.0, "judged": 0.0, "status": "error"}


def test_verl_options_are_the_judges() -> None:
    talk = {**TALK, "scores": {"Ann": {"goal": 8, "relationship": -2}}}
    plain = compute_score("social", "Deal.", talk, method="uniform")
    other = compute_score("social", "Deal.", talk, method="uniform", dimension="relationship")
    assert (plain["score"], other["score"]) == (8.0, -2.0)


def test_verl_reward_has_models_and_cases_of_its_own() -> None:
    class Yes:
        model, sample = "yes", 0

        async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
            return {q.key: self._reply(q) for q in questions}

        def _reply(self, question: Question) -> Reply:
            parsed = parse('{"value": 2}', form_of(question.form))
            return Reply(status=parsed.status, value=parsed.value, usage=Usage(calls=1))

    score = verl_reward(
        TallyJudge,
        "ask",
        askers=[Yes()],
        case=lambda prompt, completion, row: {"text": completion, "meta": row["ground_truth"]},
        options={"limit": 3},
    )
    assert score("any", "text", {"a": 1})["score"] == 0.5
