"""Questions written into batch files, as the store knows them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.contract import Usage
from adjudge.inputs import expand
from adjudge.models import StoredReply
from adjudge.runs.batch.questions import BatchQuestions, Failed, Written
from adjudge.runs.identity import identify
from adjudge.runs.merging import merge
from adjudge.runs.store import RunInfo, Store
from adjudge.runs.stored_run import OpenRun
from running import write_lines
from tally_judge import TallyJudge

GOOD = StoredReply("m", "ok", '{"value": 1}', None, Usage(calls=1), {"finish": "stop"})


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store.open(store_url, create=True) as opened:
        yield opened


def claimed(store: Store, tmp_path: Path) -> OpenRun:
    cases = write_lines(tmp_path / "cases.jsonl", [{"id": "a"}])
    return store.claim(identify(TallyJudge(), "ask", expand([cases])))


def run_in(store: Store, tmp_path: Path) -> RunInfo:
    with claimed(store, tmp_path) as run:
        return store.find(run.id)


def key(number: int) -> str:
    return f"{number:064x}"


def keys(*numbers: int) -> list[str]:
    return [key(number) for number in numbers]


def test_what_is_written_waits_until_it_fails(store: Store, tmp_path: Path) -> None:
    questions = BatchQuestions(store, run_in(store, tmp_path))
    questions.wait([Written("m", keys(*range(1200)), ["seed"]), Written("other", keys(5000))])
    assert all(one in questions.waiting() for one in keys(0, 777, 1199, 5000))
    assert key(1200) not in questions.waiting()
    found = questions.find([*keys(3, 5000, 9999), "x", "\0", "\ud800"])
    assert {name: one.model for name, one in found.items()} == {key(3): "m", key(5000): "other"}
    assert not any(one.answered for one in found.values())
    questions.fail([Failed(key(3), "m", "http_400: no", "temperature"), Failed(key(4), "m", "x")])
    waiting = questions.waiting()
    assert [one in waiting for one in keys(2, 3, 4, 5)] == [True, False, False, True]
    assert questions.without("m") == {"seed", "temperature"}
    assert questions.without("other") == frozenset()
    questions.wait([Written("m", keys(3, 4))])
    assert all(one in questions.waiting() for one in keys(3, 4))


async def test_what_waits_is_no_reply_and_a_reply_is_never_replaced(
    store: Store, tmp_path: Path
) -> None:
    questions = BatchQuestions(store, run_in(store, tmp_path))
    questions.wait([Written("m", keys(1, 2))])
    with claimed(store, tmp_path) as run:
        run.begin()
        replies = run.replies(["m"])
        there = await replies.get_many(keys(1, 2))
        assert {reply.status for reply in there.values()} <= {"skipped"}
        await replies.put(key(1), GOOD)
    questions.fail([Failed(key(1), "m", "batch: expired"), Failed(key(2), "m", "batch: expired")])
    questions.wait([Written("m", keys(1, 2, 3))])
    found = questions.find(keys(1, 2, 3))
    assert [found[one].answered for one in keys(1, 2, 3)] == [True, False, False]
    with claimed(store, tmp_path) as run:
        run.begin()
        assert (await run.replies(["m"]).get_many([key(1)]))[key(1)] == GOOD


@pytest.mark.parametrize("waits_first", [True, False])
async def test_merged_with_a_run_that_was_answered_nothing_waits(
    waits_first: bool, store: Store, tmp_path: Path
) -> None:
    refused = replace(GOOD, status="refused", text=None, reason="I cannot judge this")
    with (
        Store.open(f"sqlite:///{tmp_path / 'waits.db'}", create=True) as waits,
        Store.open(f"sqlite:///{tmp_path / 'answered.db'}", create=True) as answered,
    ):
        BatchQuestions(waits, run_in(waits, tmp_path)).wait([Written("m", keys(1))])
        with claimed(answered, tmp_path) as run:
            run.begin()
            await run.replies(["m"]).put(key(1), refused)
        for source in (waits, answered) if waits_first else (answered, waits):
            list(merge(store, source))
    assert key(1) not in BatchQuestions(store, run_in(store, tmp_path)).waiting()
    with claimed(store, tmp_path) as run:
        run.begin()
        assert (await run.replies(["m"]).get_many([key(1)]))[key(1)] == refused
