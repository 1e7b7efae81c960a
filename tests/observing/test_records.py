"""Whoever uses the library hears of it through Python's logging."""

import logging

import pytest

import adjudge
from adjudge.testing import MisbehavingEndpoint
from scripted import MODEL, by_number, unsettled


def judged(endpoint: MisbehavingEndpoint) -> None:
    cases = [unsettled(number) for number in range(2)]
    adjudge.judge("robot", cases, model=MODEL, base_url=endpoint.url)


def test_records_have_an_event_and_its_values(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="adjudge")
    with MisbehavingEndpoint(by_number) as endpoint:
        judged(endpoint)
    events = [record for record in caplog.records if hasattr(record, "event")]
    assert {record.name for record in events} == {"adjudge"}
    told = [(record.__dict__["event"], record.__dict__["fields"]) for record in events]
    names = [event for event, _ in told]
    assert sorted(names) == sorted(["question.sent", "question.answered", "verdict"] * 2)
    [first, second] = [fields for event, fields in told if event == "verdict"]
    assert {first["case_id"], second["case_id"]} == {"case-0", "case-1"}
    assert all("case_id=case-" in record.getMessage() for record in events)
    assert "shelf number" not in caplog.text
    assert "This was about" not in caplog.text


def test_nothing_is_recorded_for_nobody(caplog: pytest.LogCaptureFixture) -> None:
    with MisbehavingEndpoint(by_number) as endpoint:
        judged(endpoint)
    assert not caplog.records
