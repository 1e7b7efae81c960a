"""Budgets and prices through the command line: what is asked, what is left, what goes on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudge.cli.app import app
from adjudge.testing import Fault, MisbehavingEndpoint, Play, Received
from running import write_lines
from scripted import MODEL, asked_about, asking, by_number, rows, unsettled, verdict_of
from social_cases import dialogue

STORE = Path(".adjudge") / "adjudge.db"
A_CALL = 120
"""Tokens that the endpoint counts for a call."""
SETTLED = {"id": "settled", "instruction": "Open the fridge.", "plan": ["navigate(fridge)"]}
PRICES = f'["{MODEL}"]\ninput = 10\noutput = 50\n'
COST = (100 * 10 + 20 * 50) / 1e6
"""US dollars for a call at these prices."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("ADJUDGE_STORE", "ADJUDGE_PRICES"):
        monkeypatch.delenv(name, raising=False)
    Path("prices.toml").write_text(PRICES)
    write_lines(Path("cases.jsonl"), [*(unsettled(n) for n in range(20)), SETTLED])
    return tmp_path


@pytest.fixture
def endpoint() -> Iterator[MisbehavingEndpoint]:
    with MisbehavingEndpoint(by_number) as made:
        yield made


def call(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def ask(endpoint: MisbehavingEndpoint, *more: str, cases: str = "cases.jsonl") -> Result:
    return call("run", "robot", cases, *asking(endpoint, "--workers", "0", *more))


def bodies(store: Path = STORE) -> list[str]:
    return [body for (body,) in rows(store, "SELECT body FROM adjudge_verdicts ORDER BY position")]


def last() -> list[dict[str, Any]]:
    return [json.loads(body) for body in bodies()]


def left_open() -> list[int]:
    return [v["position"] for v in last() if (v["status"], v["reason"]) == ("skipped", "budget")]


def test_a_budget_of_tokens_leaves_cases_that_the_same_command_judges(
    endpoint: MisbehavingEndpoint,
) -> None:
    limited = ("--concurrency", "2", "--max-tokens")
    first = ask(endpoint, *limited, str(5 * A_CALL))
    assert first.exit_code == 3
    calls = len(endpoint.requests)
    assert 5 <= calls <= 6, "the one other in flight may pass it"
    verdicts = last()
    assert len(verdicts) == 21
    assert len(left_open()) == 20 - calls
    assert verdicts[20]["status"] == "scored", "what needs no model is judged all the same"
    assert f"budget: {20 - calls} cases were skipped" in first.stdout
    assert f"{calls * A_CALL:,} of 600 tokens are spent" in first.stdout
    assert re.search(rf"skipped +{20 - calls} +budget {20 - calls}", first.stdout)

    again = ask(endpoint, *limited, str(5 * A_CALL))
    assert (again.exit_code, again.stdout) == (3, first.stdout)
    assert len(endpoint.requests) == calls, "what was spent before counts"
    assert "interrupted" in call("runs").stdout

    more = ask(endpoint, *limited, str(9 * A_CALL))
    assert more.exit_code == 3
    assert 9 <= len(endpoint.requests) <= 10
    assert len(left_open()) == 20 - len(endpoint.requests)

    rest = ask(endpoint)
    assert rest.exit_code == 0
    assert sorted(asked_about(endpoint.requests)) == list(range(20)), "nothing is asked twice"
    assert "budget:" not in rest.stdout
    assert "complete" in call("runs").stdout
    assert ask(endpoint, "--store", "whole.db").exit_code == 0
    assert bodies() == bodies(Path("whole.db"))


def test_a_budget_of_dollars_counts_at_the_prices_given(endpoint: MisbehavingEndpoint) -> None:
    result = ask(
        endpoint, "--prices", "prices.toml", "--max-cost", str(3.5 * COST), "--concurrency", "1"
    )
    assert result.exit_code == 3
    assert len(endpoint.requests) == 4
    judged = [v for v in last()[:20] if v["status"] == "scored"]
    assert [v["cost_usd"] for v in judged] == [pytest.approx(COST)] * 4
    assert sum(v["cost_usd"] for v in last()) == pytest.approx(4 * COST)
    assert "400 tokens read, 80 written, $0.008" in result.stdout
    assert "$0.008 of $0.007 are spent" in result.stdout


def test_a_price_that_is_not_known_is_said_and_a_budget_of_dollars_refused(
    endpoint: MisbehavingEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = ask(endpoint, "--max-cost", "1")
    assert refused.exit_code == 2
    assert f"max_cost: there is no price for {MODEL}" in refused.stderr
    assert "--prices FILE" in refused.stderr
    assert not STORE.exists()
    unknown = ask(endpoint, "--samples", "1")
    assert "cost unknown: there is no price for it" in unknown.stdout
    assert {v["cost_usd"] for v in last()[:20]} == {None}
    monkeypatch.setenv("ADJUDGE_PRICES", "prices.toml")
    known = ask(endpoint, "--max-cost", "1", "--store", "known.db")
    assert known.exit_code == 0
    assert f"written, ${20 * COST:g}" in known.stdout
    Path("prices.toml").write_text(f'["{MODEL}"]\ninput = 10\noutput = "dear"\n')
    broken = ask(endpoint)
    assert broken.exit_code == 2
    assert f"prices.toml:3: {MODEL}.output: expected US dollars" in broken.stderr


def test_of_several_models_one_may_have_no_price(endpoint: MisbehavingEndpoint) -> None:
    result = ask(endpoint, "--prices", "prices.toml", "--model", "openai-compatible:b")
    assert "asked openai-compatible:b" in result.stdout
    assert (
        f"together: ${20 * COST:g} and what openai-compatible:b cost, which is unknown"
        in result.stdout
    )
    assert last()[0]["cost_usd"] is None
    refused = ask(
        endpoint, "--prices", "prices.toml", "--model", "openai-compatible:b", "--max-cost", "1"
    )
    assert "no price for openai-compatible:b" in refused.stderr


def test_a_panel_is_heard_whole_or_not_at_all(endpoint: MisbehavingEndpoint) -> None:
    way = ("--model", "openai-compatible:b", "--samples", "2", "--temperature", "1")
    result = ask(endpoint, *way, "--concurrency", "1", "--max-tokens", str(10 * A_CALL))
    assert result.exit_code == 3
    for verdict in last()[:20]:
        if verdict["status"] == "scored":
            assert [o["status"] for o in verdict["opinions"]] == ["scored"] * 4
        else:
            assert (verdict["status"], verdict["reason"]) == ("skipped", "budget")
            assert verdict["scores"] == {}
    assert len(endpoint.requests) == 10
    assert ask(endpoint, *way).exit_code == 0
    assert len(endpoint.requests) == 80
    assert ask(endpoint, *way, "--store", "whole.db").exit_code == 0
    assert bodies() == bodies(Path("whole.db"))


def test_no_repair_turn_and_no_repetition_passes_a_budget() -> None:
    cases = write_lines(Path("two.jsonl"), [unsettled(n) for n in range(3)])
    one_by_one = ("--concurrency", "1", "--max-tokens")
    with MisbehavingEndpoint("I think it went well.") as endpoint:
        result = ask(endpoint, *one_by_one, str(A_CALL), cases=str(cases))
        assert len(endpoint.requests) == 1
        assert left_open() == [0, 1, 2]
        assert result.exit_code == 3
        endpoint.answer = by_number
        assert ask(endpoint, cases=str(cases)).exit_code == 0
    assert sorted(asked_about(endpoint.requests)) == [0, 0, 1, 2], (
        "the answer to be repaired is kept"
    )

    counted = {"prompt_tokens": 100, "completion_tokens": 20}
    error = {"error": {"message": "busy", "code": 429}, "usage": counted}
    busy = Fault("busy", "an error in a body, counted", Play(edit=lambda body: error))
    with MisbehavingEndpoint(by_number, fault=busy) as endpoint:
        failed = ask(endpoint, *one_by_one, str(A_CALL), "--seed", "1", cases=str(cases))
        assert len(endpoint.requests) == 1
        assert failed.exit_code == 3
        assert len(left_open()) == 3
        endpoint.fault = None
        asked_again = ask(endpoint, *one_by_one, str(3 * A_CALL), "--seed", "1", cases=str(cases))
        assert asked_again.exit_code == 3
        assert len(endpoint.requests) == 3, "what failed counts, also after another sitting"
        assert f"{3 * A_CALL} of {3 * A_CALL} tokens" in asked_again.stdout
        assert ask(endpoint, "--seed", "1", cases=str(cases)).exit_code == 0
        [(tokens,)] = rows(
            STORE,
            "SELECT sum(input_tokens + output_tokens) FROM adjudge_replies"
            " WHERE run = (SELECT max(key) FROM adjudge_runs)",
        )
    assert tokens == len(endpoint.requests) * A_CALL


def test_what_was_tried_before_counts_when_failures_are_judged_again() -> None:
    answers = {"good": False}

    def answer(received: Received) -> Any:
        return by_number(received) if answers["good"] else "Well."

    cases = write_lines(Path("one.jsonl"), [unsettled(0), unsettled(1)])
    with MisbehavingEndpoint(answer) as endpoint:
        assert ask(endpoint, cases=str(cases)).exit_code == 3
        assert len(endpoint.requests) == 4
        answers["good"] = True
        way = ("--retry-failed", "--concurrency", "1", "--max-tokens")
        result = ask(endpoint, *way, str(5 * A_CALL), cases=str(cases))
        assert result.exit_code == 3
        assert len(endpoint.requests) == 5
        assert len(left_open()) == 1
        assert ask(endpoint, *way, str(9 * A_CALL), cases=str(cases)).exit_code == 0
        assert len(endpoint.requests) == 6
    assert "6 calls, 600 tokens read, 120 written" in ask(endpoint, cases=str(cases)).stdout


SCENE = {
    "rooms": ["den"],
    "objects": [{"id": "shelf", "room": "den"}, {"id": "book", "on": "shelf"}],
    "robot": {"room": "den"},
}


def test_an_answer_that_many_cases_share_is_paid_for_once() -> None:
    plans = [["navigate(shelf)"], ["navigate(shelf)", "pick(book)"], ["pick(book)"]]
    cases = [
        {"id": str(n), "instruction": "Do the usual with it.", "scene": SCENE, "plan": plan}
        for n, plan in enumerate(plans)
    ]
    write_lines(Path("plans.jsonl"), cases)
    fact = {"relation": "holding", "subject": "book", "target": None, "which": "this"}
    facts = [{**fact, "how_many": 1, "when": "at_end"}]
    goal = {"reasoning": "To hold it.", "facts": facts, "in_order": False, "implied_steps": []}
    with MisbehavingEndpoint(goal) as endpoint:
        way = ("--method", "grounded", "--prices", "prices.toml", "--max-cost", str(COST))
        result = ask(endpoint, *way, cases="plans.jsonl")
        assert result.exit_code == 0
        assert len(endpoint.requests) == 1
        assert f"1 questions, 1 calls, 100 tokens read, 20 written, ${COST:g}" in result.stdout
        other = ask(endpoint, *way, "--seed", "3", "--store", "b.db", cases="plans.jsonl")
        assert other.exit_code == 0


def test_a_budget_that_is_used_up_between_two_rounds_leaves_the_case() -> None:
    def answer(received: Received) -> dict[str, Any]:
        if received.body["response_format"]["json_schema"]["name"] == "KeyUtterance":
            return {"analysis": "It was the last.", "turn": 2, "direction": "good"}
        return {"analysis": "As it was.", "scores": [{"turn": 0, "importance": 2}]}

    said = ("Ann", "This lamp is old."), ("Ben", "It is. Ten?"), ("Ann", "Twelve.")
    write_lines(Path("episodes.jsonl"), [dialogue(*said)])
    with MisbehavingEndpoint(answer) as endpoint:
        command = ["run", "social", "episodes.jsonl", *asking(endpoint, "--workers", "0")]
        command += ["--method", "key_first"]
        first = call(*command, "--max-tokens", str(A_CALL))
        assert first.exit_code == 3, first.output
        assert len(endpoint.requests) == 1
        assert left_open() == [0]
        second = call(*command, "--max-tokens", str(2 * A_CALL))
        assert second.exit_code == 0, second.output
        assert len(endpoint.requests) == 2, "the first round's answer is not asked for again"


def test_tokens_from_a_provider_s_cache_have_their_price() -> None:
    Path("prices.toml").write_text(PRICES + "cache_read = 1\n")
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 80},
    }
    cached = Fault("cached", "most was cached", Play(edit=lambda body: {**body, "usage": usage}))
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    with MisbehavingEndpoint(by_number, fault=cached) as endpoint:
        result = ask(endpoint, "--prices", "prices.toml")
    assert last()[0]["cost_usd"] == pytest.approx((20 * 10 + 80 * 1 + 20 * 50) / 1e6)
    assert "100 tokens read (80 of them from the provider's cache), 20 written, $0.0013" in (
        result.stdout
    )


def test_an_endpoint_that_counts_nothing_cannot_be_held_to_a_budget() -> None:
    silent = Fault("silent", "no usage", Play(edit=lambda body: {**body, "usage": None}))
    with MisbehavingEndpoint(by_number, fault=silent) as endpoint:
        result = ask(endpoint, "--max-tokens", "1000")
        assert result.exit_code == 2
        assert f"{MODEL} answers without saying how many tokens it used" in result.stderr
        assert ask(endpoint).exit_code == 0


def test_what_one_store_left_another_may_have_judged(endpoint: MisbehavingEndpoint) -> None:
    limited = ("--max-tokens", str(5 * A_CALL), "--concurrency", "1")
    assert ask(endpoint, *limited, "--store", "left.db").exit_code == 3
    assert ask(endpoint, "--store", "whole.db").exit_code == 0
    calls = len(endpoint.requests)
    assert call("merge", "left.db", "--store", "whole.db").exit_code == 0
    assert call("merge", "whole.db", "--store", "left.db").exit_code == 0
    assert bodies(Path("left.db")) == bodies(Path("whole.db"))
    for store in ("left.db", "whole.db"):
        assert ask(endpoint, "--store", store).exit_code == 0
    assert len(endpoint.requests) == calls


def test_an_attack_ends_where_its_budget_does(endpoint: MisbehavingEndpoint) -> None:
    endpoint.answer = verdict_of(2)
    assert ask(endpoint).exit_code == 0
    before = len(endpoint.requests)
    way = ("--base-url", endpoint.url, "--concurrency", "4", "--only", "inject")
    result = call("attack", "last", *way, "--max-tokens", str(10 * A_CALL))
    assert result.exit_code == 0, result.output
    assert 10 <= len(endpoint.requests) - before <= 13
    assert f"of {10 * A_CALL:,} tokens are spent" in result.stdout
    refused = call("attack", "last", *way, "--max-cost", "1")
    assert refused.exit_code == 2
