from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from adjudge.models.failures import failure, retry_after, unknown_part, usage_of

NOW = datetime(2026, 11, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "Retry-After": "3"}, 0.25),
        ({"retry-after-ms": "soon", "Retry-After": "3"}, 3.0),
        ({"Retry-After": "Thu, 05 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Thu, 05 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"Retry-After": "tomorrow"}, None),
        ({"Retry-After": "-4"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "1e9"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 520, 529])
def test_tried_again(status: int) -> None:
    assert failure(status, None, "", {}).retryable


@pytest.mark.parametrize("status", [300, 307, 400, 401, 402, 403, 404, 405, 413, 418, 422, 451])
def test_not_tried_again(status: int) -> None:
    assert not failure(status, None, "", {}).retryable


def of(status: int, error: Any) -> Any:
    body = {"error": error}
    return failure(status, body, json.dumps(body), {})


@pytest.mark.parametrize(
    "error",
    [
        {"code": "context_length_exceeded", "message": "too long"},
        {"message": "This model's maximum context length is 16384 tokens. However, you requested"},
        {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000"},
        {"message": "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000"},
        {"type": "exceed_context_size_error", "message": "request (3031 tokens) exceeds"},
        {"message": "The prompt is longer than the maximum model length of 4096"},
    ],
)
def test_too_long_for_the_context(error: Any) -> None:
    found = of(400, error)
    assert (found.status, found.retryable) == ("overflow", False)


@pytest.mark.parametrize(
    "error",
    [
        {"code": "content_filter", "message": "The response was filtered"},
        {"innererror": {"code": "ResponsibleAIPolicyViolation"}, "message": "no"},
        {"code": "invalid_prompt", "message": "flagged as potentially violating our usage policy"},
    ],
)
def test_refused_before_it_was_answered(error: Any) -> None:
    assert of(400, error).status == "refused"


@pytest.mark.parametrize(
    "error",
    [
        {"type": "insufficient_quota", "message": "You exceeded your current quota"},
        {"type": "rate_limit_error", "details": {"error_code": "enforced_spend_limit_reached"}},
    ],
)
def test_money_does_not_come_back_by_waiting(error: Any) -> None:
    assert not of(429, error).retryable


def test_a_status_inside_the_body_counts() -> None:
    found = failure(200, {"error": {"code": 503, "message": "upstream"}}, "", {})
    assert (found.http_status, found.retryable) == (503, True)
    assert found.reason == "http_503: upstream"


def test_the_words_are_cut() -> None:
    assert len(failure(400, None, "x" * 100_000, {}).reason) < 400


@pytest.mark.parametrize(
    ("error", "part"),
    [
        ({"message": "Invalid parameter: 'response_format' of type 'json_schema'"}, "schema"),
        ({"message": "output_config: Extra inputs are not permitted"}, "schema"),
        ({"message": "This response_format type is unavailable now"}, "schema"),
        ({"message": "`temperature` is deprecated for this model."}, "temperature"),
        ({"message": "Unsupported value", "param": "temperature"}, "temperature"),
        ({"message": "json_schema and temperature", "param": "seed"}, "seed"),
        (
            {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead"},
            "max_tokens",
        ),
        ({"message": "messages: at least one is needed"}, None),
    ],
)
def test_the_part_that_is_not_known(error: Any, part: str | None) -> None:
    raw = json.dumps({"error": error})
    assert unknown_part(400, raw) == part
    assert unknown_part(422, raw) == part
    assert unknown_part(500, raw) is None
    assert unknown_part(401, raw) is None


def test_no_part_is_read_from_a_body_that_is_no_json() -> None:
    assert unknown_part(400, "<html>temperature</html>") is None


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, (3, 4)),
        ({"input_tokens": 3, "cache_read_input_tokens": 10, "output_tokens": 4}, (13, 4)),
        ({"prompt_tokens": -3, "completion_tokens": "4"}, (0, 0)),
        ({"prompt_tokens": True, "completion_tokens": 2.5}, (0, 0)),
        ({"prompt_tokens": 10**30}, (0, 0)),
        ([], (0, 0)),
        (None, (0, 0)),
    ],
)
def test_usage(usage: Any, tokens: tuple[int, int]) -> None:
    found = usage_of(usage)
    assert (found.calls, found.input_tokens, found.output_tokens) == (1, *tokens)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 768}}, (900, 768, 0)),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 768}}, (9, 9, 0)),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": "all"}}, (9, 0, 0)),
        ({"prompt_tokens": 9, "prompt_tokens_details": None}, (9, 0, 0)),
        ({"input_tokens": 3, "cache_read_input_tokens": 10}, (13, 10, 0)),
        ({"input_tokens": 3, "cache_creation_input_tokens": 10}, (13, 0, 10)),
    ],
)
def test_tokens_of_the_prompt_cache_are_among_those_read(
    usage: Any, tokens: tuple[int, int, int]
) -> None:
    found = usage_of(usage)
    assert (found.input_tokens, found.cache_read_tokens, found.cache_write_tokens) == tokens
