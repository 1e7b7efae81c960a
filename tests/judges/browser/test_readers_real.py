"""Every real file is read by detection, and its counts are those of the raw JSON."""

from __future__ import annotations

import copy
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudge.contract import CaseError
from adjudge.judges.browser.case import BrowserCase
from browser_reading import counts, folder, read, records, shared

Counted = tuple[int, int, int]


def _messages(listed: list[dict[str, Any]]) -> Counted:
    return (
        len(listed),
        sum(len(m.get("tool_calls") or ()) for m in listed),
        sum(m["role"] == "tool" for m in listed),
    )


def _atif(value: Any) -> Counted:
    steps = value["steps"]
    observed = [s["observation"]["results"] for s in steps if s.get("observation")]
    calls = sum(len(s.get("tool_calls") or ()) for s in steps)
    return len(steps) + len(observed), calls, sum(map(len, observed))


def _who_and_when(value: Any) -> Counted:
    history = value["history"]
    spoke_first = any(e["role"] == "human" for e in history)
    answers = sum(e.get("name") == "Computer_terminal" for e in history)
    return len(history) + (not spoke_first), 0, answers


def _webvoyager(value: Any) -> Counted:
    said = [m["content"] for m in value if m["role"] == "assistant"]
    actions = sum("Action: ANSWER" not in text for text in said)
    seen = sum("Observation" in str(m["content"]) for m in value if m["role"] == "user")
    return len(value), actions, seen - 1  # the first stands in the task


def _inspect(value: Any) -> Counted:
    return _messages(value["samples"][0]["messages"])


def _deepeval(value: Any) -> Counted:
    last = sorted(value["llmSpans"], key=lambda span: str(span["startTime"]))[-1]
    given = last["input"]
    calls = sum("arguments" in item for item in given)
    results = sum("output" in item for item in given)
    return len(given) + 1, calls, results


TRACES: dict[str, tuple[str, Callable[[Any], Counted]]] = {
    "traces/atif_multi_tool.json": ("atif", _atif),
    "traces/atif_harbor_openhands.json": ("atif", _atif),
    "traces/inspect_evallog_browser.json": ("inspect", _inspect),
    "traces/deepeval_openai_agents_run.json": ("deepeval", _deepeval),
    # a recorded question about the weather, answered by words and one call
    "traces/bedrock_anthropic_tool_stream.json": ("bedrock", lambda value: (2, 1, 0)),
    # a greeting and its answer
    "traces/langsmith_wrap_openai.json": ("langsmith", lambda value: (2, 0, 0)),
}


@pytest.mark.parametrize("name", TRACES)
def test_traces(name: str) -> None:
    path = shared(*name.split("/"))
    expected, count = TRACES[name]
    [record] = records(path)
    reader, [case] = read(record)
    assert reader == expected
    assert counts(case) == count(json.loads(path.read_text()))


def test_taubench() -> None:
    path = shared("taubench_airline.json")
    raw = json.loads(path.read_text())
    found = records(path)
    assert len(found) == len(raw) == 30
    for record, one in zip(found, raw, strict=True):
        reader, [case] = read(record)
        assert reader == "taubench"
        assert counts(case) == _messages(one["traj"])
        assert case.label == {"reward": one["reward"]}
        # the user's closing word comes after the response
        assert case.messages[case.response_to - 1].role != "user"
        assert all(m.role in ("assistant", "tool") for m in case.response)


def test_who_and_when() -> None:
    paths = list(folder("who_and_when"))
    assert len(paths) == 20
    for path in paths:
        raw = json.loads(path.read_text())
        reader, [case] = read(records(path)[0])
        assert reader == "who-and-when"
        assert counts(case) == _who_and_when(raw)
        assert case.label["mistake_agent"] == raw["mistake_agent"]


def test_webvoyager() -> None:
    paths = [path for path in folder("webvoyager") if path.name.startswith("task")]
    assert len(paths) == 15
    for path in paths:
        [record] = records(path)  # the array of messages is one record
        reader, [case] = read(record)
        assert reader == "webvoyager"
        assert counts(case) == _webvoyager(json.loads(path.read_text()))
        assert case.response[-1].text
        assert any(drop.what == "screenshots" for drop in case.drops)


def test_files_without_a_conversation_are_named_for_what_they_lack() -> None:
    scenarios = list(folder("firefox_auto-chat"))
    assert len(scenarios) == 12
    for path in [*scenarios, shared("webvoyager", "reference_answer.json")]:
        for record in records(path):
            reader, [error] = read(record)
            assert reader == "plain"
            assert isinstance(error, CaseError)
            assert error.field == "conversation"
            assert "an object with" in error.found


def test_bfcl_questions_lack_a_response() -> None:
    for record in records(shared("bfcl", "BFCL_v4_multi_turn_base.first40.jsonl"))[:5]:
        _, [error] = read(record)
        assert isinstance(error, CaseError)


def test_reading_changes_nothing() -> None:
    paths = [shared(*name.split("/")) for name in TRACES]
    paths += [shared("taubench_airline.json"), *list(folder("webvoyager"))[1:4]]
    for path in paths:
        for record in records(path):
            before = copy.deepcopy(record.value)
            read(record)
            assert record.value == before


def test_what_was_read_can_be_read_again() -> None:
    for name in TRACES:
        _, [case] = read(records(shared(*name.split("/")))[0])
        reader, [again] = read(case.model_dump(mode="json"))
        assert reader == "canonical"
        assert again == case


def test_an_inspect_archive_is_read_like_the_log(tmp_path: Path) -> None:
    log = json.loads(shared("traces", "inspect_evallog_browser.json").read_text())
    sample = log.pop("samples")[0]
    archive = tmp_path / "log.eval"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", json.dumps(log))
        made.writestr("summaries.json", "[]")
        for epoch in (1, 2):
            made.writestr(f"samples/1_epoch_{epoch}.json", json.dumps({**sample, "epoch": epoch}))
    found = records(archive)
    assert [record.file.removeprefix(str(archive)) for record in found] == [
        "/samples/1_epoch_1.json",
        "/samples/1_epoch_2.json",
    ]
    cases = [read(record)[1][0] for record in found]
    assert [case.id for case in cases] == ["browser-1-1", "browser-1-2"]
    for case in cases:
        assert isinstance(case, BrowserCase)
        assert counts(case) == _messages(sample["messages"])
        assert {tool.name for tool in case.tools or ()} >= {"web_browser_go"}
