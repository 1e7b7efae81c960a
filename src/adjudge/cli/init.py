"""``adjudge init``: a rubric to begin with."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudge.cli.ending import command, fail


@command
def init(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to write it.")] = "rubric.yaml",
) -> None:
    """Write a commented rubric: a judge of your own to begin with.

    It can be used as it is, on the case that its comments show. A file that is there is left alone.

    \b
    Example:
      adjudge init mine.yaml
    """
    from importlib.resources import files

    if not file.endswith((".yaml", ".yml")):
        fail(f"file: expected a name that ends in .yaml, found {file[:80]!r}")
    text = files("adjudge.judges.rubric").joinpath("starter.yaml").read_text(encoding="utf-8")
    try:
        with open(file, "x", encoding="utf-8") as stream:
            stream.write(text.replace("FILE.yaml", file))
    except FileExistsError:
        fail(f"file: expected none at {file}, found one; it is left as it is")
    except OSError as error:
        fail(f"file {file}: cannot be written: {error.strerror}")
    print(f"Written to {file}. How to use it stands at its top.")
