"""A user's own prompt templates, from files to the judge's options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.ending import fail

if TYPE_CHECKING:
    from adjudge.contract import Judge

SystemTemplateOption = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A system prompt of your own, in place of the judge's."),
]
UserTemplateOption = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A user prompt of your own, with {placeholders}."),
]
ExamplesOption = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Worked examples of your own, in place of the judge's."),
]


def with_templates(
    judge: Judge,
    system_template: str | None = None,
    user_template: str | None = None,
    examples: str | None = None,
) -> Judge:
    """The judge with the texts of these files as its options of the same names.

    Ends the command where a file cannot be read or the judge has no such option.
    """
    from adjudge.judges.options import make_judge

    files = {
        "system_template": system_template,
        "user_template": user_template,
        "examples": examples,
    }
    texts = {name: _read(name, path) for name, path in files.items() if path is not None}
    if not texts:
        return judge
    kept = {name: getattr(judge, name) for name in judge.model_fields_set}
    return make_judge(type(judge), {**kept, **texts})


def _read(name: str, path: str) -> str:
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        found = getattr(error, "strerror", None) or "bytes that are not UTF-8"
        fail(f"--{name.replace('_', '-')} {path}: expected a UTF-8 text file, found: {found}")
