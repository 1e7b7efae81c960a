"""``adjudge run --dry-run``: what it says is asked, and that it asks and keeps nothing."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudge.cli.app import app
from adjudge.testing import MisbehavingEndpoint, Received
from running import ROOT, write_lines
from scripted import MODEL, asking, by_number, rows, unsettled, verdict_of

STORE = Path(".adjudge") / "adjudge.db"
EXAMPLES = ROOT / "examples"
SETTLED = {"id": "settled", "instruction": "Open the fridge.", "plan": ["navigate(fridge)"]}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ADJUDGE_STORE", "ADJUDGE_PRICES", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def endpoint() -> Iterator[MisbehavingEndpoint]:
    with MisbehavingEndpoint(by_number) as made:
        yield made


def call(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def dry(*arguments: str | Path, model: str = MODEL) -> str:
    result = call("run", *arguments, "--model", model, "--dry-run", "--workers", "0")
    assert result.exit_code == 0, result.output
    return result.stdout


def calls(told: str, model: str = MODEL) -> int:
    found = re.search(rf"expected of {re.escape(model)}: ([\d,]+) calls", told)
    assert found is not None, told
    return int(found[1].replace(",", ""))


ANSWERS: dict[str, dict[str, Any]] = {
    "KeyUtterance": {"analysis": "It was this.", "turn": 1, "direction": "good"},
    "UtteranceImportance": {"analysis": "It was so.", "importance": 2},
    "GoalAnswer": {"reasoning": "Cannot say.", "facts": [], "in_order": False, "implied_steps": []},
    "BrowserAnswer": {
        "explanation": "All in all it is fine.",
        "issues": [],
        "plain_knowledge_asked": False,
        **dict.fromkeys(
            (
                "tool_call_accuracy",
                "browser_context_awareness",
                "assistant_usefulness",
                "preference_adherence",
                "response_conciseness",
                "knowledge",
            ),
            3,
        ),
    },
}


def by_form(received: Received) -> dict[str, Any]:
    name = received.body["response_format"]["json_schema"]["name"]
    return ANSWERS.get(name) or verdict_of(3)


@pytest.mark.parametrize(
    ("judge", "cases", "way"),
    [
        ("robot", "plans.jsonl", ()),
        ("robot", "plans.jsonl", ("-o", "always_ask=true", "--samples", "2")),
        ("robot", "same.jsonl", ("--method", "grounded")),
        ("browser", EXAMPLES / "browser" / "shoes.jsonl", ()),
        ("social", EXAMPLES / "social" / "dialogues.jsonl", ("--method", "only_response")),
        ("social", EXAMPLES / "social" / "dialogues.jsonl", ("--method", "key_utterance")),
    ],
)
def test_as_many_calls_as_the_run_then_makes(
    judge: str, cases: str | Path, way: tuple[str, ...]
) -> None:
    write_lines(Path("plans.jsonl"), [*(unsettled(n) for n in range(7)), SETTLED, "{broken"])
    scene = {"rooms": ["den"], "objects": [{"id": "book", "room": "den"}]}
    told = {"instruction": "Do the usual.", "scene": scene, "plan": ["pick(book)"]}
    write_lines(Path("same.jsonl"), [{"id": str(n), **told} for n in range(4)])
    expected = calls(dry(judge, cases, *way))
    assert expected > 0
    assert not STORE.exists()
    with MisbehavingEndpoint(by_form) as endpoint:
        call("run", judge, cases, *asking(endpoint, "--workers", "0", *way))
    assert len(endpoint.requests) == expected
    done = dry(judge, cases, *way)
    assert calls(done) == 0
    assert "0 wait for answers" in done


def test_what_is_there_is_not_counted_and_nothing_is_kept(endpoint: MisbehavingEndpoint) -> None:
    write_lines(Path("some.jsonl"), [unsettled(n) for n in range(4)])
    write_lines(Path("cases.jsonl"), [*(unsettled(n) for n in range(10)), SETTLED])
    assert call("run", "robot", "some.jsonl", *asking(endpoint, "--workers", "0")).exit_code == 0
    before = (
        rows(STORE, "SELECT * FROM adjudge_runs"),
        rows(STORE, "SELECT count(*) FROM sqlite_master"),
    )
    told = dry("robot", "cases.jsonl")
    assert "cases: 11, of which 5 need no call, 6 wait for answers" in told
    assert calls(told) == 6, "the good answers of another run are used again"
    assert before == (
        rows(STORE, "SELECT * FROM adjudge_runs"),
        rows(STORE, "SELECT count(*) FROM sqlite_master"),
    )
    assert len(endpoint.requests) == 4

    limited = ("--max-tokens", "240", "--concurrency", "1")
    command = ["run", "robot", "cases.jsonl", *asking(endpoint, "--workers", "0")]
    assert call(*command, *limited).exit_code == 3
    told = dry("robot", "cases.jsonl", "--max-tokens", "5000")
    assert "cases: 11, of which 7 are judged already, 0 need no call, 4 wait for answers" in told
    assert re.search(r"budget: 5,000 tokens, of which 240 tokens are spent, is enough for", told)
    assert calls(told) == 4


def test_what_failed_is_counted_where_it_would_be_asked_again(
    endpoint: MisbehavingEndpoint,
) -> None:
    endpoint.fault = "server_error"
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(3)])
    command = ["run", "robot", "cases.jsonl", *asking(endpoint, "--workers", "0")]
    assert call(*command, "--deadline", "1").exit_code == 3
    assert calls(dry("robot", "cases.jsonl")) == 0
    assert calls(dry("robot", "cases.jsonl", "--retry-failed")) == 3


def test_money_is_guessed_where_a_price_is_known() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(10)])
    told = dry("robot", "cases.jsonl", model="openai:gpt-5-mini")
    found = re.search(r"about ([\d,]+) tokens read and ([\d,]+) written, about \$([\d.]+)", told)
    assert found is not None, told
    read, written, cost = (float(group.replace(",", "")) for group in found.groups())
    assert cost == pytest.approx((read * 0.25 + written * 2) / 1e6, rel=0.1)
    short = dry("robot", "cases.jsonl", "--max-output-tokens", "20", model="openai:gpt-5-mini")
    assert "and 200 written" in short
    assert "cost unknown: there is no price for it" in dry("robot", "cases.jsonl")
    both = dry("robot", "cases.jsonl", "--model", MODEL, model="openai:gpt-5-mini")
    assert f"and what {MODEL} cost, which is unknown" in both
    enough = dry("robot", "cases.jsonl", "--max-cost", "5", model="openai:gpt-5-mini")
    assert "budget: $5.00 is enough" in enough
    assert "is enough for" not in enough


def test_rounds_that_may_follow_are_said() -> None:
    cases = EXAMPLES / "social" / "dialogues.jsonl"
    key, whole = dry("social", cases, "--method", "key_first"), dry("social", cases)
    assert calls(key) == 2 * calls(whole)
    for told in (key, whole):
        assert "a case whose answer is not complete may be asked about once more" in told


def test_what_makes_no_sense_is_refused() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    alone = call("run", "robot", "cases.jsonl", "--dry-run")
    assert alone.exit_code == 0
    assert "the method asks no model" in alone.stdout
    model = ("--model", MODEL, "--dry-run")
    refused = call("run", "robot", "cases.jsonl", *model, "--output", "out.jsonl")
    assert refused.exit_code == 2
    assert "--dry-run: expected no --output" in refused.stderr
    unpriced = call("run", "robot", "cases.jsonl", *model, "--max-cost", "1")
    assert unpriced.exit_code == 2
    assert f"no price for {MODEL}" in unpriced.stderr
    assert not Path(".adjudge").exists()
    Path("empty.db").write_bytes(b"")
    assert calls(dry("robot", "cases.jsonl", "--store", "empty.db")) == 1
    assert rows(Path("empty.db"), "SELECT name FROM sqlite_master") == []
