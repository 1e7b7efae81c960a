"""One short browsing conversation in each format that has no real file to read.

In all of them a user asks about their open tab, the assistant lists the tabs, reads the page, and
answers: four messages or so, two calls, two results.
"""

from __future__ import annotations

import json
from typing import Any

QUESTION = "What does my open tab say about returns?"
ANSWER = "Returns are free for 30 days."
TABS = json.dumps([{"url": "https://shop.example/returns", "title": "Returns", "active": True}])
PAGE = "Returns are free for 30 days after delivery."
URL = {"url": "https://shop.example/returns"}

OPENAI_RESPONSES: Any = [
    {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]},
    {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "Look."}]},
    {"type": "function_call", "call_id": "c1", "name": "get_tabs", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": TABS},
    {
        "type": "function_call",
        "call_id": "c2",
        "name": "get_page_contents",
        "arguments": json.dumps(URL),
    },
    {"type": "function_call_output", "call_id": "c2", "output": PAGE},
    {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "status": "completed",
        "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
    },
]

ANTHROPIC: Any = {
    "system": "You help beside the browser.",
    "tools": [{"name": "get_tabs", "description": "Tabs.", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": QUESTION},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look.", "signature": "s"},
                {"type": "tool_use", "id": "c1", "name": "get_tabs", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": TABS}],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Reading it."},
                {"type": "tool_use", "id": "c2", "name": "get_page_contents", "input": URL},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c2",
                    "content": [{"type": "text", "text": PAGE}],
                }
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    ],
}

_OTEL_INPUT = [
    {"role": "user", "parts": [{"type": "text", "content": QUESTION}]},
    {
        "role": "assistant",
        "parts": [
            {"type": "reasoning", "content": "Look."},
            {"type": "tool_call", "id": "c1", "name": "get_tabs", "arguments": {}},
        ],
    },
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": TABS}]},
    {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c2", "name": "get_page_contents", "arguments": URL}],
    },
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c2", "response": PAGE}]},
]
_OTEL_OUTPUT = [
    {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}], "finish_reason": "stop"}
]
_TOOLS = [{"type": "function", "function": {"name": "get_tabs", "parameters": {"type": "object"}}}]

OTEL_SPANS: Any = [
    {
        "name": "chat m",
        "context": {"trace_id": "t1", "span_id": "a"},
        "start_time": "2026-01-01T00:00:00Z",
        "attributes": {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": json.dumps(_OTEL_INPUT[:1]),
            "gen_ai.output.messages": json.dumps(_OTEL_INPUT[1:2]),
        },
    },
    {
        "name": "chat m",
        "context": {"trace_id": "t1", "span_id": "b"},
        "start_time": "2026-01-01T00:00:09Z",
        "attributes": {
            "gen_ai.operation.name": "chat",
            "gen_ai.conversation.id": "talk-1",
            "gen_ai.input.messages": _OTEL_INPUT,
            "gen_ai.output.messages": _OTEL_OUTPUT,
            "gen_ai.tool.definitions": json.dumps(_TOOLS),
        },
    },
]

OTLP: Any = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "traceId": "t1",
                            "spanId": "b",
                            "name": "chat m",
                            "startTimeUnixNano": "1700000000000000000",
                            "attributes": [
                                {
                                    "key": "gen_ai.input.messages",
                                    "value": {"stringValue": json.dumps(_OTEL_INPUT)},
                                },
                                {
                                    "key": "gen_ai.output.messages",
                                    "value": {"stringValue": json.dumps(_OTEL_OUTPUT)},
                                },
                            ],
                        }
                    ]
                }
            ]
        }
    ]
}


def _event(name: str, **attributes: Any) -> dict[str, Any]:
    return {"name": name, "attributes": attributes}


def _old_call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


OTEL_EVENTS: Any = {
    "name": "chat m",
    "context": {"trace_id": "t1", "span_id": "b"},
    "attributes": {"gen_ai.system": "openai"},
    "events": [
        _event("gen_ai.user.message", content=QUESTION),
        _event(
            "gen_ai.assistant.message",
            tool_calls=json.dumps([_old_call("c1", "get_tabs", "{}")]),
        ),
        _event("gen_ai.tool.message", content=TABS, id="c1"),
        _event(
            "gen_ai.assistant.message",
            tool_calls=json.dumps([_old_call("c2", "get_page_contents", json.dumps(URL))]),
        ),
        _event("gen_ai.tool.message", content=PAGE, id="c2"),
        _event(
            "gen_ai.choice", message=json.dumps({"role": "assistant", "content": ANSWER}), index=0
        ),
    ],
}

_FLAT = {
    "openinference.span.kind": "LLM",
    "session.id": "talk-1",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": QUESTION,
    "llm.input_messages.1.message.role": "assistant",
    "llm.input_messages.1.message.tool_calls.0.tool_call.id": "c1",
    "llm.input_messages.1.message.tool_calls.0.tool_call.function.name": "get_tabs",
    "llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments": "{}",
    "llm.input_messages.2.message.role": "tool",
    "llm.input_messages.2.message.tool_call_id": "c1",
    "llm.input_messages.2.message.content": TABS,
    "llm.input_messages.3.message.role": "assistant",
    "llm.input_messages.3.message.tool_calls.0.tool_call.id": "c2",
    "llm.input_messages.3.message.tool_calls.0.tool_call.function.name": "get_page_contents",
    "llm.input_messages.3.message.tool_calls.0.tool_call.function.arguments": json.dumps(URL),
    "llm.input_messages.4.message.role": "tool",
    "llm.input_messages.4.message.tool_call_id": "c2",
    "llm.input_messages.4.message.contents.0.message_content.type": "text",
    "llm.input_messages.4.message.contents.0.message_content.text": PAGE,
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": ANSWER,
    "llm.tools.0.tool.json_schema": json.dumps(_TOOLS[0]),
    "annotations.0.annotation.name": "helpful",
    "annotations.0.annotation.score": 1,
}
OPENINFERENCE: Any = [
    {
        "name": "ChatCompletion",
        "context": {"trace_id": "t1", "span_id": "a"},
        "span_kind": "LLM",
        "parent_id": None,
        "start_time": "2026-01-01T00:00:00Z",
        "status_code": "OK",
        "attributes": _FLAT,
        "events": [],
    }
]

_KWARGS = {
    "human": {"type": "human", "content": QUESTION},
    "calls": {
        "type": "ai",
        "content": "",
        "tool_calls": [
            {"name": "get_tabs", "args": {}, "id": "c1", "type": "tool_call"},
            {"name": "get_page_contents", "args": URL, "id": "c2", "type": "tool_call"},
        ],
    },
}
LANGSMITH_TREE: Any = {
    "id": "run-1",
    "trace_id": "run-1",
    "name": "agent",
    "run_type": "chain",
    "inputs": {"messages": [_KWARGS["human"]]},
    "outputs": {"messages": []},
    "child_runs": [
        {
            "id": "run-2",
            "trace_id": "run-1",
            "name": "ChatOpenAI",
            "run_type": "llm",
            "dotted_order": "2",
            "inputs": {
                "messages": [
                    [
                        {
                            "lc": 1,
                            "type": "constructor",
                            "id": ["langchain", "schema", "messages", "HumanMessage"],
                            "kwargs": {"content": QUESTION, "type": "human"},
                        },
                        _KWARGS["calls"],
                        {"type": "tool", "tool_call_id": "c1", "name": "get_tabs", "content": TABS},
                        {"type": "tool", "tool_call_id": "c2", "content": PAGE},
                    ]
                ]
            },
            "outputs": {
                "generations": [
                    [{"text": ANSWER, "message": {"kwargs": {"content": ANSWER, "type": "ai"}}}]
                ]
            },
        }
    ],
}

BROWSER_USE: Any = {
    "task": QUESTION,
    "history": [
        {
            "model_output": {
                "thinking": "Look.",
                "evaluation_previous_goal": "",
                "memory": "nothing yet",
                "next_goal": "open the page",
                "action": [{"navigate": {"url": URL["url"]}}],
            },
            "result": [{"is_done": False, "extracted_content": "navigated"}],
            "state": {"url": "about:blank", "title": "", "tabs": [], "interacted_element": [None]},
            "metadata": {"step_number": 1, "step_start_time": 0, "step_end_time": 1},
        },
        {
            "model_output": {"action": [{"done": {"text": ANSWER, "success": True}}]},
            "result": [{"is_done": True, "success": True, "extracted_content": ANSWER}],
            "state": {"url": URL["url"], "title": "Returns", "tabs": []},
        },
    ],
}

SMART_WINDOW: Any = {
    "extensionInformation": {"extensionVersion": "1", "JSON_SCHEMA_VERSION": "2.1"},
    "conversation": {
        "raw": {},
        "rendered": {"basic": [], "compacted": []},
        "eval_format": {
            "uuid": "u-1",
            "tags": ["returns"],
            "messages": [
                {"role": "user", "content": "Hello"},
                {"role": "assistant", "content": "Hello! How can I help?"},
                {
                    "role": "user",
                    "content": QUESTION,
                    "is_scorable": True,
                    "context": {
                        "tabs": {
                            "content": {
                                "active": {**URL, "title": "Returns", "description": ""},
                                "other": [{"url": "https://news.example/", "title": "News"}],
                            }
                        },
                        "memories": {"content": [{"id": "m1", "memory_summary": "Likes tea"}]},
                    },
                    "groundtruth": {"tools": [{"name": "get_page_content", "args": {}}]},
                },
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {
                                "name": "get_page_content",
                                "arguments": json.dumps({"url_list": [URL["url"]]}),
                            },
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "content": PAGE},
                {"role": "assistant", "content": ANSWER},
            ],
        },
    },
    "browserContext": {"tabs": [], "memories": []},
}

# reader, messages, calls, results, where the response begins
EXPECTED: dict[str, tuple[Any, str, int, int, int, int]] = {
    "responses items": (OPENAI_RESPONSES, "openai-responses", 6, 2, 2, 1),
    "anthropic request": (ANTHROPIC, "anthropic", 7, 2, 2, 2),
    "otel spans": (OTEL_SPANS, "otel-genai", 6, 2, 2, 1),
    "otlp document": (OTLP, "otel-genai", 6, 2, 2, 1),
    "otel events": (OTEL_EVENTS, "otel-genai", 6, 2, 2, 1),
    "openinference spans": (OPENINFERENCE, "openinference", 6, 2, 2, 1),
    "langsmith tree": (LANGSMITH_TREE, "langsmith", 5, 2, 2, 1),
    "browser-use history": (BROWSER_USE, "browser-use", 7, 2, 4, 1),
    "smart window export": (SMART_WINDOW, "smart-window", 6, 1, 1, 3),
}
