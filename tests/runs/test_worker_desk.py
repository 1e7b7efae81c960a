"""Worker processes that hold cases while models are asked."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import adjudge
from adjudge.contract import Question, Reply, Usage
from tally_judge import Count, TallyJudge


class Patient:
    """A juror that answers after a while, so that many cases are open at once."""

    model, sample = "m", 0

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
        self.asked.extend(question.messages[0].content for question in questions)
        await asyncio.sleep(0.01)
        usage = Usage(calls=1)
        ok = Reply(status="ok", value=Count(value=2), text="2", usage=usage)
        return {question.key: ok for question in questions}


def ask(cases: Any, **more: Any) -> list[adjudge.Verdict]:
    return adjudge.judge(TallyJudge(), cases, "ask", askers=[Patient()], **more)


def test_a_case_that_takes_its_worker_down_is_an_error_and_the_others_go_on() -> None:
    cases = [{"id": str(n), "text": "die" if n in (7, 20) else ""} for n in range(30)]
    found = ask(cases, workers=1)
    assert [v.case_id for v in found] == [str(n) for n in range(30)]
    assert {v.case_id: v.reason for v in found if v.status != "scored"} == {
        "7": "worker_died",
        "20": "worker_died",
    }


def test_a_judge_that_no_process_can_import_is_named() -> None:
    class Inner(TallyJudge):
        pass

    with pytest.raises(adjudge.Fault, match="must be importable by name"):
        adjudge.judge(Inner(), [{"id": "a"}], "ask", askers=[Patient()], workers=1)
    assert adjudge.judge(Inner(), [{"id": "a"}], "ask", askers=[Patient()])[0].status == "scored"


def test_records_with_many_cases_are_read_there_as_here() -> None:
    cases = [{"pairs": [{"id": f"{n}-{m}", "marks": [1] * m} for m in range(4)]} for n in range(6)]
    assert ask(cases, workers=2) == ask(cases)
    assert len(ask(cases)) == 24


async def test_a_stream_left_early_ends_its_workers() -> None:
    import multiprocessing

    cases = [{"id": str(n)} for n in range(500)]
    stream = adjudge.judge_stream(TallyJudge(), cases, "ask", askers=[Patient()], workers=2)
    first = [await anext(stream) for _ in range(3)]
    assert len(multiprocessing.active_children()) == 2
    await stream.aclose()
    assert multiprocessing.active_children() == []
    assert len({v.position for v in first}) == 3
