"""Regular expressions that take linear time, whatever the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_COMPILED_BYTES = 1_000_000
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression of the finite-automaton kind: no look-around, no back-references."""

    source: str

    def found_in(self, text: str) -> bool:
        """Whether it matches somewhere in ``text``.

        >>> Pattern("(a+)+$").found_in("a" * 50_000 + "b")
        False
        """
        return bool(_compiled(self.source).is_valid(text))


def pattern_of(source: str) -> Pattern | None:
    """The pattern, or ``None`` where it is none or far too large."""
    import jsonschema_rs

    if len(source) > _LONGEST:
        return None
    try:
        _compiled(source)
    except (ValueError, jsonschema_rs.ValidationError):
        return None
    return Pattern(source)


@lru_cache(maxsize=256)
def _compiled(source: str) -> Any:
    # Rust's engine, which the validator of JSON schemas brings along; Python's own takes
    # exponential time on some texts
    import jsonschema_rs

    options = jsonschema_rs.RegexOptions(size_limit=_COMPILED_BYTES, dfa_size_limit=_COMPILED_BYTES)
    return jsonschema_rs.Draft202012Validator({"pattern": source}, pattern_options=options)
