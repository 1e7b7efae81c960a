"""Prompts: a judge's own templates, and the ways in which text from a case enters them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from adjudge.judges.placeholders import TemplateError, fill, used
from adjudge.judges.quoting import as_json, fence, neutral

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["TemplateError", "as_json", "fence", "fill", "neutral", "render", "used"]


def render(package: str, name: str, **values: Any) -> str:
    """The template ``prompts/NAME.md.j2`` of a judge's package with ``values``; ends in no newline.

    ``package`` is dotted (``__package__`` of the caller). A value that the template names and
    ``values`` lacks raises ``jinja2.UndefinedError``. Values are put in as they are and never
    scanned as templates; text from a case comes fenced or JSON-encoded already.
    """
    return _template(package, name).render(values).rstrip("\n")


@cache
def _environment(package: str) -> ImmutableSandboxedEnvironment:
    # imported late: most commands render no prompt
    from jinja2 import PackageLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=PackageLoader(package, "prompts"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


@cache
def _template(package: str, name: str) -> Template:
    return _environment(package).get_template(f"{name}.md.j2")
