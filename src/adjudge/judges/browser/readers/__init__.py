"""Formats that conversations come in, the most particular first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudge.contract import Reader
from adjudge.judges.browser.readers.anthropic import AnthropicReader
from adjudge.judges.browser.readers.atif import AtifReader
from adjudge.judges.browser.readers.bedrock import BedrockReader
from adjudge.judges.browser.readers.browser_use import BrowserUseReader
from adjudge.judges.browser.readers.canonical import CanonicalReader
from adjudge.judges.browser.readers.deepeval import DeepEvalReader
from adjudge.judges.browser.readers.inspect_log import InspectReader
from adjudge.judges.browser.readers.langsmith import LangSmithReader
from adjudge.judges.browser.readers.openai_chat import OpenAIChatReader, to_openai
from adjudge.judges.browser.readers.openai_responses import OpenAIResponsesReader
from adjudge.judges.browser.readers.openinference import OpenInferenceReader
from adjudge.judges.browser.readers.otel import OTelReader
from adjudge.judges.browser.readers.plain import PlainReader
from adjudge.judges.browser.readers.smart_window import SmartWindowReader
from adjudge.judges.browser.readers.taubench import TauBenchReader
from adjudge.judges.browser.readers.webvoyager import WebVoyagerReader
from adjudge.judges.browser.readers.who_and_when import WhoAndWhenReader

__all__ = ["READERS", "is_part", "to_openai"]

READERS: Mapping[str, Reader] = {
    reader.name: reader
    for reader in (
        CanonicalReader(),
        SmartWindowReader(),
        TauBenchReader(),
        AtifReader(),
        InspectReader(),
        WhoAndWhenReader(),
        BrowserUseReader(),
        DeepEvalReader(),
        LangSmithReader(),
        OpenInferenceReader(),
        OTelReader(),
        BedrockReader(),
        AnthropicReader(),
        OpenAIResponsesReader(),
        WebVoyagerReader(),
        OpenAIChatReader(),
        PlainReader(),
    )
}

_SPAN = ("span_id", "spanId", "context", "traceId", "trace_id")
_ITEM = ("function_call", "function_call_output", "reasoning", "message")


def is_part(value: Any) -> bool:
    """Whether an element of a JSON array is a part of one conversation: a message, item or span.

    Such an array is one record; any other holds a record an element.

    >>> is_part({"role": "user", "content": "hi"}), is_part({"conversation": []})
    (True, False)
    """
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("role"), str) and not {"conversation", "messages"} & value.keys():
        return True
    if value.get("type") in _ITEM:
        return True
    if "attributes" in value and any(name in value for name in _SPAN):
        return True
    return "run_type" in value and "trace_id" in value
