"""A user's own prompt template: known ``{names}`` are filled in, everything else is text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from adjudge.contract import Fault

# the spec is Python's format mini-language, its width bounded
_PLACEHOLDER = re.compile(
    r"\{([a-z][a-z0-9_]*)"
    r"(?::((?:[^{}\n]?[<>=^])?[-+ ]?#?0?\d{0,3}[,_]?(?:\.\d{1,3})?[a-zA-Z%]?))?\}"
)

Value = str | int | float


class TemplateError(Fault, ValueError):
    """A user's template that cannot be filled in, and what to write instead."""


def used(template: str, known: frozenset[str]) -> frozenset[str]:
    """Which of the ``known`` names the template has placeholders for.

    >>> sorted(used('{"a": 1} {score:.1%} {{name}} {other}', frozenset({"score", "name"})))
    ['score']
    """
    return frozenset(part.name for part in _parts(template, known) if isinstance(part, _Slot))


def fill(template: str, values: Mapping[str, Value]) -> str:
    """``template`` with each ``{name}`` of ``values`` replaced, in one pass.

    ``{name:spec}`` formats the value as Python's ``format`` does (``{progress_ratio:.1%}``). What
    is put in is never scanned again. All other text stays as it is: JSON braces, unknown names,
    and doubled braces; ``{{name}}`` is text too. ``TemplateError`` for a spec that does not suit
    its value.

    >>> fill('{"say": "{word}", "share": {ratio:.1%}} {{word}}', {"word": "{ratio}", "ratio": 0.5})
    '{"say": "{ratio}", "share": 50.0%} {{word}}'
    """
    return "".join(
        part if isinstance(part, str) else part.filled(values[part.name])
        for part in _parts(template, frozenset(values))
    )


class _Slot:
    """A place in a template to be filled in."""

    def __init__(self, name: str, spec: str) -> None:
        self.name = name
        self.spec = spec

    def filled(self, value: Value) -> str:
        try:
            return format(value, self.spec)
        except ValueError as error:
            raise TemplateError(
                f"placeholder {{{self.name}:{self.spec}}}: expected a format that suits"
                f" {type(value).__name__} values, found {self.spec!r} ({error})"
            ) from None


@lru_cache(maxsize=64)
def _parts(template: str, known: frozenset[str]) -> tuple[str | _Slot, ...]:
    parts: list[str | _Slot] = []
    done = 0
    for found in _PLACEHOLDER.finditer(template):
        start, end = found.span()
        doubled = template[start - 1 : start] == "{" and template[end : end + 1] == "}"
        if found.group(1) not in known or doubled:
            continue
        parts += [template[done:start], _Slot(found.group(1), found.group(2) or "")]
        done = end
    parts.append(template[done:])
    return tuple(parts)
