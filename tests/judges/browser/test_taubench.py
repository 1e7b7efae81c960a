"""30 real conversations: the facts are those of the raw messages, and every finding is known."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from adjudge.contract import Verdict, conclude
from adjudge.judges.browser.judge import BrowserJudge
from browser_reading import check, kinds, one_case, records, shared

# Every finding on the file, with why it is right. There is none, and that is right too:
# - the catalogue is not known, so no name and no argument can be wrong; all arguments are JSON;
# - of the four calls that repeat an earlier one each came after the user had spoken again;
#   three of them had ended in an error the time before (test_repeats_and_errors lists them);
# - the answer to each error that closed a turn says what went wrong;
# - every result answers the call before it, no text was cut, nobody speaks to a judge.
FINDINGS: dict[str, list[tuple[str, int]]] = {}

REPEATS = [(13, 16), (13, 28), (13, 40), (13, 46)]
"""Task and message of each call equal to an earlier one."""

ERRORS = Counter({0: 1, 3: 5, 11: 1, 13: 6, 15: 1, 26: 1})
"""Task to results that are errors."""


@pytest.fixture(scope="module")
def raw() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(shared("taubench_airline.json").read_text())
    return found


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    judge = BrowserJudge()
    method = judge.method("checks")
    made = []
    for record in records(shared("taubench_airline.json")):
        case = one_case(record)
        evidence = judge.check(case)
        opinion: Any = method.step(case, evidence, {})
        made.append(conclude(judge, case, evidence, [opinion], method="checks"))
    return made


def test_every_finding_is_listed(verdicts: list[Verdict]) -> None:
    found = {
        str(v.case_id): [(f.kind, f.at["message"]) for f in v.findings]
        for v in verdicts
        if v.findings
    }
    assert found == FINDINGS


def test_calls_per_tool(raw: list[dict[str, Any]], verdicts: list[Verdict]) -> None:
    for one, verdict in zip(raw, verdicts, strict=True):
        called = [c["function"] for m in one["traj"] for c in m.get("tool_calls") or ()]
        assert verdict.details["tools"] == Counter(c["name"] for c in called)
        statuses = [c["arguments"] for c in verdict.details["calls"]]
        assert statuses == ["ok" if _is_object(c["arguments"]) else "malformed" for c in called]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def test_repeats_and_errors(raw: list[dict[str, Any]], verdicts: list[Verdict]) -> None:
    repeats = []
    errors: Counter[int] = Counter()
    for one, verdict in zip(raw, verdicts, strict=True):
        seen = set()
        own = 0
        for index, message in enumerate(one["traj"]):
            for call in message.get("tool_calls") or ():
                arguments = json.loads(call["function"]["arguments"])
                key = (call["function"]["name"], json.dumps(arguments, sort_keys=True))
                if key in seen:
                    repeats.append((one["task_id"], index))
                    own += 1
                seen.add(key)
            if message["role"] == "tool" and message["content"].startswith("Error"):
                errors[one["task_id"]] += 1
        assert verdict.details["repeated"] == own
        assert verdict.details["errors"] == errors[one["task_id"]]
    assert repeats == REPEATS
    assert errors == ERRORS


def test_what_was_visible_before_each_call(
    raw: list[dict[str, Any]], verdicts: list[Verdict]
) -> None:
    for one, verdict in zip(raw, verdicts, strict=True):
        for call in verdict.details["calls"]:
            before = one["traj"][: call["message"]]
            results = sum(m["role"] == "tool" for m in before)
            assert call["visible"] == {"messages": len(before), "results": results}


# -- the same conversations broken in one place: that place, and no other, is found


def _last_turn(one: dict[str, Any]) -> tuple[int, int]:
    """Start and end of the last turn in which the assistant speaks."""
    roles = [m["role"] for m in one["traj"]]
    end = max(i for i, role in enumerate(roles) if role != "user") + 1
    start = max(i for i in range(end) if roles[i] == "user") + 1
    return start, end


def test_cut_arguments_are_found_in_every_call(raw: list[dict[str, Any]]) -> None:
    checked = 0
    for one in raw:
        for index, message in enumerate(one["traj"]):
            if not message.get("tool_calls"):
                continue
            call = message["tool_calls"][0]
            cut = call["function"]["arguments"][:-1]
            broken = {**call, "function": {**call["function"], "arguments": cut}}
            traj = list(one["traj"])
            traj[index] = {**message, "tool_calls": [broken]}
            evidence = check({**one, "traj": traj})
            assert [(f.kind, f.at["message"]) for f in evidence.findings] == [
                ("malformed_arguments", index)
            ]
            start, end = _last_turn(one)
            # only the response is bounded; earlier turns are context
            bounded = any(b.rule == "malformed_arguments" for b in evidence.bounds)
            assert bounded == (start <= index < end)
            checked += 1
    assert checked == 181


READS = ("calculate", "get_", "list_", "search_")


def test_a_read_repeated_at_once_is_found(raw: list[dict[str, Any]]) -> None:
    found: Counter[tuple[bool, bool]] = Counter()
    for one in raw:
        traj = one["traj"]
        for index, message in enumerate(traj):
            if not message.get("tool_calls") or traj[index + 1]["content"].startswith("Error"):
                continue
            name = message["tool_calls"][0]["function"]["name"]
            call = {**message["tool_calls"][0], "id": "again"}
            pair = [{**message, "tool_calls": [call]}, {**traj[index + 1], "tool_call_id": "again"}]
            evidence = check({**one, "traj": [*traj[: index + 2], *pair, *traj[index + 2 :]]})
            assert kinds(evidence) in ([], ["duplicate_call"])
            found[name.startswith(READS), bool(evidence.findings)] += 1
    # what may change something each time is not called redundant
    assert found[False, True] == 0
    assert found[False, False] == 51
    # a read is, unless the user asked for one thing to be done again or confirmed
    assert found[True, True] >= 100
    assert found[True, False] <= 15


def test_a_result_left_out_and_one_given_twice(raw: list[dict[str, Any]]) -> None:
    for one in raw:
        traj = one["traj"]
        for index, message in enumerate(traj):
            if message["role"] != "tool":
                continue
            gone = check({**one, "traj": [*traj[:index], *traj[index + 1 :]]})
            assert "missing_result" in kinds(gone)
            twice = check({**one, "traj": [*traj[: index + 1], *traj[index:]]})
            assert kinds(twice).count("orphan_result") == 1
            break
