"""Long texts cut for the page, which says how much of each is left out."""

from __future__ import annotations

from typing import Any

MOST_CHARACTERS = 20_000
"""Of one text."""

MOST_IN_ALL = 400_000
"""Of all texts of one case; what comes after that is cut to ``LEAST_CHARACTERS``."""

LEAST_CHARACTERS = 200


def cut(value: Any, *, most: int = MOST_CHARACTERS, in_all: int = MOST_IN_ALL) -> Any:
    """A copy of a JSON value in which a long text is ``{"cut": its beginning, "left_out": count}``.

    >>> cut({"page": "aaaaaaaaaa"}, most=4)
    {'page': {'cut': 'aaaa', 'left_out': 6}}
    """
    return _Cutting(most, in_all).value(value)


class _Cutting:
    def __init__(self, most: int, left: int) -> None:
        self._most = most
        self._left = left

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {self._key(key): self.value(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(inner) for inner in value]
        return value

    def _text(self, text: str) -> Any:
        most = self._most if self._left > 0 else min(self._most, LEAST_CHARACTERS)
        self._left -= min(len(text), most)
        if len(text) <= most:
            return text
        return {"cut": text[:most], "left_out": len(text) - most}

    def _key(self, key: str) -> str:
        return key if len(key) <= LEAST_CHARACTERS else key[:LEAST_CHARACTERS] + "…"
