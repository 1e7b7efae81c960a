"""``kill -9`` at any moment of a run that asks: nothing lost, nothing asked for twice."""

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import adjudge
from adjudge.runs.panel import READY
from adjudge.testing import MisbehavingEndpoint
from forked import Forked
from running import started, write_lines
from scripted import MODEL, asked_about, asking, by_number, rows, unsettled

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX processes")
COUNT = 300
CONCURRENCY = 16
UNCOMMITTED = 64
KILLS = 5
CASES = [unsettled(number) for number in range(COUNT)]


@pytest.fixture(scope="module")
def forked() -> Iterator[Forked]:
    made = Forked()
    yield made
    made.close()


def scripted() -> MisbehavingEndpoint:
    """Each life of a run has an endpoint of its own: no request is taken for a later life's."""
    return MisbehavingEndpoint(by_number, latency=0.004)


@pytest.fixture(scope="module")
def expected() -> list[str]:
    """The verdicts of a run that nobody disturbs."""
    with scripted() as endpoint:
        found = adjudge.judge("robot", CASES, model=MODEL, base_url=endpoint.url)
    return [verdict.to_json() for verdict in found]


def committed(store: str) -> set[int]:
    """The cases whose reply is in the store."""
    texts = rows(store, "SELECT text FROM adjudge_replies")
    return {int(json.loads(text)["summary"].split()[-1][:-1]) for (text,) in texts}


@pytest.mark.parametrize("seed", range(10))
def test_killed_again_and_again_it_is_completed_and_asks_nothing_again(
    seed: int, tmp_path: Path, store_url: str, forked: Forked, expected: list[str]
) -> None:
    chance = random.Random(seed)
    write_lines(tmp_path / "cases.jsonl", CASES)
    where = ("--store", store_url)

    def start(endpoint: MisbehavingEndpoint) -> int:
        options = asking(endpoint, "--concurrency", str(CONCURRENCY), "--workers", "0")
        return forked.start("run", "robot", "cases.jsonl", *options, *where, cwd=tmp_path)

    asked: set[int] = set()
    for _ in range(KILLS):
        before = committed(store_url)
        moment = chance.randrange((COUNT - len(before)) // 2)
        with scripted() as endpoint:
            number = start(endpoint)
            patience = time.monotonic() + 120
            while len(endpoint.requests) < moment:
                assert time.monotonic() < patience, (tmp_path / "output").read_text()
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.02))
            os.kill(number, signal.SIGKILL)
            assert forked.wait(number) == -signal.SIGKILL, (tmp_path / "output").read_text()
        now = asked_about(endpoint.requests)
        assert len(now) == len(set(now))
        assert not before & set(now)
        asked |= set(now)
        kept = committed(store_url)
        assert before <= kept <= asked
        assert len(asked - kept) <= UNCOMMITTED + CONCURRENCY + READY
    with scripted() as endpoint:
        assert forked.wait(start(endpoint)) == 0
    assert sorted(asked_about(endpoint.requests)) == sorted(set(range(COUNT)) - kept)
    bodies = rows(store_url, "SELECT body FROM adjudge_verdicts ORDER BY position")
    assert [body for (body,) in bodies] == expected


def test_killed_it_leaves_no_process_behind(tmp_path: Path) -> None:
    write_lines(tmp_path / "cases.jsonl", CASES)
    with scripted() as endpoint:
        options = asking(endpoint, "--workers", "2")
        process = started("run", "robot", "cases.jsonl", *options, cwd=tmp_path)
        while len(endpoint.requests) < 50:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        # its workers hold the same pipes: this returns once they are gone
        process.communicate()
