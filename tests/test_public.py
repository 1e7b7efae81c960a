"""The public names and the ways to judge from Python."""

import asyncio
import importlib
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjudge
from running import ENVIRONMENT, write_lines
from tally_judge import TallyCase, TallyJudge

CASES = [{"id": f"c{i}", "marks": [1] * (i % 5)} for i in range(40)]
SCORES = [i % 5 for i in range(40)]


def scores(verdicts: list[adjudge.Verdict]) -> list[Any]:
    return [verdict.scores.get("score") for verdict in verdicts]


def test_all_is_what_can_be_imported() -> None:
    for name in adjudge.__all__:
        assert getattr(adjudge, name) is not None
    # pytest rewrites the package of a plugin, and leaves names with an @ in it
    own = {name for name in vars(adjudge) if name[0] not in "_@"} | {"__version__"}
    rooms = {module.name for module in pkgutil.iter_modules(adjudge.__path__)}
    machinery = {"annotations", "importlib", "Any", "TYPE_CHECKING"}
    assert own - rooms - machinery == set(adjudge.__all__)
    assert sorted(adjudge.__all__, key=str) == dir(adjudge)


def test_a_name_that_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_sort"):
        _ = adjudge.nothing_of_the_sort


def test_importing_it_imports_nothing_heavy() -> None:
    code = "import sys, adjudge; print(len({'pydantic', 'sqlalchemy', 'asyncio'} & {*sys.modules}))"
    found = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "0"


def test_cases_may_be_almost_anything(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "cases.jsonl", CASES)
    judge = TallyJudge()
    assert scores(adjudge.judge(judge, path)) == SCORES
    assert scores(adjudge.judge(judge, str(tmp_path))) == SCORES
    assert scores(adjudge.judge(judge, [path])) == SCORES
    assert scores(adjudge.judge(judge, CASES)) == SCORES
    assert scores(adjudge.judge(judge, (case for case in CASES))) == SCORES
    assert (
        scores(adjudge.judge(judge, [TallyCase.model_validate(case) for case in CASES])) == SCORES
    )
    assert scores(adjudge.judge(judge, CASES[3])) == [3]
    assert scores(adjudge.judge(judge, TallyCase(marks=[1, 1]))) == [2]
    mixed = [CASES[1], path, TallyCase(id="z", marks=[1])]
    found = adjudge.judge(judge, mixed)
    assert [v.position for v in found] == list(range(42))
    assert found[2].reason == "duplicate_id"
    assert "<memory>:1" in found[2].details["error"]["found"]


def test_cases_without_an_id_get_one() -> None:
    found = adjudge.judge(TallyJudge(), [{}, TallyCase(), {"id": "own"}])
    assert [v.case_id for v in found] == ["case-1", "case-2", "own"]


def test_bad_cases_have_their_verdicts() -> None:
    bad: list[Any] = [
        {"marks": float("nan")},
        {"marks": "x"},
        {"colour": 1},
        7,
        None,
        {"text": "\0"},
    ]
    found = adjudge.judge(TallyJudge(), bad)
    assert [v.status for v in found] == ["error"] * 5 + ["scored"]
    assert [v.details["error"]["line"] for v in found[:5]] == [1, 2, 3, 4, 5]
    assert found[5].findings[0].kind == "text_replaced"


def test_what_is_no_cases_at_all_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a path, a case, or an iterable"):
        adjudge.judge(TallyJudge(), 7)  # type: ignore[arg-type]


def test_a_judge_is_a_name_a_class_or_a_judge() -> None:
    case = {"marks": [1, 1, 1]}
    assert scores(adjudge.judge("tally_judge:TallyJudge", case, options={"limit": 1})) == [1]
    assert scores(adjudge.judge(TallyJudge, case, options={"limit": 2})) == [2]
    assert scores(adjudge.judge(TallyJudge(limit=1), case)) == [1]
    with pytest.raises(TypeError, match="made already"):
        adjudge.judge(TallyJudge(), case, options={"limit": 2})


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("robto", {}, "did you mean robot?"),
        ("tally_judge:Nothing", {}, "cannot be imported"),
        ("tally_judge:TallyCase", {}, "expected a Judge class"),
        ("no.such.module:Judge", {}, "cannot be imported"),
        ("tally_judge:TallyJudge", {"limti": 1}, "it has limit, tag (did you mean limit?)"),
        ("tally_judge:TallyJudge", {"limit": 9}, "limit: expected a value less than or equal to 4"),
    ],
)
def test_what_cannot_be_had_says_what_there_is(
    name: str, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(adjudge.Fault) as fault:
        adjudge.judge(name, [], options=options)
    assert says in str(fault.value)


def test_every_registered_judge_loads() -> None:
    from adjudge.judges import judge_names

    for name in judge_names():
        assert adjudge.load_judge(name).name == name


def test_workers_judge_cases_in_memory_too() -> None:
    cases = [*CASES, TallyCase(id="m", marks=[1]), {"marks": None}]
    alone = adjudge.judge(TallyJudge(), cases)
    assert adjudge.judge(TallyJudge(), cases, workers=2) == alone


def test_a_generator_is_drawn_from_as_cases_are_judged() -> None:
    from adjudge.runs.engine import Task, judge_places
    from adjudge.runs.memory import Given

    drawn = 0

    def cases() -> Iterator[dict[str, Any]]:
        nonlocal drawn
        for case in CASES:
            drawn += 1
            yield case

    given = Given(cases())
    judging = judge_places(Task(TallyJudge()), given.places(), given.names)
    next(judging)
    assert drawn == 1


async def test_it_works_where_a_loop_is_running() -> None:
    assert scores(adjudge.judge(TallyJudge(), CASES)) == SCORES
    assert scores(await adjudge.judge_async(TallyJudge(), CASES)) == SCORES
    assert scores([v async for v in adjudge.judge_stream(TallyJudge(), CASES)]) == SCORES


async def test_the_loop_goes_on_while_cases_are_judged() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    cases = [{"text": "wait"} for _ in range(20)]
    await adjudge.judge_async(TallyJudge(), cases)
    ticking.cancel()
    assert ticks > 100


async def test_a_stream_may_be_left_early() -> None:
    stream = adjudge.judge_stream(TallyJudge(), CASES)
    assert (await anext(stream)).case_id == "c0"
    await stream.aclose()


def test_it_works_in_a_thread_and_leaves_signals_alone() -> None:
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    found: list[list[Any]] = []
    thread = threading.Thread(
        target=lambda: found.append(scores(adjudge.judge(TallyJudge(), CASES, workers=2)))
    )
    thread.start()
    thread.join()
    assert found == [SCORES]
    adjudge.judge(TallyJudge(), CASES, workers=2)
    assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before
    if hasattr(signal, "pthread_sigmask"):
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_rooms_import_only_rooms_before_them() -> None:
    order = (
        "contract inputs observing judges models runs agreement rewards exports report testing cli"
    )
    rooms = order.split()
    source = Path(str(importlib.import_module("adjudge").__file__)).parent
    for path in source.rglob("*.py"):
        room = path.relative_to(source).parts[0]
        if room not in rooms:
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if words[:1] in (["from"], ["import"]) and words[1].startswith("adjudge."):
                other = words[1].split(".")[1]
                assert rooms.index(other) <= rooms.index(room), f"{path}: {line.strip()}"
                assert {room, other} != {"judges", "models"}, f"{path}: {line.strip()}"
