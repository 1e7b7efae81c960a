"""``adjudge run`` with models: what is asked, what bounds save and hold, what is done again."""

import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudge.cli.app import app
from adjudge.testing import MisbehavingEndpoint, Received
from robot_cases import SHARED
from running import write_lines
from scripted import MODEL, about, asked_about, asking, by_number, rows, unsettled, verdict_of

STORE = Path(".adjudge") / "adjudge.db"
RULES = SHARED / "cases" / "robot_rules.jsonl"
ALONE = ("--workers", "0")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ADJUDGE_STORE", raising=False)
    return tmp_path


@pytest.fixture
def endpoint() -> Iterator[MisbehavingEndpoint]:
    with MisbehavingEndpoint(by_number) as made:
        yield made


def call(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def ask(endpoint: MisbehavingEndpoint, cases: str | Path, *more: str) -> Result:
    return call("run", "robot", cases, *asking(endpoint, *ALONE, *more))


def last() -> list[dict[str, Any]]:
    shown = call("show", "last", "--json", "--limit", "0")
    return [json.loads(line) for line in shown.stdout.splitlines()]


def counted(text: str, pattern: str) -> list[int]:
    found = re.search(pattern, text)
    assert found is not None, text
    return [int(group) for group in found.groups()]


needs_rules = pytest.mark.skipif(not RULES.exists(), reason="the shared cases are not here")


@needs_rules
@pytest.mark.parametrize("always", [False, True])
def test_a_model_that_always_says_4_is_held_inside_the_bounds(always: bool) -> None:
    with MisbehavingEndpoint(verdict_of(4)) as endpoint:
        result = ask(endpoint, RULES, *(["-o", "always_ask=true"] if always else []))
    assert result.exit_code == 0
    verdicts = last()
    assert len(verdicts) == 48
    for verdict in verdicts:
        allowed = verdict["bounds"]["score"]["allowed"]
        assert verdict["scores"]["score"] in allowed
        asked = always or len(allowed) > 1
        assert bool(verdict["opinions"][0]["replies"]) == asked
        assert ("bounded" in verdict["flags"]) == (asked and 4 not in allowed)
        assert verdict["usage"]["calls"] == asked
    unlike = {json.dumps(m["messages"]) for m in (r.body for r in endpoint.requests)}
    calls = len(endpoint.requests)
    assert len(unlike) == calls
    settled = sum(not v["opinions"][0]["replies"] for v in verdicts)
    bounded = sum("bounded" in v["flags"] for v in verdicts)
    disputed = sum("disputed" in v["flags"] for v in verdicts)
    assert calls + settled == 48
    assert (settled == 0, bounded > 20) == (always, always)
    out = result.stdout
    assert counted(out, r"asked \S+: (\d+) questions, (\d+) calls") == [calls, calls]
    assert counted(out, r"saved: (\d+) of (\d+) opinions needed no call") == [settled, 48]
    assert counted(out, r"held: (\d+) verdicts .* (\d+) disputed") == [bounded, disputed]


def test_the_summary_counts_tokens_and_says_that_a_price_is_unknown(
    endpoint: MisbehavingEndpoint,
) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(7)])
    out = ask(endpoint, "cases.jsonl").stdout
    assert "7 questions, 7 calls, 700 tokens read, 140 written, cost unknown" in out
    assert f"· llm · {MODEL}" in out.splitlines()[0]
    assert all(verdict["cost_usd"] is None for verdict in last())


def test_the_same_command_again_asks_nothing_and_shows_the_same(
    endpoint: MisbehavingEndpoint,
) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(5)])
    first = ask(endpoint, "cases.jsonl")
    again = ask(endpoint, "cases.jsonl")
    assert again.stdout == first.stdout
    assert len(endpoint.requests) == 5


def test_how_a_model_is_asked_makes_another_run_and_where_it_stands_does_not(
    endpoint: MisbehavingEndpoint,
) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    paced = ["--rpm", "90000", "--tpm", "1e9"]
    ways: list[list[str]] = [
        [],
        ["--temperature", "0.5"],
        ["--max-output-tokens", "900"],
        ["--seed", "7"],
        ["--samples", "2", "--temperature", "1"],
        ["--samples", "2", "--temperature", "1", "--quorum", "2"],
        ["--model", "openai-compatible:other"],
        ["--concurrency", "2", "--timeout", "20", "--deadline", "30", *paced],
    ]
    for way in ways:
        assert ask(endpoint, "cases.jsonl", *way).exit_code == 0
    with MisbehavingEndpoint(by_number) as elsewhere:
        assert ask(elsewhere, "cases.jsonl").exit_code == 0
    assert elsewhere.requests == []
    assert rows(STORE, "SELECT count(*) FROM adjudge_runs") == [(len(ways) - 1,)]
    shown = call("runs").stdout
    assert f"{MODEL} x2" in shown
    assert f"{MODEL}, openai-compatible:other" in shown


def test_good_replies_are_used_again_by_other_runs_and_bad_ones_are_not() -> None:
    cases = [unsettled(n) for n in range(6)]
    write_lines(Path("some.jsonl"), cases[:4])
    write_lines(Path("all.jsonl"), cases)

    refuses = True

    def answer(received: Received) -> Any:
        good = by_number(received)
        return "I would rather not." if refuses and not good["score"] else good

    with MisbehavingEndpoint(answer) as endpoint:
        assert ask(endpoint, "some.jsonl").exit_code == 3
        # cases 1, 2 and 3 are answered; 0 and its repair turn are not
        assert sorted(asked_about(endpoint.requests)) == [0, 0, 1, 2, 3]
        endpoint.requests.clear()
        refuses = False
        result = ask(endpoint, "all.jsonl")
        assert result.exit_code == 0
        assert sorted(asked_about(endpoint.requests)) == [0, 4, 5]
    assert "3 answers were used again" in result.stdout


@pytest.mark.parametrize("fault", ["server_error", "refusal", "length", "words"])
def test_retry_failed_asks_again_only_what_failed(fault: str) -> None:
    from adjudge.testing import FAULTS, Fault

    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(8)])
    odd = FAULTS[fault]
    broken = Fault(
        odd.name,
        odd.about,
        odd.play,
        when=lambda body: bool(re.search("shelf number [35][.]", str(body))),
    )
    patience = ("--deadline", "3")
    with MisbehavingEndpoint(by_number, fault=broken) as endpoint:
        first = ask(endpoint, "cases.jsonl", *patience)
        assert first.exit_code == 3
        failed = [verdict["position"] for verdict in last() if verdict["status"] != "scored"]
        assert failed == [3, 5]
        before = {verdict["position"]: verdict for verdict in last()}
        assert ask(endpoint, "cases.jsonl", *patience).exit_code == 3
        calls = len(endpoint.requests)
        endpoint.fault = None
        again = ask(endpoint, "cases.jsonl", *patience, "--retry-failed")
        assert again.exit_code == 0
        assert Counter(asked_about(endpoint.requests[calls:])) == {3: 1, 5: 1}
        assert ask(endpoint, "cases.jsonl", *patience, "--retry-failed").exit_code == 0
        assert len(endpoint.requests) == calls + 2
    now = {verdict["position"]: verdict for verdict in last()}
    assert {p: now[p] for p in now if p not in failed} == {
        p: before[p] for p in before if p not in failed
    }
    assert [now[p]["scores"]["score"] for p in failed] == [3, 0]
    assert rows(STORE, "SELECT count(*) FROM adjudge_verdicts") == [(8,)]
    assert rows(STORE, "SELECT state, owner FROM adjudge_runs") == [("complete", None)]


def test_retry_failed_leaves_what_a_repair_turn_has_put_right() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(4)])

    def answer(received: Received) -> Any:
        number = about(received)
        if number == 2 and not fixed:
            return "No."
        return "Hm." if received.nth == 0 and number == 1 else by_number(received)

    fixed = False
    with MisbehavingEndpoint(answer) as endpoint:
        ask(endpoint, "cases.jsonl", "--model", "openai-compatible:b", "--quorum", "2")
        calls = len(endpoint.requests)
        fixed = True
        ask(
            endpoint, "cases.jsonl", "--model", "openai-compatible:b", "--quorum", "2",
            "--retry-failed",
        )  # fmt: skip
        assert Counter(asked_about(endpoint.requests[calls:])) == {2: 2}


def test_a_failed_juror_of_a_scored_verdict_is_asked_again_too() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(3)])

    def answer(received: Received) -> Any:
        if received.body["model"] == "weak" and broken:
            return "No."
        return by_number(received)

    broken = True
    models = ("--model", "openai-compatible:b", "--model", "openai-compatible:weak")
    with MisbehavingEndpoint(answer) as endpoint:
        result = ask(endpoint, "cases.jsonl", *models)
        assert result.exit_code == 0
        assert "invalid: no_json" in result.stdout
        assert [o["status"] for o in last()[1]["opinions"]] == ["scored", "scored", "invalid"]
        calls = len(endpoint.requests)
        broken = False
        ask(endpoint, "cases.jsonl", *models, "--retry-failed")
        assert {r.body["model"] for r in endpoint.requests[calls:]} == {"weak"}
    assert [o["status"] for o in last()[1]["opinions"]] == ["scored"] * 3


def test_several_models_and_samples_are_combined_and_shown() -> None:
    def answer(received: Received) -> dict[str, Any]:
        return verdict_of(scores[received.body["model"], received.body["seed"]])

    scores = {("any", 5): 0, ("any", 6): 3, ("b", 5): 4, ("b", 6): 4}
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    with MisbehavingEndpoint(answer) as endpoint:
        options = ("--samples", "2", "--seed", "5", "--temperature", "1")
        result = ask(endpoint, "cases.jsonl", "--model", "openai-compatible:b", *options)
    assert result.stderr == ""
    [verdict] = last()
    assert verdict["scores"] == {"score": 3}
    assert [(o["model"], o["sample"], o["scores"]["score"]) for o in verdict["opinions"]] == [
        (MODEL, 0, 0),
        (MODEL, 1, 3),
        ("openai-compatible:b", 0, 4),
        ("openai-compatible:b", 1, 4),
    ]
    assert verdict["flags"] == ["disagreement"]
    assert verdict["usage"]["calls"] == 4
    assert "disagreement" in call("show", "last").stdout.splitlines()[1].split()
    shown = [line.split() for line in call("show", "last", "--case", "0").stdout.splitlines()]
    assert [MODEL, "sample", "1", "scored", "score=3", "1", "answers"] in shown


def test_too_few_opinions_are_no_verdict() -> None:
    write_lines(Path("cases.jsonl"), [unsettled(1)])

    def answer(received: Received) -> Any:
        return "No." if received.body["model"] == "b" else by_number(received)

    with MisbehavingEndpoint(answer) as endpoint:
        models = ("--model", "openai-compatible:b", "--quorum", "2")
        assert ask(endpoint, "cases.jsonl", *models).exit_code == 3
    [verdict] = last()
    assert verdict["status"] == "invalid"
    assert verdict["flags"] == ["no_quorum"]
    assert [o["status"] for o in verdict["opinions"]] == ["scored", "invalid"]


def test_samples_at_temperature_0_are_warned_about(endpoint: MisbehavingEndpoint) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    result = ask(endpoint, "cases.jsonl", "--samples", "3")
    assert result.exit_code == 0
    assert result.stderr.startswith("adjudge: warning: samples: 3 at temperature 0")
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--model", "gpt"], "expected a model as PROVIDER:NAME, found 'gpt'"),
        (["--model", "opanai:x"], "unknown provider 'opanai'"),
        (["--model", "openai:x"], "needs a key in the environment: OPENAI_API_KEY"),
        (["--model", MODEL], "needs a base URL"),
        (["--model", MODEL, "--base-url", "here"], "expected a base URL with http://"),
        (["--model", MODEL, "--base-url", "http://x", "--base-url", "http://y"], "found 2"),
        (
            ["--model", MODEL, "--model", MODEL, "--base-url", "http://x"],
            f"expected each once, found {MODEL} 2 times",
        ),
        (
            ["--model", MODEL, "--base-url", "http://x", "--quorum", "2"],
            "quorum: expected 1 to 1",
        ),
        (["--model", "llamacpp:none.gguf"], "none.gguf"),
        (["--model", MODEL, "--base-url", "http://x", "--method", "symbolic"], "asks no model"),
        (["--method", "llm"], "expected a model to ask"),
        (["--model", MODEL, "--base-url", "http://x", "--temperature", "nan"], "temperature"),
        (["--user-template", "t.txt"], "expected a UTF-8 text file"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_exit_2(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ADJUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    result = call("run", "robot", "cases.jsonl", *arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert not STORE.exists()


@pytest.mark.parametrize(
    "option", ["domain=nosuch", "verbs=/missing", "domain=missing.toml", "hands=0"]
)
def test_an_option_that_names_nothing_is_one_line_and_exit_2(option: str) -> None:
    write_lines(Path("cases.jsonl"), [unsettled(0)])
    result = call("run", "robot", "cases.jsonl", "-o", option)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert option.partition("=")[0] in result.stderr


def test_templates_of_ones_own_are_what_is_asked(endpoint: MisbehavingEndpoint) -> None:
    Path("system.txt").write_text('You score plans. Like so: {"score": 0}\n{examples}')
    Path("user.txt").write_text(
        'Told: {instruction}\n{"part 1": "{executed_actions}"}\n'
        "{simulation_status}, {steps_completed} of {total_steps} ({progress_ratio:.1%})\n"
        "Left: {remaining_actions}\nThere: {scene_graph_json} {spatial_relationships} {{braces}}"
    )
    Path("examples.txt").write_text("EXAMPLE ONE")
    case = unsettled(4, plan=["navigate(shelf)", "pick(book)", "fly(away)"])
    write_lines(Path("cases.jsonl"), [case])
    files = ("--system-template", "system.txt", "--user-template", "user.txt")
    result = ask(endpoint, "cases.jsonl", *files, "--examples", "examples.txt")
    assert result.exit_code == 0
    [received] = endpoint.requests
    system, user = (message["content"] for message in received.body["messages"])
    assert system == 'You score plans. Like so: {"score": 0}\nEXAMPLE ONE'
    assert "Do the usual with shelf number 4." in user
    assert '{"part 1": "' in user
    assert "2 of 3 (66.7%)" in user
    assert "{{braces}}" in user
    assert "fly(away)" in user
    ask(endpoint, "cases.jsonl", *files)
    assert len(endpoint.requests) == 2, "other templates are another question"


def goal(facts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"reasoning": "So it says.", "facts": facts, "in_order": False, "implied_steps": []}


def fact(relation: str, subject: str, target: str | None) -> dict[str, Any]:
    return {
        "relation": relation,
        "subject": subject,
        "target": target,
        "which": "this",
        "how_many": 1,
        "when": "at_end",
    }


def test_the_goal_of_many_plans_is_asked_for_once() -> None:
    scene = {
        "rooms": ["den"],
        "objects": [
            {"id": "shelf", "room": "den"},
            {"id": "table", "room": "den"},
            {"id": "book", "on": "shelf"},
        ],
        "robot": {"room": "den"},
    }
    plans = [
        ["navigate(shelf)", "pick(book)", "navigate(table)", "place_on(book, table)"],
        ["navigate(shelf)", "pick(book)"],
        ["navigate(table)"],
        ["navigate(shelf)", "pick(book)", "navigate(table)", "place_on(book, shelf)"],
    ]
    cases = [
        {"id": f"{name}-{n}", "instruction": told, "scene": scene, "plan": plan}
        for name, told in (("good", "Do the usual with it."), ("odd", "Do the unusual with it."))
        for n, plan in enumerate(plans)
    ]
    write_lines(Path("cases.jsonl"), cases)

    def answer(received: Received) -> dict[str, Any]:
        if "unusual" in str(received.body) and received.nth == 0:
            return goal([fact("on", "libro", "table")])
        return goal([fact("on", "book", "table")])

    with MisbehavingEndpoint(answer) as endpoint:
        result = ask(endpoint, "cases.jsonl", "--method", "grounded", "--concurrency", "8")
    verdicts = last()
    assert [v["scores"]["score"] for v in verdicts[:4]] == [
        v["scores"]["score"] for v in verdicts[4:]
    ]
    # a goal that a model read is not sure to be the whole of it: never a certain 4
    assert [v["scores"]["score"] for v in verdicts[:4]] == [3, 1, 0, 1]
    assert verdicts[0]["details"]["goal"]["source"] == "model"
    # the walk alone is settled without a goal
    assert [len(v["opinions"][0]["replies"]) for v in verdicts] == [1, 1, 0, 1, 2, 2, 0, 2]
    asked = [str(r.body["messages"]) for r in endpoint.requests]
    assert len(asked) == len(set(asked)) == 3
    [again] = [text for text in asked if "libro" in text]
    assert "unusual" in again
    assert counted(result.stdout, r"asked \S+: (\d+) questions") == [3]
    assert "6 answers were used again" in result.stdout


def test_names_that_stay_unknown_are_invalid() -> None:
    scene = {"rooms": ["den"], "objects": [{"id": "book", "room": "den"}]}
    case = {"id": "a", "instruction": "Do the usual.", "scene": scene, "plan": ["pick(book)"]}
    write_lines(Path("cases.jsonl"), [case])
    with MisbehavingEndpoint(goal([fact("on", "book", "moon")])) as endpoint:
        result = ask(endpoint, "cases.jsonl", "--method", "grounded")
    assert result.exit_code == 3
    assert len(endpoint.requests) == 2
    [verdict] = last()
    assert (verdict["status"], verdict["scores"]) == ("invalid", {})
    assert verdict["reason"] == 'unknown_names: ["moon"]'


def test_a_worker_judges_as_this_process_does(endpoint: MisbehavingEndpoint) -> None:
    cases: list[Any] = [unsettled(n) for n in range(5)]
    cases += [unsettled(2), "{broken", {"id": "x", "plan": 7}, {**unsettled(1), "id": "y"}]
    write_lines(Path("cases.jsonl"), cases)
    for workers in ("0", "1", "2"):
        options = asking(endpoint, "--workers", workers)
        result = call("run", "robot", "cases.jsonl", *options, "--store", f"{workers}.db")
        assert result.exit_code == 3
    stored = [
        rows(Path(f"{workers}.db"), "SELECT body FROM adjudge_verdicts ORDER BY position")
        for workers in ("0", "1", "2")
    ]
    assert stored[0] == stored[1] == stored[2]
    assert len(stored[0]) == 9
    assert os.path.exists("0.db")


def test_a_store_that_fails_on_the_way_ends_the_run_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("adjudge.runs.database._BUSY_SECONDS", 0)
    write_lines(Path("cases.jsonl"), [unsettled(n) for n in range(300)])
    locked: list[sqlite3.Connection] = []

    def answer(received: Received) -> dict[str, Any]:
        if not locked and len(failing.requests) > 20:
            locked.append(sqlite3.connect(STORE, check_same_thread=False))
            locked[0].execute("BEGIN IMMEDIATE")
        return by_number(received)

    with MisbehavingEndpoint(answer) as failing:
        result = ask(failing, "cases.jsonl")
        assert result.exit_code == 2
        assert "another process holds it" in result.stderr
        assert len(result.stderr.splitlines()) == 1
        locked[0].rollback()
        # the run could not even be let go of, and this process, unlike a command's, lives on
        locked[0].execute("UPDATE adjudge_runs SET owner = NULL")
        locked[0].commit()
        locked[0].close()
        assert ask(failing, "cases.jsonl").exit_code == 0
    assert len(last()) == 300
    assert len(asked_about(failing.requests)) < 450
