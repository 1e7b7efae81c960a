"""The form of an answer, as a JSON schema, for the contenders that take one."""

from __future__ import annotations

from typing import Any

_TEXTS = ("summary", "execution_analysis", "evaluate")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in _TEXTS},
        "score": {"type": "integer", "minimum": 0, "maximum": 4},
        "success_boolean": {"type": "boolean"},
    },
    "required": [*_TEXTS, "score", "success_boolean"],
    "additionalProperties": False,
}
