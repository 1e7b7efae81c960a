"""Requests as they stand in batch files, and results as they come back, in both formats."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from adjudge.contract import Message
from adjudge.models import BATCH_FORMATS, PROVIDERS, ModelFailure, ModelRequest, Sampling, form_of


class Mark(BaseModel):
    score: int


REQUEST = ModelRequest(
    (Message(role="system", content="Be strict."), Message(role="user", content="Ünd?")),
    form_of(Mark),
    Sampling(max_tokens=50),
)
ANSWER = {
    "openai": {
        "choices": [{"message": {"content": '{"score": 3}'}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 4},
    },
    "anthropic": {
        "content": [{"type": "text", "text": '{"score": 3}'}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 9, "output_tokens": 4},
    },
}


@pytest.mark.parametrize("provider", BATCH_FORMATS)
def test_the_body_in_a_file_is_the_one_that_is_sent(provider: str) -> None:
    form, dialect = BATCH_FORMATS[provider], PROVIDERS[provider].dialect
    body = dialect.body("m", REQUEST, ())
    line = form.request("k" * 64, body, dialect.path)
    if provider == "anthropic":
        assert line == {"custom_id": "k" * 64, "params": body}
    else:
        assert line == {
            "custom_id": "k" * 64,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": body,
        }


def line_of(provider: str, status: int, body: Any) -> dict[str, Any]:
    if provider == "openai":
        return {"custom_id": "a", "response": {"status_code": status, "body": body}, "error": None}
    kind = "succeeded" if status == 200 else "errored"
    return {"custom_id": "a", "result": {"type": kind, "message": body, "error": body}}


@pytest.mark.parametrize("provider", ANSWER)
def test_an_answer_is_read_as_over_http(provider: str) -> None:
    body = ANSWER[provider]
    result = BATCH_FORMATS[provider].result(line_of(provider, 200, body))
    assert result is not None
    assert (result.custom_id, result.errored) == ("a", False)
    response = result.response(PROVIDERS[provider].dialect)
    assert response.text == '{"score": 3}'
    assert (response.usage.calls, response.usage.input_tokens) == (1, 9)
    assert json.loads(response.raw or "") == body


@pytest.mark.parametrize(
    ("provider", "line", "status", "reason"),
    [
        (
            "openai",
            {"response": None, "error": {"code": "batch_expired", "message": "Too\nlate."}},
            "error",
            "batch: batch_expired: Too late.",
        ),
        ("openai", {"response": None, "error": {}}, "error", "batch: failed"),
        (
            "openai",
            {"response": {"status_code": 429, "body": {"error": {"message": "Slow down"}}}},
            "error",
            "http_429: Slow down",
        ),
        (  # vLLM says it beside the response
            "openai",
            {"response": {"status_code": 400, "body": None}, "error": {"message": "max_model_len"}},
            "overflow",
            "http_400: max_model_len",
        ),
        ("openai", {"response": {"status_code": 200, "body": "?"}}, "error", "bad_body"),
        ("anthropic", {"result": {"type": "expired"}}, "error", "batch: expired"),
        ("anthropic", {"result": {"type": "canceled"}}, "error", "batch: canceled"),
        ("anthropic", {"result": {"type": "succeeded"}}, "error", "bad_body"),
        (
            "anthropic",
            {
                "result": {
                    "type": "errored",
                    "error": {"type": "error", "error": {"type": "overloaded_error"}},
                }
            },
            "error",
            "http_529",
        ),
        (  # an older way to write it
            "anthropic",
            {
                "result": {
                    "type": "errored",
                    "error": {"type": "invalid_request", "message": "prompt is too long: 9 > 8"},
                }
            },
            "overflow",
            "http_400: prompt is too long",
        ),
    ],
)
def test_an_error_is_a_failure_with_its_reason(
    provider: str, line: dict[str, Any], status: str, reason: str
) -> None:
    result = BATCH_FORMATS[provider].result({"custom_id": "a", **line})
    assert result is not None
    with pytest.raises(ModelFailure) as failed:
        result.response(PROVIDERS[provider].dialect)
    assert failed.value.status == status
    assert failed.value.reason.startswith(reason)
    assert result.errored == ("bad_body" not in reason)


@pytest.mark.parametrize(
    "line", [{}, {"custom_id": 7, "response": {}}, {"custom_id": "a"}, {"response": {}}]
)
def test_what_is_no_result_is_none(line: dict[str, Any]) -> None:
    assert all(form.result(line) is None for form in BATCH_FORMATS.values())


def test_the_limits_are_those_of_the_providers() -> None:
    limits = {name: (f.limits.requests, f.limits.size) for name, f in BATCH_FORMATS.items()}
    assert limits["openai"] == (50_000, 200_000_000)
    assert limits["anthropic"] == (100_000, 256_000_000)


_ODD: list[Any] = [None, True, 0, -1, 1.5, "", "x", "200", [], [1], [{}], [None], {}, {"detail": 1}]
_ODD += [{"error": {}}, {"error": "x"}, {"content": []}, [{"type": "text", "text": 7}]]
_ODD += [[{"message": {"content": [{"type": "refusal"}]}}], [{"message": 3}]]
_JSON = st.sampled_from(_ODD)
_LINE = st.fixed_dictionaries(
    {"custom_id": st.just("a")},
    optional={
        "response": _JSON
        | st.fixed_dictionaries({"status_code": st.just(200) | _JSON, "body": _JSON})
        | st.fixed_dictionaries(
            {"body": st.fixed_dictionaries({"choices": _JSON, "usage": _JSON})}
        ),
        "error": _JSON | st.fixed_dictionaries({"code": _JSON, "message": _JSON}),
        "result": _JSON
        | st.fixed_dictionaries(
            {
                "type": st.sampled_from(["succeeded", "errored", "expired", "?"]),
                "message": _JSON | st.fixed_dictionaries({"content": _JSON}),
                "error": _JSON | st.fixed_dictionaries({"type": _JSON, "message": _JSON}),
            }
        ),
    },
)


@settings(deadline=None)
@given(_LINE, st.sampled_from(sorted(BATCH_FORMATS)))
def test_whatever_stands_in_a_line_is_a_response_or_a_failure(
    line: dict[str, Any], provider: str
) -> None:
    result = BATCH_FORMATS[provider].result(line)
    if result is None:
        return
    with contextlib.suppress(ModelFailure):
        response = result.response(PROVIDERS[provider].dialect)
        assert isinstance(response.text, str)
        assert not result.errored
