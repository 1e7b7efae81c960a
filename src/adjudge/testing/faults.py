"""The faults, as a table: how an endpoint can misbehave, by name."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from adjudge.contract import JsonObject
from adjudge.testing.fault import FOREVER, Answer, Error, Fault, Play
from adjudge.testing.wire import asks_for_schema, dumps

_HTML = "<html><body><h1>502 Bad Gateway</h1></body></html>"


def _with(value: Any) -> Callable[[Answer], str]:
    """The answer with ``value`` for its first number."""

    def text(answer: Answer) -> str:
        return dumps({**answer, _number(answer): value})

    return text


def _number(answer: Answer) -> str:
    for name, value in answer.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            return name
    return next(iter(answer), "score")


def _words(answer: Answer) -> str:
    return next((name for name, value in answer.items() if isinstance(value, str)), "text")


def _twice(answer: Answer) -> str:
    return f"First thought: {dumps({**answer, _number(answer): 0})}\nBut no: {dumps(answer)}"


def _key_twice(answer: Answer) -> str:
    name = json.dumps(_number(answer))
    return dumps(answer)[:-1] + f", {name}: 0}}"


def _commented(answer: Answer) -> str:
    fields = [f"  {json.dumps(name)}: {dumps(value)}" for name, value in answer.items()]
    return "{ // the judgement\n" + ", /* as asked */\n".join(fields) + "\n}"


def _soon() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)


def _wait(**headers: str | Callable[[], str]) -> Play:
    error = Error("Rate limit reached", "rate_limit_error", "rate_limit_exceeded")
    return Play(
        429, {name.replace("_", "-"): value for name, value in headers.items()}, error=error
    )


def _fails(status: int, words: str, kind: str = "api_error", code: str | None = None) -> Play:
    return Play(status, error=Error(words, kind, code))


def _says(text: Callable[[Answer], str], **more: Any) -> Play:
    return Play(text=text, **more)


FAULTS: Mapping[str, Fault] = {
    fault.name: fault
    for fault in (
        # refused for now
        Fault("rate_limit", "429 twice, without Retry-After", _wait(), 2),
        Fault("rate_limit_seconds", "429 once, Retry-After: 2", _wait(Retry_After="2"), 1),
        Fault(
            "rate_limit_date",
            "429 once, Retry-After: an HTTP date",
            _wait(Retry_After=_soon),
            1,
        ),
        Fault("rate_limit_ms", "429 once, retry-after-ms: 1500", _wait(retry_after_ms="1500"), 1),
        Fault("rate_limit_forever", "429 at every request", _wait()),
        Fault("rate_limit_day", "429, Retry-After: 86400", _wait(Retry_After="86400")),
        Fault(
            "no_credit",
            "429 because the money is spent",
            _fails(429, "You exceeded your current quota", "insufficient_quota"),
        ),
        Fault("timeout_408", "408 once", _fails(408, "Request timeout"), 1),
        Fault("conflict_409", "409 once", _fails(409, "Conflict"), 1),
        Fault("too_early_425", "425 once", _fails(425, "Too early"), 1),
        Fault("server_error_once", "500 once", _fails(500, "Internal error"), 1),
        Fault("server_error", "500 at every request", _fails(500, "Internal error")),
        Fault("overloaded", "529 once", _fails(529, "Overloaded", "overloaded_error"), 1),
        Fault("bad_gateway", "502 with a page of HTML", Play(502, body=_HTML)),
        # refused for good
        Fault("bad_request", "400", _fails(400, "messages: at least one is needed")),
        Fault("unauthorized", "401 that quotes the key", Play(401, error=Error("Bad key {key}"))),
        Fault("forbidden", "403", _fails(403, "Not for you", "permission_error")),
        Fault("not_found", "404", _fails(404, "No such model", "not_found_error")),
        Fault("redirect", "307 to somewhere else", Play(307, {"Location": "/elsewhere"}, body="")),
        Fault(
            "too_large",
            "413",
            _fails(413, "Request exceeds the maximum size", "request_too_large"),
        ),
        Fault(
            "context_overflow",
            "400: the prompt is longer than the context",
            _fails(
                400,
                "prompt is too long: this model's maximum context length is 8192 tokens",
                "invalid_request_error",
                "context_length_exceeded",
            ),
        ),
        Fault(
            "prompt_filter",
            "400: the prompt was filtered",
            _fails(400, "The prompt triggered the filter", "invalid_request", "content_filter"),
            dialects=("openai",),
        ),
        Fault(
            "schema_refused",
            "400 that names the schema parameter, whenever it is there",
            Play(
                400,
                error=Error("response_format / output_config: json_schema is not supported here"),
            ),
            when=asks_for_schema,
        ),
        Fault(
            "temperature_refused",
            "400 that names the temperature, whenever it is there",
            Play(400, error=Error("`temperature` is deprecated for this model.")),
            when=lambda body: "temperature" in body,
        ),
        # answered, but not with a reply
        Fault(
            "error_body",
            "200 with an error body",
            Play(error=Error("The upstream model failed", "api_error")),
        ),
        Fault(
            "error_body_429",
            "200 with an error body that holds a 429, once",
            Play(error=Error("Rate limited upstream", "rate_limit_error", 429)),
            1,
            dialects=("openai",),
        ),
        Fault("html_200", "200 with a page of HTML", Play(body=_HTML.replace("502", "200"))),
        Fault("empty_body", "200 with nothing", Play(body="")),
        Fault("cut_json", "200 with half the JSON", Play(spoil=lambda raw: raw[: len(raw) // 2])),
        Fault(
            "empty_choices",
            "200 with no choices (no content)",
            Play(edit=lambda body: {**body, "choices": [], "content": []}),
        ),
        Fault(
            "no_message",
            "200 with a choice that is null",
            Play(edit=lambda body: {**body, "choices": [None], "content": None}),
        ),
        Fault(
            "bad_usage",
            "usage that is no usage",
            Play(edit=lambda body: {**body, "usage": {"prompt_tokens": -3, "input_tokens": "7"}}),
        ),
        Fault(
            "invalid_utf8",
            "a byte in the text that is no UTF-8",
            _says(lambda a: dumps({**a, _words(a): f"{a.get(_words(a))}\udcff"})),
        ),
        # the connection
        Fault("hang_up", "closed before the headers, once", Play(cut="before"), 1),
        Fault("hang_up_always", "closed before the headers", Play(cut="before")),
        Fault("cut_body", "reset in the middle of the body, once", Play(cut="within"), 1),
        Fault(
            "half_closed", "shut on one side in the middle of the body, once", Play(cut="half"), 1
        ),
        Fault("slow_headers", "headers that never come", Play(before=FOREVER), slow=True),
        Fault("slow_body", "a body that stops half way", Play(within=FOREVER), slow=True),
        # refused by the model
        Fault(
            "refusal", "a refusal in the dialect's own field", Play(refusal="I won't judge this.")
        ),
        Fault(
            "refusal_part",
            "a refusal as a part of the content",
            Play(refusal="I won't judge this.", as_parts=True),
            dialects=("openai",),
        ),
        Fault(
            "refusal_text",
            "a refusal in plain words",
            _says(lambda _: "I'm sorry, but I can't help with that."),
        ),
        Fault(
            "content_filter", "stopped by the content filter", _says(lambda _: "", finish="refusal")
        ),
        # cut short
        Fault("length", "the token limit reached, the text parses", _says(dumps, finish="length")),
        Fault(
            "length_cut",
            "the token limit reached in mid-word",
            _says(lambda a: dumps(a)[:-8], finish="length"),
        ),
        Fault(
            "length_reasoning",
            "the token limit reached while reasoning",
            _says(lambda _: "", finish="length", reasoning="Let me see."),
        ),
        Fault("cut_silently", "text cut, yet said to be complete", _says(lambda a: dumps(a)[:-8])),
        # values that are none
        Fault("nan", "NaN for the number", _says(_with(math.nan))),
        Fault("infinity", "Infinity for the number", _says(_with(math.inf))),
        Fault(
            "huge", "1e999 for the number", _says(lambda a: _with("@")(a).replace('"@"', "1e999"))
        ),
        Fault("out_of_range", "400 for the number", _says(_with(400))),
        Fault("negative", "-7 for the number", _says(_with(-7))),
        Fault("fraction", "a fraction for the integer", _says(_with(2.5))),
        Fault("string_number", "a string for the number", _says(_with("4"))),
        Fault("bool_number", "true for the number", _says(_with(True))),
        Fault("null", "null for the number", _says(_with(None))),
        Fault(
            "missing",
            "a field left out",
            _says(lambda a: dumps({k: v for k, v in a.items() if k != _number(a)})),
        ),
        Fault(
            "echo",
            "the form's own placeholder",
            _says(lambda a: dumps({**a, _words(a): "<one sentence>"})),
        ),
        Fault(
            "echo_schema",
            "the schema itself for an answer",
            _says(lambda a: dumps({"type": "object", "properties": {name: {} for name in a}})),
        ),
        # JSON that is hard to find
        Fault(
            "fence",
            "a fenced block amid words",
            _says(lambda a: f"Here you are:\n```json\n{dumps(a)}\n```\nBye."),
        ),
        Fault(
            "prose",
            "words around the object",
            _says(lambda a: f"Sure {{as asked}}: {dumps(a)} Anything else?"),
        ),
        Fault("comments", "comments in the object", _says(_commented)),
        Fault(
            "trailing_commas",
            "a comma after the last field",
            _says(lambda a: dumps(a)[:-1] + ",\n}"),
        ),
        Fault("single_quotes", "Python instead of JSON", _says(repr)),
        Fault("two_objects", "two objects, the first with another number", _says(_twice)),
        Fault("key_twice", "one key twice, with two values", _says(_key_twice)),
        Fault(
            "reasoning_block",
            "a reasoning block with a draft before the object",
            _says(lambda a: f"<think>{_with(0)(a)} or so?</think>\n{dumps(a)}"),
        ),
        Fault(
            "reasoning_only",
            "a reasoning block that never ends",
            _says(lambda a: f"<think>{dumps(a)} or"),
        ),
        Fault(
            "reasoning_part",
            "reasoning in a part of its own",
            _says(dumps, reasoning="Let me see.", as_parts=True),
        ),
        Fault("list", "a list instead of an object", _says(lambda a: dumps(list(a.values())))),
        Fault("words", "no JSON at all", _says(lambda _: "The robot did rather well.")),
        Fault("empty_text", "an empty text", Play(edit=lambda body: _emptied(body))),
        Fault(
            "words_once",
            "no JSON at first, a good answer when told",
            _says(lambda _: "Rather well."),
            1,
        ),
    )
}


def _emptied(body: JsonObject) -> JsonObject:
    """A reply whose text is blank; the dialects know no other way to say nothing."""
    if "content" in body:
        return {**body, "content": [{"type": "text", "text": " "}]}
    message = {"role": "assistant", "content": " "}
    return {**body, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
