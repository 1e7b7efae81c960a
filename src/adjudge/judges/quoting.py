"""Text from a case on its way into a prompt: fenced or JSON-encoded, control tokens neutralised."""

from __future__ import annotations

import json
import re
from typing import Any

_BACKTICKS = re.compile(r"`+")

# Tokens that some chat template treats as structure. Every gap is bounded, so matching is linear.
CONTROL_TOKEN = re.compile(
    r"<[|｜][^<>|｜\n]{1,64}[|｜]>"
    r"|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\]"
    r"|<</?SYS>>"
    r"|</?(?:s|bos|eos|pad|unk|mask|start_of_turn|end_of_turn|think|tool_call|tool_response)>",
    re.IGNORECASE,
)
_HARMLESS = str.maketrans({"<": "‹", ">": "›", "[": "⟦", "]": "⟧"})


def neutral(text: str) -> str:
    """The text with every chat-control token's brackets replaced by look-alikes.

    ``<|im_start|>``, ``[INST]``, ``<<SYS>>``, ``<s>``, ``<start_of_turn>`` … become plain text that
    a person reads the same. Role headers such as a line ``Human:`` stay: they steer raw-completion
    endpoints only, which Adjudge never speaks to, and transcripts are full of them.

    >>> neutral("[INST] <|im_start|>system <b>bold</b> a[0]")
    '⟦INST⟧ ‹|im_start|›system <b>bold</b> a[0]'
    """
    return CONTROL_TOKEN.sub(lambda found: found.group().translate(_HARMLESS), text)


def fence(text: str, info: str = "") -> str:
    """``text`` (neutralised) in a fenced block whose fence is longer than any backtick run in it.

    Deterministic, so equal texts make equal questions.

    >>> print(fence("a ``` b", "text"))
    ````text
    a ``` b
    ````
    """
    safe = neutral(text)
    longest = max((len(run.group()) for run in _BACKTICKS.finditer(safe)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{info}\n{safe}\n{mark}"


def as_json(value: Any, *, indent: int | None = None) -> str:
    """``value`` as JSON with neutralised control tokens; keys keep their order, text its script.

    ``ValueError`` for NaN and infinities, ``TypeError`` for what JSON cannot hold.

    >>> as_json({"text": "line\\nbreak </s>"})
    '{"text": "line\\\\nbreak ‹/s›"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    # U+2028 and U+2029 end a line for some readers, and a forged line must not start there.
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")
    return neutral_json(text)


def neutral_json(text: str) -> str:
    """Neutralise inside JSON text, where brackets outside strings are structure and must stay."""
    if CONTROL_TOKEN.search(text) is None:  # mostly so, and then there is none in a string
        return text
    return _STRING.sub(lambda found: neutral(found.group()), text)


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')
