"""Spans and events as OpenTelemetry's own SDK exports them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudge.testing import FAULTS, MisbehavingEndpoint
from adjudge.testing.fault import Fault
from scripted import MODEL, by_number, unsettled

KEY = "sk-planted/0123456789"
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
EVALUATION = "gen_ai.evaluation.result"


def exported(
    setup: str,
    cases: list[Any],
    fault: Fault | None = None,
    *,
    asking: bool = True,
    environment: Mapping[str, str] = {},
) -> dict[str, Any]:
    """What the user's program exports, and ``server`` where it asked."""
    with MisbehavingEndpoint(by_number, fault=fault) as endpoint:
        how = {"model": MODEL, "base_url": endpoint.url, "seed": 7}
        given = {"judge": "robot", "cases": cases, "asking": how if asking else {}}
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("traced.py")), setup],
            input=json.dumps(given),
            env={**os.environ, "ADJUDGE_API_KEY": KEY, **environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        host, port = endpoint.url.split("/")[2].split(":")
        return {**found, "server": (host, int(port)), "text": done.stdout}


def named(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [span for span in found["spans"] if span["name"] == name]


def test_questions_are_spans_and_scores_are_events_of_the_genai_conventions() -> None:
    found = exported("traces+logs", [unsettled(3)])
    [own], [case], [chat] = (
        named(found, name) for name in ("the user's own", "evaluate robot", "chat any")
    )
    assert case["parent"] == own["id"]
    assert chat["parent"] == case["id"]
    assert chat["kind"] == "CLIENT"
    assert chat["status"] == "UNSET"
    attributes = chat["attributes"]
    host, port = found["server"]
    assert len(attributes.pop("adjudge.question")) == 64
    assert attributes.pop("gen_ai.usage.input_tokens") > 0
    assert attributes.pop("gen_ai.usage.output_tokens") > 0
    assert attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai-compatible",
        "gen_ai.request.model": "any",
        "gen_ai.request.temperature": 0.0,
        "gen_ai.request.seed": 7,
        "gen_ai.output.type": "json",
        "gen_ai.response.finish_reasons": ["stop"],
        "server.address": host,
        "server.port": port,
        "adjudge.attempts": 1,
        "adjudge.reply.status": "ok",
    }
    [event] = found["records"]
    assert event["name"] == EVALUATION
    assert event["span"] == case["id"]
    assert event["body"] is None
    assert event["attributes"] == {
        "gen_ai.evaluation.name": "robot.score",
        "gen_ai.evaluation.score.value": 3.0,
        "gen_ai.evaluation.score.label": "pass",
        "adjudge.dimension": "score",
        "adjudge.judge": "robot",
        "adjudge.method": "llm",
        "adjudge.case.id": "case-3",
        "adjudge.case.position": 0,
    }
    for words in (KEY, "shelf number", "This was about", "navigate"):
        assert words not in found["text"]


def test_without_log_records_scores_are_events_of_the_case_s_span() -> None:
    found = exported("traces", [unsettled(1)], asking=False)
    [case] = named(found, "evaluate robot")
    [event] = case["events"]
    assert event["name"] == EVALUATION
    assert event["attributes"]["gen_ai.evaluation.name"] == "robot"
    assert event["attributes"]["error.type"] == "goal_unknown"
    assert not found["records"]


@pytest.mark.parametrize("fault", ["unauthorized", "server_error_once"])
def test_attempts_are_one_span_and_its_error_is_named(fault: str) -> None:
    found = exported("traces", [unsettled(1)], FAULTS[fault])
    [chat] = named(found, "chat any")
    [case] = named(found, "evaluate robot")
    if fault == "unauthorized":
        assert chat["attributes"]["error.type"] == "401"
        assert chat["status"] == case["status"] == "ERROR"
        assert "gen_ai.response.finish_reasons" not in chat["attributes"]
    else:
        assert chat["attributes"]["adjudge.attempts"] == 2
        assert "error.type" not in chat["attributes"]
        assert chat["status"] == "UNSET"
    assert KEY not in found["text"]


def test_content_is_told_where_the_usual_variable_asks_for_it() -> None:
    found = exported("traces+logs", [unsettled(2)], environment={CAPTURE: "true"})
    [chat] = named(found, "chat any")
    [asked] = json.loads(chat["attributes"]["gen_ai.input.messages"])
    assert asked["role"] == "user"
    assert "shelf number 2" in asked["parts"][0]["content"]
    assert json.loads(chat["attributes"]["gen_ai.system_instructions"])[0]["type"] == "text"
    [answer] = json.loads(chat["attributes"]["gen_ai.output.messages"])
    assert answer["finish_reason"] == "stop"
    assert "This was about 2." in answer["parts"][0]["content"]
    [event] = found["records"]
    assert "This was about 2." in event["attributes"]["gen_ai.evaluation.explanation"]
    assert KEY not in found["text"]

    on_spans = exported("logs", [unsettled(2)], environment={CAPTURE: "span_only"})
    [event] = on_spans["records"]
    assert "gen_ai.evaluation.explanation" not in event["attributes"]
