"""A rubric's own prompt: a Jinja template in a sandbox, filled with texts that are safe to show."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import ImmutableSandboxedEnvironment

NAMES = frozenset({"case", "fields", "findings", "allowed"})
"""What a template can name; ``fields.NAME`` is one field of the case."""

_LONGEST = 100_000


def check_template(template: str, fields: frozenset[str]) -> None:
    """Raises ``ValueError`` for one that has a fault, or that shows nothing of the case."""
    from jinja2 import TemplateError, meta

    if len(template) > _LONGEST:
        raise ValueError(f"{len(template):,} characters (at most {_LONGEST:,})")
    try:
        tree = _environment().parse(template)
    except TemplateError as error:
        raise ValueError(f"{error} (line {getattr(error, 'lineno', 1)} of it)") from None
    used = meta.find_undeclared_variables(tree)
    if unknown := sorted(used - NAMES):
        raise ValueError(f"{{{{ {unknown[0]} }}}} (there are {', '.join(sorted(NAMES))})")
    if not used & {"case", "fields"}:
        raise ValueError("neither {{ case }} nor {{ fields.NAME }}: no case would be shown")
    try:
        fill_template(template, dict.fromkeys(NAMES - {"fields"}, ""), dict.fromkeys(fields, ""))
    except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(str(error)) from None


def fill_template(template: str, values: Mapping[str, str], fields: Mapping[str, str]) -> str:
    """The template with ``values`` and ``fields``; what is put in is never read as a template."""
    return _template(template).render(**values, fields=dict(fields)).strip("\n")


@lru_cache(maxsize=32)
def _template(template: str) -> Template:
    return _environment().from_string(template)


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
