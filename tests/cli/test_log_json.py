"""``--log-json``: every question and verdict as a line of JSON, without what they say."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudge.cli.app import app
from adjudge.testing import FAULTS, Fault, MisbehavingEndpoint
from adjudge.testing.fault import Error, Play
from running import write_lines
from scripted import MODEL, asking, by_number, unsettled

KEY = "sk-planted/0123456789+abcdef=="
ORDER = ["run.started", "question.sent", "question.answered", "verdict", "run.ended"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADJUDGE_API_KEY", KEY)
    write_lines(tmp_path / "cases.jsonl", [unsettled(number) for number in range(3)])
    return tmp_path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["run", "robot", "cases.jsonl", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def asked(endpoint: MisbehavingEndpoint, *more: str) -> Result:
    return run(*asking(endpoint, "--workers", "0"), *more)


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_run_tells_when_it_asks_whom_and_what_came_of_it() -> None:
    with MisbehavingEndpoint(by_number) as endpoint:
        result = asked(endpoint, "--log-json", "-", "--concurrency", "1")
    assert result.exit_code == 0
    lines = lines_of(result.stderr)
    events = [line["event"] for line in lines]
    assert Counter(events) == {name: 1 if "run" in name else 3 for name in ORDER}
    assert list(dict.fromkeys(events)) == ORDER
    first, last = lines[0], lines[-1]
    assert first["judge"] == "robot"
    assert first["models"] == [MODEL]
    assert first["run"] == last["run"]
    assert last["outcome"] == "complete"
    assert last["judged"] == {"scored": 3}
    assert last["calls"] == 3
    answered = [line for line in lines if line["event"] == "question.answered"]
    verdicts = [line for line in lines if line["event"] == "verdict"]
    for line in answered:
        assert (line["status"], line["attempt"], line["finish"]) == ("ok", 1, "stop")
        assert line["server"] == endpoint.url.split("/")[2]
        assert line["latency_ms"] > 0
        assert line["input_tokens"] > 0
        assert line["output_tokens"] > 0
    assert {line["case_id"] for line in answered} == {f"case-{n}" for n in range(3)}
    assert {line["case_id"]: line["scores"]["score"] for line in verdicts} == {
        "case-0": 0,
        "case-1": 1,
        "case-2": 2,
    }
    for line in lines:
        assert line["time"].endswith("Z")
        moment = datetime.fromisoformat(line["time"])
        assert abs((datetime.now(UTC) - moment).total_seconds()) < 3600


def test_what_fails_and_is_asked_again_is_told_by_kind() -> None:
    twice = Fault("500", "500 once", Play(500, error=Error("no")), times=1)
    with MisbehavingEndpoint(by_number, fault=twice) as endpoint:
        result = asked(endpoint, "--log-json", "log.jsonl")
    assert result.exit_code == 0
    again = [e for e in lines_of(Path("log.jsonl").read_text()) if e["event"] == "question.retried"]
    assert {(line["error"], line["attempt"]) for line in again} == {("500", 1)}
    assert len(again) == 3

    with MisbehavingEndpoint(by_number, fault=FAULTS["unauthorized"]) as endpoint:
        result = asked(endpoint, "--log-json", "log2.jsonl", "--store", "other.db")
    assert result.exit_code == 3
    lines = lines_of(Path("log2.jsonl").read_text())
    failed = [line for line in lines if line["event"] == "question.failed"]
    assert {(line["error"], line["status"]) for line in failed} == {("401", "error")}
    assert {e["status"] for e in lines if e["event"] == "verdict"} == {"error"}
    assert lines[-1]["judged"] == {"error": 3}


@pytest.mark.parametrize("content", [False, True])
def test_words_of_cases_and_models_are_told_only_where_that_is_asked_for(content: bool) -> None:
    more = ["--log-content"] if content else []
    with MisbehavingEndpoint(by_number, fault=FAULTS["words_once"]) as endpoint:
        asked(endpoint, "--log-json", "log.jsonl", *more)
    text = Path("log.jsonl").read_text()
    assert {json.loads(line)["event"] for line in text.splitlines()} >= set(ORDER)
    for words in ("shelf number 2", "This was about 2.", "navigate(shelf)"):
        assert (words in text) == content


@pytest.mark.parametrize("content", [False, True])
def test_a_key_is_never_told(content: bool) -> None:
    quoted = Fault("quoted", "500 that quotes the key", Play(500, error=Error("Who is {key}?")))
    more = ["--log-content"] if content else []
    for fault in (quoted, FAULTS["unauthorized"], FAULTS["hang_up_always"]):
        with MisbehavingEndpoint(by_number, fault=fault) as endpoint:
            store = ["--store", f"{fault.name}.db", "--deadline", "1"]
            asked(endpoint, "--log-json", "log.jsonl", *store, *more)
            assert {received.key for received in endpoint.requests} == {f"Bearer {KEY}"}
    text = Path("log.jsonl").read_text()
    assert text.count('"run.ended"') == 3
    for secret in (KEY, KEY.replace("/", "\\/"), "0123456789+abcdef"):
        assert secret not in text


def test_verdicts_without_a_model_are_told_too() -> None:
    result = run("--log-json", "-")
    lines = lines_of(result.stderr)
    assert [line["event"] for line in lines] == ["run.started", *["verdict"] * 3, "run.ended"]
    assert {line["reason"] for line in lines if line["event"] == "verdict"} == {"goal_unknown"}


def test_a_log_that_cannot_be_written_ends_no_run() -> None:
    assert run("--log-json", "no/such/folder.jsonl").exit_code == 2
    assert run("--log-content").exit_code == 2
    if not Path("/dev/full").exists():
        pytest.skip("needs a device that is always full")
    result = run("--log-json", "/dev/full")
    assert result.exit_code == 3
    assert result.stderr.count("the log ends here: No space left on device") == 1
    assert "3 " in result.stdout
