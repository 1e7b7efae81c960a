"""Replies in the store: at hand before they are committed, kept by run, failures asked again."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudge.contract import Usage
from adjudge.inputs import expand
from adjudge.models import StoredReply
from adjudge.runs.address import StoreError, parse_url
from adjudge.runs.identity import identify
from adjudge.runs.store import Asked, Store
from adjudge.runs.stored_run import OpenRun
from running import write_lines
from tally_judge import TallyJudge

_USAGE = Usage(calls=1, input_tokens=9, cache_read_tokens=4, cache_write_tokens=2)
GOOD = StoredReply("m", "ok", '{"value": 1}', None, _USAGE, {"finish": "x"})
BAD = StoredReply("m", "invalid", "what?", "no_json", Usage(calls=2), {})


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store.open(store_url, create=True) as opened:
        yield opened


def claimed(store: Store, tmp_path: Path, name: str = "a", *, retry: bool = False) -> OpenRun:
    cases = write_lines(tmp_path / f"{name}.jsonl", [{"id": name}])
    return store.claim(identify(TallyJudge(tag=name), "ask", expand([cases])), retry=retry)


async def test_a_reply_is_there_at_once_and_later(store: Store, tmp_path: Path) -> None:
    with claimed(store, tmp_path) as run:
        run.begin()
        replies = run.replies(["m"])
        assert not replies.may_have("k")
        await replies.put("k", GOOD)
        assert replies.may_have("k")
        assert await replies.get_many(["k", "none"]) == {"k": GOOD}
    with claimed(store, tmp_path) as run:
        run.begin()
        assert await run.replies(["m"]).get_many(["k"]) == {"k": GOOD}
        assert not run.replies(["another"]).may_have("k")


async def test_within_a_run_all_are_kept_and_of_other_runs_the_good_ones(
    store: Store, tmp_path: Path
) -> None:
    with claimed(store, tmp_path, "a") as run:
        run.begin()
        replies = run.replies(["m"])
        await replies.put("good", GOOD)
        await replies.put("bad", BAD)
    with claimed(store, tmp_path, "b") as run:
        run.begin()
        assert await run.replies(["m"]).get_many(["good", "bad"]) == {"good": GOOD}
    with claimed(store, tmp_path, "a") as run:
        run.begin()
        assert set(await run.replies(["m"]).get_many(["good", "bad"])) == {"good", "bad"}


async def test_tried_again_failures_are_gone_but_not_what_was_put_right(
    store: Store, tmp_path: Path
) -> None:
    repaired = StoredReply("m", "ok", "{}", None, Usage(calls=1), {"repairs": "first"})
    failed = StoredReply("m", "invalid", "again", "no_json", Usage(calls=1), {"repairs": "bad"})
    with claimed(store, tmp_path) as run:
        run.begin()
        replies = run.replies(["m"])
        for key, reply in (
            ("first", BAD),
            ("second", repaired),
            ("bad", BAD),
            ("worse", failed),
            ("down", StoredReply("m", "error", None, "http_500")),
        ):
            await replies.put(key, reply)
    keys = ["first", "second", "bad", "worse", "down"]
    with claimed(store, tmp_path, retry=True) as run:
        run.begin()
        replies = run.replies(["m"])
        there = await replies.get_many(keys)
        given_up = {key: reply.usage for key, reply in there.items() if reply.status == "skipped"}
        assert given_up == {"bad": BAD.usage, "worse": failed.usage, "down": Usage()}
        assert set(there) - set(given_up) == {"first", "second"}
        await replies.put("down", GOOD)
        await replies.put("worse", BAD)
        await replies.put("worse", GOOD)
        there = await replies.get_many(keys)
        assert {key for key, reply in there.items() if reply.status != "skipped"} == {
            "first",
            "second",
            "down",
            "worse",
        }
    with claimed(store, tmp_path) as run:
        run.begin()
        found = await run.replies(["m"]).get_many(keys)
        assert {key: reply.status for key, reply in found.items()} == {
            "first": "invalid",
            "second": "ok",
            "bad": "invalid",
            "worse": "ok",
            "down": "ok",
        }
        assert found["second"].meta == {"repairs": "first"}
    [asked] = store.asked(store.find("last"))
    assert asked == Asked(
        "m", 4, Usage(calls=7, input_tokens=18, cache_read_tokens=8, cache_write_tokens=4)
    )


async def put_into_locked(store: Store, tmp_path: Path) -> None:
    """Put replies while another process holds the database."""
    other = sqlite3.connect(parse_url(str(tmp_path / "store.db")).database or "")
    try:
        with claimed(store, tmp_path) as run:
            run.begin()
            replies = run.replies(["m"])
            other.execute("BEGIN IMMEDIATE")
            for number in range(2000):
                await replies.put(str(number), GOOD)
    finally:
        other.close()


async def test_a_store_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.runs.database._BUSY_SECONDS", 0)
    with (
        Store.open(str(tmp_path / "store.db"), create=True) as store,
        pytest.raises(StoreError, match="another process holds it"),
    ):
        await put_into_locked(store, tmp_path)
