"""Shards: parts of a run that nobody coordinates, and the whole that they are when merged."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.inputs import expand
from adjudge.models import ModelRequest, ModelResponse
from adjudge.runs.address import StoreError
from adjudge.runs.claims import RunIsLive
from adjudge.runs.engine import Judged, Task
from adjudge.runs.identity import identify
from adjudge.runs.merging import CannotMerge, MergedRun, merge
from adjudge.runs.panel import make_panel
from adjudge.runs.running import run_stored
from adjudge.runs.shards import BadShard, Shard
from adjudge.runs.store import Asked, RunInfo, Store
from running import judged, write_lines
from scripted import unsettled, verdict_of
from tally_judge import TallyJudge

PARTS = [Shard(index, 3) for index in (1, 2, 3)]
COUNT = 60


class Model:
    """Scores the case of each number by that number, ``off`` by so much; fails where it must."""

    name = "m"

    def __init__(self, *, off: int = 0, fails: frozenset[int] = frozenset()) -> None:
        self.asked: list[int] = []
        self._off = off
        self._fails = fails

    async def send(self, request: ModelRequest) -> ModelResponse:
        number = int(str(request.messages).partition("shelf number ")[2].split(".")[0])
        self.asked.append(number)
        if number in self._fails:
            return ModelResponse("No.")
        return ModelResponse(json.dumps(verdict_of((number + self._off) % 5)))


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    """Cases without a model: several a record, ids that stand twice, lines that are no case."""
    lines: list[Any] = [{"id": f"c{i}", "marks": [1] * (i % 6)} for i in range(COUNT)]
    lines[7] = {"pairs": [{"id": "p1"}, 5, {"id": "c3"}, {"text": "crash"}]}
    lines[20] = {"id": "c11"}
    lines[31] = "{broken"
    lines[40] = {"pairs": [{"id": f"many-{i}"} for i in range(300)]}
    lines[41] = {"id": "many-299"}
    return write_lines(tmp_path / "cases.jsonl", lines)


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    """Cases that a model is asked about; an id stands twice."""
    cases = [unsettled(number) for number in range(COUNT)]
    cases[50]["id"] = "case-2"
    return write_lines(tmp_path / "plans.jsonl", cases)


def run(
    path: Path,
    url: str,
    shard: Shard | None = None,
    *,
    model: Model | None = None,
    workers: int | None = None,
    stop_after: int | None = None,
) -> list[int]:
    """Run, maybe stopped like by Ctrl-C; the positions that were judged."""
    positions: list[int] = []

    def on_judged(one: Judged) -> None:
        positions.append(one.position)
        if len(positions) == stop_after:
            raise KeyboardInterrupt

    judge = TallyJudge() if model is None else adjudge.load_judge("robot")()
    panel = make_panel({"model": model, "concurrency": 4}) if model else None
    if model:
        workers = workers or 0
    with Store.open(url, create=True) as store:
        try:
            run_stored(
                Task(judge, shard=shard),
                expand([path]),
                store,
                panel=panel,
                workers=workers,
                on_judged=on_judged,
            )
        except KeyboardInterrupt:
            assert stop_after
    return positions


def joined(into: str, *stores: str) -> list[MergedRun]:
    """All runs of ``stores`` merged into ``into``."""
    merged: list[MergedRun] = []
    with Store.open(into, create=True) as target:
        for url in stores:
            with Store.open(url) as store:
                merged += merge(target, store)
    return merged


def contents(url: str, name: str = "last") -> tuple[RunInfo, list[str], list[Asked]]:
    with Store.open(url) as store:
        info = store.find(name)
        return info, list(store.verdicts(info)), store.asked(info)


def files(tmp_path: Path) -> list[str]:
    return [f"sqlite:///{tmp_path}/{index}.db" for index in (1, 2, 3)]


@pytest.mark.parametrize("workers", [1, 2])
def test_shards_merged_are_the_whole_run(
    marks: Path, store_url: str, tmp_path: Path, workers: int
) -> None:
    for shard, url in zip(PARTS, files(tmp_path), strict=True):
        run(marks, url, shard, workers=workers if shard.index == 2 else 1)
    merged = joined(store_url, *files(tmp_path))
    info, bodies, _ = contents(store_url)
    whole = judged(Task(TallyJudge()), marks)
    assert bodies == [one.text for one in whole]
    assert info.id == identify(TallyJudge(), "count", expand([marks])).id
    assert (info.state, info.shard) == ("complete", None)
    assert [one.new for one in merged] == [one.source.total for one in merged]
    assert sum(one.new for one in merged) == len(whole)
    assert run(marks, store_url) == []


def test_shards_of_a_run_that_asks_merged_are_the_whole_run(
    plans: Path, store_url: str, tmp_path: Path
) -> None:
    for shard, url in zip(PARTS, files(tmp_path), strict=True):
        run(plans, url, shard, model=Model())
    joined(store_url, *files(tmp_path))
    alone = f"sqlite:///{tmp_path}/alone.db"
    run(plans, alone, model=Model())
    expected, there = contents(alone), contents(store_url)
    assert there[1:] == expected[1:]
    assert there[0].id == expected[0].id
    assert there[0].state == "complete"
    again = Model()
    assert run(plans, store_url, model=again) == []
    assert again.asked == []


def test_shards_in_one_store_are_merged_there(marks: Path, store_url: str) -> None:
    for shard in PARTS:
        run(marks, store_url, shard)
    assert len(joined(store_url, store_url)) == 3
    _, bodies, _ = contents(store_url, identify(TallyJudge(), "count", expand([marks])).id)
    assert bodies == [one.text for one in judged(Task(TallyJudge()), marks)]
    with Store.open(store_url) as store:
        assert [str(info.shard or "") for info in store.runs()] == ["1/3", "2/3", "3/3", ""]
        assert {info.state for info in store.runs()} == {"complete"}


def test_merging_twice_changes_nothing(plans: Path, store_url: str, tmp_path: Path) -> None:
    for shard, url in zip(PARTS, files(tmp_path), strict=True):
        run(plans, url, shard, model=Model(fails=frozenset({5})))
    joined(store_url, *files(tmp_path))
    before = contents(store_url)
    again = joined(store_url, *files(tmp_path), store_url)
    assert contents(store_url) == before
    assert {(one.new, one.replaced) for one in again} == {(0, 0)}
    assert sum(one.there for one in again) == COUNT


def test_the_whole_command_completes_what_shards_left(
    marks: Path, store_url: str, tmp_path: Path
) -> None:
    first, second, _ = files(tmp_path)
    kept = run(marks, first, PARTS[0], stop_after=9)
    kept += run(marks, second, PARTS[1], stop_after=12)
    joined(store_url, first, second)
    info, bodies, _ = contents(store_url)
    assert (info.state, len(bodies)) == ("interrupted", 21)
    whole = judged(Task(TallyJudge()), marks)
    assert sorted(run(marks, store_url) + kept) == list(range(len(whole)))
    info, bodies, _ = contents(store_url)
    assert (info.state, bodies) == ("complete", [one.text for one in whole])


def test_a_shard_goes_on_where_it_was_and_judges_nothing_again(
    marks: Path, tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("TALLY_LOG", str(log))
    for shard in PARTS:
        while run(marks, store_url, shard, stop_after=50):
            pass
    ids = log.read_text().split()
    log.unlink()
    judged(Task(TallyJudge()), marks)
    assert sorted(ids) == sorted(log.read_text().split())


def test_every_shard_asks_about_its_own_and_all_ask_about_all(plans: Path, tmp_path: Path) -> None:
    asked = []
    for shard, url in zip(PARTS, files(tmp_path), strict=True):
        model = Model()
        run(plans, url, shard, model=model)
        assert COUNT / 5 < len(model.asked) < COUNT / 2
        asked += model.asked
    assert sorted(asked) == [number for number in range(COUNT) if number != 50]


def test_a_scored_verdict_takes_the_place_of_a_failed_one(
    plans: Path, store_url: str, tmp_path: Path
) -> None:
    bad, good, _ = files(tmp_path)
    run(plans, bad, model=Model(fails=frozenset({3, 4})))
    run(plans, good, PARTS[0], model=Model())
    with Store.open(good) as store:
        mine = [json.loads(text)["position"] for text in store.verdicts(store.find("last"))]
    better = len({3, 4} & set(mine))
    for order in ([bad, good], [good, bad]):
        into = f"{store_url}" if order[0] == bad else f"sqlite:///{tmp_path}/other.db"
        joined(into, *order)
        info, bodies, _ = contents(into)
        failed = [json.loads(text)["position"] for text in bodies if '"invalid"' in text]
        assert len(bodies) == COUNT
        assert info.state == "complete"
        assert info.counts["scored"] == COUNT - 1 - (2 - better)
        assert not set(failed) & set(mine)


def test_two_judgements_of_one_case_are_refused_by_name(
    plans: Path, store_url: str, tmp_path: Path
) -> None:
    one, other, third = files(tmp_path)
    run(plans, one, PARTS[0], model=Model())
    run(plans, other, PARTS[0], model=Model(off=1))
    run(plans, third, PARTS[1], model=Model())
    joined(store_url, one)
    before = contents(store_url)
    with pytest.raises(CannotMerge) as refused:
        joined(store_url, other)
    told = str(refused.value)
    for part in ("two verdicts on case 'case-", "at position", '{"score": ', "2.db", "leave one"):
        assert part in told
    assert "planted" not in told
    assert contents(store_url) == before
    joined(store_url, third)
    assert contents(store_url)[0].total > before[0].total


def test_a_run_that_is_worked_on_is_not_merged_into(
    marks: Path, store_url: str, tmp_path: Path
) -> None:
    first = files(tmp_path)[0]
    run(marks, first, PARTS[0])
    with Store.open(store_url, create=True) as store:
        with (
            store.claim(identify(TallyJudge(), "count", expand([marks]))),
            pytest.raises(RunIsLive, match="works on it"),
        ):
            joined(store_url, first)
        assert store.find("last").total == 0
    joined(store_url, first)
    assert contents(store_url)[0].state == "interrupted"


def test_runs_that_are_whole_are_merged_as_they_are(
    marks: Path, plans: Path, store_url: str, tmp_path: Path
) -> None:
    first, second, _ = files(tmp_path)
    run(marks, first)
    run(plans, first, model=Model(fails=frozenset({7})))
    run(plans, second, model=Model(), stop_after=20)
    joined(store_url, first, second)
    with Store.open(store_url) as store, Store.open(first) as given:
        assert [info.id for info in store.runs()] == [info.id for info in given.runs()]
    assert contents(store_url)[1][0] == contents(first)[1][0]
    with pytest.raises(StoreError, match="no such file"):
        joined(store_url, f"sqlite:///{tmp_path}/none.db")


def test_from_python_a_shard_has_the_verdicts_of_the_whole() -> None:
    cases = [{"id": f"c{i % 50}", "marks": [1] * (i % 3)} for i in range(COUNT)]
    whole = adjudge.judge(TallyJudge(), cases)
    parts = [adjudge.judge(TallyJudge(), cases, shard=(index, 4)) for index in (1, 2, 3, 4)]
    assert sorted((v for part in parts for v in part), key=lambda v: v.position) == whole
    assert all(0 < len(part) < COUNT / 2 for part in parts)
    asked = adjudge.judge("robot", [unsettled(n) for n in range(9)], model=Model(), shard=(2, 2))
    assert 0 < len(asked) < 9
    for wrong in ((0, 3), (4, 3), (1, 0)):
        with pytest.raises(BadShard, match="expected one of 1/"):
            adjudge.judge(TallyJudge(), cases, shard=wrong)


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/3/5", "1.0/3"])
def test_what_is_no_shard_is_named(text: str) -> None:
    with pytest.raises(BadShard, match="shard: expected"):
        Shard.parse(text)


def test_a_shard_is_a_run_of_its_own(marks: Path) -> None:
    made = [
        identify(TallyJudge(), "count", expand([marks]), shard=shard)
        for shard in (None, *PARTS, Shard(1, 2))
    ]
    assert len({one.hash for one in made}) == 5
    assert {one.whole.hash for one in made} == {made[0].hash}


@pytest.mark.parametrize("seed", range(4))
def test_however_it_is_split_stopped_and_merged_it_is_the_whole_run(
    marks: Path, store_url: str, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    count = chance.randint(1, 5)
    parts = [Shard(index, count) for index in range(1, count + 1)]
    urls = {part: f"sqlite:///{tmp_path}/{part.index}.db" for part in parts}
    for _ in range(2 * count):
        part = chance.choice(parts)
        run(marks, urls[part], part, stop_after=chance.randint(1, 40))
        if chance.random() < 0.5:
            joined(store_url, urls[part])
    by_the_whole_command = seed % 2 == 1
    if by_the_whole_command:
        run(marks, store_url)
    else:
        for part in chance.sample(parts, count):
            run(marks, urls[part], part)
            joined(store_url, urls[part])
    info, bodies, _ = contents(store_url)
    assert info.state == "complete"
    assert bodies == [one.text for one in judged(Task(TallyJudge()), marks)]
