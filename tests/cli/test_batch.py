"""``adjudge batch``: verdicts are those of the run that asks directly, whatever order, parts and
faults the results come in."""

import json
import random
import re
import resource
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import Result

from adjudge.testing import FAULTS, Fault, MisbehavingEndpoint
from any_answer import CASES, anything
from batch_provider import Line, expired, requests_in, results_of, write_results
from commands import adjudge
from running import write_lines
from scripted import MODEL, asked_about, by_number, rows, unsettled

ALONE = ("--workers", "0")
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ADJUDGE_API_KEY")
OUT = Path("batch")
STORE = Path(".adjudge") / "adjudge.db"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("ADJUDGE_STORE", *KEYS):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def endpoint() -> Iterator[MisbehavingEndpoint]:
    with MisbehavingEndpoint(by_number) as made:
        yield made


def bodies(store: str | Path) -> list[str]:
    found = rows(Path(store), "SELECT body FROM adjudge_verdicts ORDER BY run, position")
    return [body for (body,) in found]


def replies(store: str | Path) -> list[Any]:
    columns = "key, model, status, reason, text, calls, input_tokens, output_tokens, repairs, meta"
    return rows(Path(store), f"SELECT {columns} FROM adjudge_replies ORDER BY run, key")


def written(round_number: int | str = "*") -> list[Path]:
    return sorted(OUT.glob(f"*-{round_number}-*"))


@pytest.mark.parametrize(
    ("judge", "cases", "model", "more"),
    [
        ("robot", "robot", "openai:any", ["--method", "llm"]),
        ("robot", "robot", "anthropic:any", ["--samples", "2", "--seed", "5", "--quorum", "2"]),
        ("robot", "scenes", "anthropic:any", ["--method", "grounded"]),
        ("browser", "browser", "openai:any", []),
        ("social", "social", "anthropic:any", ["--method", "direct"]),
        ("social", "social", "openai:any", ["--method", "direct", "-o", "key_first=true"]),
        ("social", "social", "openai:any", ["--method", "only_response"]),
    ],
)
def test_verdicts_are_those_of_the_online_run(
    judge: str, cases: str, model: str, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(Path("cases.jsonl"), CASES[cases]())
    run = ("run", judge, "cases.jsonl", "--model", model, *more, *ALONE)
    draw = random.Random(7)
    with MisbehavingEndpoint(anything) as endpoint:
        result = adjudge(*run, "--batch", OUT, "--store", "batch.db")
        assert result.exit_code == 0
        rounds = 0
        while "next: adjudge batch" in result.stdout:
            rounds += 1
            assert rounds < 12
            requests = requests_in(written(rounds))
            assert len({line["custom_id"] for line in requests}) == len(requests) > 0
            assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", r["custom_id"]) for r in requests)
            lines = results_of(requests, endpoint)
            if rounds == 1:
                lines[0] = expired(requests[0])
            lines += draw.sample(lines, len(lines) // 3)
            draw.shuffle(lines)
            half = len(lines) // 2
            for name, some in (("one.jsonl", lines[:half]), ("two.jsonl.gz", lines[half:])):
                write_results(Path(name), some)
                result = adjudge("batch", "read", "last", name, *ALONE, "--store", "batch.db")
            if "next:" in result.stdout:
                result = adjudge("batch", "write", "last", *ALONE, "--store", "batch.db")
                assert result.exit_code == 0
        for name in KEYS:
            monkeypatch.setenv(name, "planted")
        online = adjudge(*run, "--base-url", endpoint.url, "--store", "online.db")
    assert rounds > 1
    assert bodies("batch.db") == bodies("online.db")
    assert replies("batch.db") == replies("online.db")
    statuses = Counter(json.loads(body)["status"] for body in bodies("batch.db"))
    assert statuses["scored"] > 3
    assert any(row[8] for row in replies("batch.db")), "a repair turn is among them"
    asked = [line for line in online.stdout.splitlines() if line.startswith(("asked", "saved"))]
    assert len(asked) == 2
    assert asked == [line for line in result.stdout.splitlines() if line in asked]


# fmt: off
FINAL = [
    "too_large", "context_overflow", "forbidden", "error_body", "empty_choices", "no_message",
    "bad_usage", "refusal", "refusal_text", "content_filter", "length", "length_cut",
    "length_reasoning", "cut_silently", "nan", "infinity", "huge", "out_of_range",
    "string_number", "null", "missing", "echo", "fence", "prose", "comments", "two_objects",
    "reasoning_block", "reasoning_only", "reasoning_part", "list", "words", "empty_text",
    "words_once",
]
# fmt: on


class _EachItsOwn:
    """A fault that is another one in each case of ``unsettled``."""

    play = FAULTS[FINAL[0]].play

    def meets(self, body: dict[str, Any], nth: int) -> bool:
        found = re.search(r"shelf number (\d+)", str(body))
        assert found is not None
        fault = FAULTS[FINAL[int(found[1])]]
        self.play = fault.play
        return fault.meets(body, nth)


@pytest.mark.parametrize("model", ["openai:any", "anthropic:any"])
def test_what_is_no_good_answer_comes_to_what_it_does_online(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(len(FINAL))])
    run = ("run", "robot", "cases.jsonl", "--model", model, *ALONE)
    fault = cast(Fault, _EachItsOwn())
    batch = ("--store", "batch.db")
    adjudge(*run, "--batch", OUT, "--store", "batch.db")
    with MisbehavingEndpoint(by_number, fault=fault) as endpoint:
        for number in (1, 2):
            write_results(Path("all.jsonl"), results_of(requests_in(written(number)), endpoint))
            read = adjudge("batch", "read", "last", "all.jsonl", "--final", *ALONE, *batch)
            if number == 1:
                assert "errors 2 (http_403 1, error_body 1)" in read.stdout
                adjudge("batch", "write", "last", *ALONE, *batch)
    assert "next:" not in read.stdout
    with MisbehavingEndpoint(by_number, fault=fault) as endpoint:
        for name in KEYS:
            monkeypatch.setenv(name, "planted")
        adjudge(*run, "--base-url", endpoint.url, "--store", "online.db")
    assert bodies("batch.db") == bodies("online.db")
    statuses = {json.loads(body)["status"] for body in bodies("batch.db")}
    assert statuses == {"scored", "overflow", "error", "refused", "truncated", "invalid"}


def begun(count: int = 6, *more: str) -> list[Line]:
    """The first requests of a run over ``unsettled`` cases."""
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(count)])
    assert begin(*more).exit_code == 0
    return requests_in(written(1))


def begin(*more: str) -> Result:
    return adjudge("run", "robot", "cases.jsonl", "--model", MODEL, "--batch", OUT, *ALONE, *more)


def read(*lines: Line | str, name: str = "results.jsonl", more: Sequence[str] = ()) -> Result:
    return adjudge("batch", "read", "last", write_results(Path(name), lines), *ALONE, *more)


def write(*more: str) -> Result:
    return adjudge("batch", "write", "last", *ALONE, *more)


def test_a_question_that_waits_is_not_written_again_unless_told(
    endpoint: MisbehavingEndpoint,
) -> None:
    first = begun(5)
    again = begin()
    assert "nothing to write" in again.stdout
    assert "5 wait for results, 0 to be written" in again.stdout
    results = results_of(first, endpoint)
    assert "4 wait for results, 0 to be written" in read(results[0]).stdout
    assert not written(2)
    assert "4 wait for results" in adjudge("batch", "status", "last", *ALONE).stdout
    assert write("--again").exit_code == 0
    second = requests_in(written(2))
    assert {one["custom_id"] for one in second} == {one["custom_id"] for one in first[1:]}
    assert read(*results).exit_code == 0
    assert len(bodies(STORE)) == 5


def test_what_failed_is_asked_again_and_a_good_result_wins(endpoint: MisbehavingEndpoint) -> None:
    first = begun(4)
    good = results_of(first, endpoint)
    busy = {**good[1], "response": {"status_code": 500, "body": {"error": {"message": "busy"}}}}
    told = read(expired(first[0]), busy, good[2], expired(first[2]), good[3])
    assert told.exit_code == 3
    assert "read: 5; results 2, errors 2 (batch_expired 1, http_500 1), duplicates 1" in told.stdout
    assert "0 wait for results, 2 to be written" in told.stdout
    why = rows(STORE, "SELECT reason FROM adjudge_replies WHERE status = 'skipped' ORDER BY 1")
    assert [reason.split(":")[:2] for (reason,) in why] == [
        ["batch", " batch_expired"],
        ["http_500", " busy"],
    ]
    assert write().exit_code == 0
    second = requests_in(written(2))
    assert sorted(map(str, second)) == sorted(map(str, first[:2]))
    # the first of them had a good result after all, in a file that was late
    assert read(busy, good[1], good[0], good[0]).exit_code == 3
    assert len(bodies(STORE)) == 4
    assert rows(STORE, "SELECT DISTINCT status FROM adjudge_replies") == [("ok",)]


def test_lines_of_no_use_are_named_and_the_others_used(endpoint: MisbehavingEndpoint) -> None:
    first = begun(3)
    results = results_of(first, endpoint)
    strange = {**results[0], "custom_id": "of-another-run"}
    told = read(
        "nonsense\n", results[0], strange, {"custom_id": "x"}, "\n", results[1], '{"custom_id": "'
    )
    assert told.exit_code == 3
    assert told.stderr.splitlines() == [
        "adjudge: results.jsonl:1: expected a JSON object, found 'nonsense'",
        "adjudge: results.jsonl:3: custom_id 'of-another-run': the run asked no such question",
        "adjudge: results.jsonl:4: expected a result with custom_id and response, error or result, "
        "found custom_id",
        'adjudge: results.jsonl:7: expected a JSON object, found \'{"custom_id": "\', cut off at '
        "the end of the file; get it again",
    ]
    assert "results 2, errors 0, duplicates 0, unknown 1, unreadable 3" in told.stdout
    assert len(bodies(STORE)) == 2
    packed = write_results(Path("cut.gz"), [results[2]])
    packed.write_bytes(packed.read_bytes()[:-12])
    told = adjudge("batch", "read", "last", packed, *ALONE)
    assert "cut.gz: the compressed file is damaged or cut off; get it again" in told.stderr
    missing = adjudge("batch", "read", "last", "cut.gz", "nowhere.jsonl")
    assert (missing.exit_code, "nowhere.jsonl" in missing.stderr) == (2, True)


def test_the_rest_can_be_asked_directly(endpoint: MisbehavingEndpoint) -> None:
    first = begun(5)
    read(*results_of(first[:2], endpoint), expired(first[2]))
    endpoint.requests.clear()
    run = ("run", "robot", "cases.jsonl", "--model", MODEL, *ALONE, "--base-url", endpoint.url)
    assert adjudge(*run).exit_code == 0
    assert sorted(asked_about(endpoint.requests)) == [2, 3, 4]
    assert adjudge(*run, "--store", "online.db").exit_code == 0
    assert bodies(STORE) == bodies("online.db")


@pytest.mark.parametrize("part", ["temperature", "schema"])
def test_what_an_endpoint_does_not_know_is_left_out_of_the_next_round(part: str) -> None:
    with MisbehavingEndpoint(by_number, fault=f"{part}_refused") as endpoint:
        first = begun(3)
        told = read(*results_of(first[:1], endpoint))
        assert "errors 1 (http_400 1)" in told.stdout
        write("--again")
        second = requests_in(written(2))
        name = {"schema": "response_format"}.get(part, part)
        assert all(name in one["body"] for one in first)
        assert len(second) == 3
        assert not any(name in one["body"] for one in second)
        assert read(*results_of(second, endpoint)).exit_code == 0
    assert [json.loads(body)["scores"]["score"] for body in bodies(STORE)] == [0, 1, 2]
    metas = rows(STORE, "SELECT DISTINCT meta FROM adjudge_replies")
    assert [json.loads(meta)["without"] for (meta,) in metas] == [[part]]


def test_parts_can_be_left_out_from_the_start() -> None:
    begun(2)
    assert write("--again", "--without", "temperature", "--without", "schema").exit_code == 0
    for one in requests_in(written(2)):
        assert not {"temperature", "response_format"} & set(one["body"])
        assert "JSON Schema" in one["body"]["messages"][-1]["content"]
    assert "expected schema, temperature" in write("--without", "salt").stderr


def test_a_run_is_made_again_from_what_the_store_knows(endpoint: MisbehavingEndpoint) -> None:
    Path("system.txt").write_text("You score plans. {examples}")
    begun(3, "--system-template", "system.txt", "--reader", "native", "-o", "always_ask=true",
          "--temperature", "0.5", "--max-output-tokens", "77")  # fmt: skip
    Path("system.txt").unlink()
    assert write("--again").exit_code == 0
    assert requests_in(written(2)) == requests_in(written(1))
    assert requests_in(written(1))[0]["body"]["max_tokens"] == 77
    Path("elsewhere.jsonl").write_bytes(Path("cases.jsonl").read_bytes())
    write_lines(Path("cases.jsonl"), [unsettled(9)])
    told = write("--again")
    assert (told.exit_code, "--cases" in told.stderr) == (2, True)
    assert write("--again", "--cases", "elsewhere.jsonl").exit_code == 0
    assert requests_in(written(3)) == requests_in(written(1))
    told = write("--cases", "cases.jsonl")
    assert told.exit_code == 2
    assert "its options or inputs are not what they were" in told.stderr


def test_what_takes_no_batch_files_is_refused_by_name() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    run = ("run", "robot", "cases.jsonl", "--batch", OUT)
    for more, says in (
        (["--model", "llamacpp:none.gguf"], "found llamacpp:none.gguf; ask it directly"),
        (["--model", "nobody:x"], "unknown provider 'nobody'"),
        ([], "--batch: expected a --model"),
        (["--model", MODEL, "--retry-failed"], "neither --retry-failed nor --output"),
    ):
        told = adjudge(*run, *more)
        assert told.exit_code == 2, more
        assert says in told.stderr
    assert rows(STORE, "SELECT * FROM adjudge_runs") == []
    adjudge("run", "robot", "cases.jsonl")
    told = write()
    assert (told.exit_code, "expected one that asks a model" in told.stderr) == (2, True)


def test_a_folder_that_cannot_be_written_is_named_and_nothing_waits() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    OUT.write_text("a file")
    told = begin()
    assert told.exit_code == 2
    assert "batch: batch files cannot be written" in told.stderr
    OUT.unlink()
    assert begin().exit_code == 0
    assert len(requests_in(written(1))) == 1
    assert [path.name for path in OUT.iterdir()] == [path.name for path in written(1)]


def test_a_disk_that_fills_leaves_no_half_round() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(30)])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    try:
        told = begin()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert told.exit_code == 2
    assert "batch: batch files cannot be written: File too large" in told.stderr
    assert list(OUT.iterdir()) == []
    assert rows(STORE, "SELECT * FROM adjudge_replies") == []
    assert begin().exit_code == 0
    assert len(requests_in(written(1))) == 30


def test_several_models_have_files_of_their_own(endpoint: MisbehavingEndpoint) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(3)])
    models = ("--model", "openai:a/b", "--model", "openai:a?b", "--model", "anthropic:c")
    told = adjudge("run", "robot", "cases.jsonl", *models, "--batch", OUT, *ALONE)
    assert told.exit_code == 0
    names = [re.sub("^[0-9a-f]+", "RUN", path.name) for path in written(1)]
    assert names == ["RUN-1-anthropic-c-1.json", "RUN-1-openai-a-b-1.jsonl",
                     "RUN-1-openai-a-b-2.jsonl"]  # fmt: skip
    requests = [requests_in([path]) for path in written(1)]
    assert [{(r.get("body") or r["params"])["model"] for r in some} for some in requests] == [
        {"c"}, {"a/b"}, {"a?b"}]  # fmt: skip
    # a case is judged once all of its jurors have answered
    assert "0 of 3 cases have" in read(*results_of(requests[0] + requests[1], endpoint)).stdout
    assert "next:" not in read(*results_of(requests[2], endpoint)).stdout
    assert [len(json.loads(body)["opinions"]) for body in bodies(STORE)] == [3, 3, 3]


def test_hostile_ids_and_reasons_are_kept_out_of_the_store(endpoint: MisbehavingEndpoint) -> None:
    first = begun(2)
    good = results_of(first, endpoint)
    strange = [{**good[0], "custom_id": name} for name in ("\ud800", "\0", "é" * 99, "A" * 64)]
    told = {"code": "\0odd", "message": "\ud800 \x1b[31m" + "x" * 5000}
    bad = {"custom_id": first[1]["custom_id"], "response": None, "error": told}
    result = read(*strange, good[0], bad)
    assert result.exit_code == 3
    assert "results 1, errors 1 (" in result.stdout
    assert "unknown 4, unreadable 0" in result.stdout
    assert "\x1b" not in result.stdout + result.stderr
    [(reason,)] = rows(STORE, "SELECT reason FROM adjudge_replies WHERE status = 'skipped'")
    assert reason.isprintable()


def test_prices_count_as_they_do_online(endpoint: MisbehavingEndpoint) -> None:
    Path("prices.toml").write_text(f'["{MODEL}"]\ninput = 3.0\noutput = 9.5\n')
    prices = ("--prices", "prices.toml")
    first = begun(2, *prices)
    told = read(*results_of(first, endpoint), more=prices)
    run = ("run", "robot", "cases.jsonl", "--model", MODEL, "--base-url", endpoint.url, *ALONE)
    adjudge(*run, *prices, "--store", "online.db")
    assert bodies(STORE) == bodies("online.db")
    assert json.loads(bodies(STORE)[0])["cost_usd"] == pytest.approx(100 * 3e-6 + 20 * 9.5e-6)
    assert "$0.00098" in told.stdout


def test_a_shard_is_asked_in_batches_of_its_own(endpoint: MisbehavingEndpoint) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(9)])
    for shard in ("1/2", "2/2"):
        store = ("--store", f"{shard[0]}.db")
        assert begin("--shard", shard, *store).exit_code == 0
        [path] = OUT.iterdir()
        results = write_results(Path("results.jsonl"), results_of(requests_in([path]), endpoint))
        assert adjudge("batch", "read", "last", results, *ALONE, *store).exit_code == 0
        path.unlink()
    run = ("run", "robot", "cases.jsonl", "--model", MODEL, "--base-url", endpoint.url, *ALONE)
    adjudge(*run, "--store", "online.db")
    both = [*bodies("1.db"), *bodies("2.db")]
    assert sorted(both) == sorted(bodies("online.db"))
    assert 0 < len(bodies("1.db")) < 9


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_order_parts_errors_and_duplicates_change_no_verdict(
    data: st.DataObject, played: tuple[list[Line], list[Line], list[str]]
) -> None:
    requests, good, online = played
    shutil.copy("begun.db", "now.db")
    noise = [expired(request) for request in requests] + [{"custom_id": "?", "response": {}}]
    lines = data.draw(st.permutations(good + data.draw(st.lists(st.sampled_from(good + noise)))))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=3)))
    for start, end in zip([0, *cuts], [*cuts, len(lines)], strict=True):
        read(*lines[start:end], name="part.jsonl", more=["--store", "now.db"])
    assert bodies("now.db") == online
    told = adjudge("batch", "status", "last", *ALONE, "--store", "now.db")
    assert "next:" not in told.stdout
    assert f"scored      {len(good)}" in told.stdout


@pytest.fixture
def played(endpoint: MisbehavingEndpoint) -> tuple[list[Line], list[Line], list[str]]:
    """The requests of a run, their results, and the verdicts of the same run online."""
    requests = begun(5, "--store", "begun.db")
    run = ("run", "robot", "cases.jsonl", "--model", MODEL, "--base-url", endpoint.url, *ALONE)
    adjudge(*run, "--store", "online.db")
    return requests, results_of(requests, endpoint), bodies("online.db")
