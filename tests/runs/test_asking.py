"""Methods that ask: rounds, jurors, many cases in flight."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.contract import Question, Reply, Usage
from running import write_lines
from tally_judge import Count, TallyJudge


class Juror:
    """An endpoint in memory: answers each question with what ``answer`` makes of its text."""

    def __init__(self, answer: Callable[[str], Reply], model: str = "m", sample: int = 0) -> None:
        self.model, self.sample = model, sample
        self.answer = answer
        self.asked: list[str] = []
        self.under_way = self.most = 0

    async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.001)
        self.under_way -= 1
        texts = {question.key: question.messages[0].content for question in questions}
        self.asked.extend(texts.values())
        return {key: self.answer(text) for key, text in texts.items()}


def says(value: int, cost: float | None = 0.5) -> Callable[[str], Reply]:
    meta = {} if cost is None else {"cost_usd": cost}
    usage = Usage(calls=1, input_tokens=10, output_tokens=2)
    reply = Reply(
        status="ok", value=Count(value=value), text=f"it is {value}", usage=usage, meta=meta
    )
    return lambda text: reply


def ask(cases: Any, *jurors: Juror, **more: Any) -> list[adjudge.Verdict]:
    return adjudge.judge(TallyJudge(limit=3), cases, "ask", askers=jurors, **more)


def test_a_method_asks_in_rounds_and_the_opinion_says_what_it_took() -> None:
    juror = Juror(says(4))
    [verdict] = ask({"id": "a", "text": "hello"}, juror)
    assert juror.asked == ["first: hello", "second: hello"]
    assert (verdict.status, verdict.scores, verdict.raw_scores) == (
        "scored",
        {"score": 3},
        {"score": 4},
    )
    assert verdict.usage == Usage(calls=2, input_tokens=20, output_tokens=4)
    assert verdict.cost_usd == 1.0
    [opinion] = verdict.opinions
    assert (opinion.model, opinion.sample) == ("m", 0)
    assert [r["key"] for r in opinion.replies] == ["first", "second"]
    assert opinion.replies[1]["text"] == "it is 4"


def test_with_a_model_the_method_that_asks_is_the_default() -> None:
    [verdict] = adjudge.judge(TallyJudge(), {"id": "a"}, askers=[Juror(says(2))])
    assert verdict.method == "ask"


def test_an_unknown_cost_is_no_cost() -> None:
    [verdict] = ask({"id": "a"}, Juror(says(1, cost=None)))
    assert verdict.cost_usd is None


def test_jurors_are_combined_and_a_failed_one_stays_one() -> None:
    failed = Juror(lambda text: Reply(status="refused", reason="would not"), "r")
    [verdict] = ask({"id": "a"}, Juror(says(1), "x"), failed, Juror(says(3), "y"))
    assert verdict.scores == {"score": 1}
    assert [(o.model, o.status) for o in verdict.opinions] == [
        ("x", "scored"),
        ("r", "invalid"),
        ("y", "scored"),
    ]
    [alone] = ask({"id": "a"}, Juror(says(1)), failed, quorum=2)
    assert (alone.status, alone.reason, alone.flags) == ("invalid", "would not", ("no_quorum",))


def test_what_an_asker_raises_is_an_error_of_its_case() -> None:
    def answer(text: str) -> Reply:
        if "bad" in text:
            raise ValueError("no such thing")
        return says(2)(text)

    cases = [{"id": str(i), "text": "bad" if i == 1 else ""} for i in range(3)]
    found = ask(cases, Juror(answer))
    assert [v.reason for v in found] == [None, "internal_error", None]
    assert found[1].details["error"]["message"] == "no such thing"


def test_many_cases_are_in_flight_and_bounded(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", [{"id": f"c{i}"} for i in range(60)])
    juror = Juror(says(2))
    found = ask(path, juror, in_flight=8)
    assert [v.case_id for v in found] == [f"c{i}" for i in range(60)]
    assert 1 < juror.most <= 8


def test_bad_input_has_its_verdicts_here_too(tmp_path: Path) -> None:
    lines = [{"id": "a"}, "{broken", {"id": "a"}, {"pairs": [{"id": "b"}, 3]}, {"text": "crash"}]
    path = write_lines(tmp_path / "cases.jsonl", lines)
    asked = ask(path, Juror(says(0)))
    alone = adjudge.judge(TallyJudge(limit=3), path)
    assert [(v.case_id, v.reason) for v in asked] == [(v.case_id, v.reason) for v in alone]
    errors = [v.details.get("error") for v in asked]
    assert errors == [v.details.get("error") for v in alone]


async def test_a_stream_draws_cases_as_it_needs_them() -> None:
    drawn = 0

    def cases() -> Any:
        nonlocal drawn
        for i in range(10_000):
            drawn += 1
            yield {"id": str(i)}

    stream = adjudge.judge_stream(
        TallyJudge(), cases(), "ask", askers=[Juror(says(2))], in_flight=4
    )
    found = [await anext(stream) for _ in range(10)]
    await stream.aclose()
    assert len({v.position for v in found}) == 10
    assert drawn < 120


async def test_leaving_a_stream_cancels_what_is_under_way() -> None:
    cancelled = []

    class Slow(Juror):
        async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
            if "quick" in questions[0].messages[0].content:
                return await super().ask(questions)
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                cancelled.append(1)
                raise
            return {}

    cases = [{"id": str(i), "text": "quick" if i == 3 else "slow"} for i in range(9)]
    stream = adjudge.judge_stream(TallyJudge(), cases, "ask", askers=[Slow(says(1))], in_flight=6)
    first = await anext(stream)
    await stream.aclose()
    assert first.case_id == "3"
    assert len(cancelled) >= 5


def test_a_method_that_never_stops_asking_is_invalid() -> None:
    from adjudge.contract import Ask

    class Endless:
        name, needs_model, max_rounds = "endless", True, 3

        def step(self, case: Any, evidence: Any, replies: Mapping[str, Reply]) -> Ask:
            return Ask(questions=(Question(key=str(len(replies)), messages=(), form=Count),))

    class Silent(Juror):
        async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
            self.asked.extend(q.key for q in questions)
            return {q.key: Reply(status="ok", value=Count(value=1)) for q in questions}

    class EndlessJudge(TallyJudge):
        def methods(self) -> Mapping[str, Any]:
            return {"endless": Endless()}

    juror = Silent(says(1))
    [verdict] = adjudge.judge(EndlessJudge(), {"id": "a"}, askers=[juror])
    assert juror.asked == ["0", "1", "2"]
    assert verdict.status == "invalid"
    assert "after 3" in str(verdict.reason)


def test_without_a_model_a_method_that_needs_one_does_not_begin() -> None:
    with pytest.raises(adjudge.Fault, match="expected a model to ask"):
        adjudge.judge(TallyJudge(), [{}], "ask")
