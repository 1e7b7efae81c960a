"""DeepEval traces: spans by kind, the messages in those of the model."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import CaseBuilder, as_text, listed, offered, parsed
from adjudge.judges.browser.readers.openai_responses import add_items


class DeepEvalReader:
    """One trace an object (``llmSpans``): the last model span's input and its output."""

    name = "deepeval"

    def detect(self, record: Record) -> bool:
        """Spans under DeepEval's names."""
        value = record.value
        return isinstance(value, dict) and "llmSpans" in value and "toolSpans" in value

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation."""
        value = record.value
        case_id = str(value["uuid"]) if value.get("uuid") else None
        spans = [s for s in listed(value["llmSpans"]) if isinstance(s, dict) and s.get("input")]
        if not spans:
            raise CaseError(
                "an LLM span with its input", field="llmSpans", found="none", case_id=case_id
            )
        last = max(spans, key=lambda span: str(span.get("startTime")))
        builder = CaseBuilder(self.name)
        given = last["input"]
        if isinstance(given, list):
            add_items(builder, given, "llmSpans[].input", case_id)
        else:
            builder.say("user", as_text(given))
        _answer(builder, last, case_id)
        builder.drop("earlier model calls, whose messages the last one holds", len(spans) - 1)
        builder.rest(value, {"uuid", "llmSpans", "input", "output"})
        yield builder.case(case_id, tools=_tools(last))


def _answer(builder: CaseBuilder, span: JsonObject, case_id: str | None) -> None:
    output = parsed(span.get("output"))
    if isinstance(output, dict) and "arguments" in output:
        add_items(builder, [output], "llmSpans[].output", case_id)
    elif output is not None:
        builder.say("assistant", as_text(output))


def _tools(span: JsonObject) -> list[JsonObject] | None:
    metadata = span.get("metadata")
    params = metadata.get("invocation_params") if isinstance(metadata, dict) else None
    return offered(params.get("tools")) if isinstance(params, dict) else None
