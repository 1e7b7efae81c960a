"""Text made safe: NUL, lone surrogates and control characters become U+FFFD, with a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from adjudge.contract import Finding

REPLACEMENT = "\ufffd"
_MOST_FINDINGS = 20

_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# JSON escapes that may stand for such a character (a surrogate pair does not, but looks like one).
_ESCAPED = re.compile(r"\\(?:u(?:00[0189]|007[fF]|[dD][89a-fA-F])|[bf])")


def may_be_unsafe(text: str) -> bool:
    """Whether JSON ``text`` could hold an unsafe character; cheap, and wrong only towards yes."""
    if not text.isprintable() and _UNSAFE.search(text):
        return True
    return "\\" in text and _ESCAPED.search(text) is not None


def make_safe(value: Any, *, undecodable: bool = False) -> tuple[Any, tuple[Finding, ...]]:
    """A copy of a JSON value with safe text, and one ``text_replaced`` finding a field.

    ``undecodable`` says that the lone surrogates U+DC80 to U+DCFF stand for bytes that were not
    UTF-8.

    >>> value, findings = make_safe({"plan": ["pick(a)", "pick(\\x00)"]})
    >>> value["plan"][1], findings[0].at
    ('pick(\ufffd)', {'field': 'plan[1]'})
    """
    walk = _Walk(undecodable)
    safe = walk.value(value, "")
    return safe, walk.findings()


@dataclass
class _Walk:
    undecodable: bool
    replaced: list[tuple[str, str]] = field(default_factory=list)

    def value(self, value: Any, at: str) -> Any:
        if isinstance(value, str):
            return self.text(value, at)
        if isinstance(value, dict):
            return self.object(value, at)
        if isinstance(value, list):
            return [self.value(v, f"{at}[{i}]") for i, v in enumerate(value)]
        return value

    def object(self, value: dict[Any, Any], at: str) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, inner in value.items():
            name = self.text(key, at, key=True) if isinstance(key, str) else key
            while name in made:  # two keys that were different must not become one
                name += REPLACEMENT
            made[name] = self.value(inner, f"{at}.{name}" if at else str(name))
        return made

    def text(self, text: str, at: str, *, key: bool = False) -> str:
        if text.isprintable() or not (found := _UNSAFE.findall(text)):
            return text
        what = "in a key: " if key else ""
        self.replaced.append((at, what + self.names(found)))
        return _UNSAFE.sub(REPLACEMENT, text)

    def names(self, found: Iterable[str]) -> str:
        counted: dict[str, int] = {}
        for char in found:
            name = self.name(ord(char))
            counted[name] = counted.get(name, 0) + 1
        shown = [f"{name} ({n} times)" if n > 1 else name for name, n in list(counted.items())[:4]]
        return ", ".join(shown) + (" and others" if len(counted) > 4 else "")

    def name(self, code: int) -> str:
        if code == 0:
            return "NUL"
        if self.undecodable and 0xDC80 <= code <= 0xDCFF:
            return f"byte 0x{code - 0xDC00:02X}, which is not UTF-8"
        kind = "lone surrogate" if code >= 0xD800 else "control character"
        return f"{kind} U+{code:04X}"

    def findings(self) -> tuple[Finding, ...]:
        shown = [_finding(at, f"replaced by U+FFFD: {what}") for at, what in self.replaced]
        if len(shown) > _MOST_FINDINGS:
            more = len(shown) - _MOST_FINDINGS
            shown = shown[:_MOST_FINDINGS]
            shown.append(_finding("", f"characters replaced by U+FFFD in {more} more fields"))
        return tuple(shown)


def _finding(at: str, text: str) -> Finding:
    return Finding(
        id="F0", kind="text_replaced", severity="warning", at={"field": at or None}, text=text
    )
