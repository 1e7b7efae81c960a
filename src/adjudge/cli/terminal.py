"""What goes to a terminal: text of cases made visible, plain where no terminal is."""

from __future__ import annotations

import io
import re
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

# Control characters (escape sequences begin with one) and the marks that reorder a line.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_WIDE = 100_000


def visible(text: str) -> str:
    """``text`` without characters that a terminal would obey; each is shown as its escape.

    >>> visible("pick(\\x1b[31mmug)")
    'pick(\\\\x1b[31mmug)'
    """
    return _HIDDEN.sub(lambda found: _escape(found[0]), text)


def cell(text: str, most: int = 0) -> Text:
    """One line of visible text for a table, cut to ``most`` characters; never read as markup."""
    from rich.text import Text

    line = visible(text).replace("\n", "\\n").replace("\t", " ")
    return Text(line if not most or len(line) <= most else line[: most - 1] + "…")


def show(out: Console, table: Table) -> None:
    """Print a table; off a terminal without the blanks that fill up its last column."""
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as drawn:
        out.print(table)
    for line in drawn.get().splitlines():
        print(line.rstrip(), file=out.file)


def plain_table(*headers: str) -> Table:
    """A table without lines; ``headers`` may be none."""
    from rich.table import Table

    table = Table(
        box=None,
        pad_edge=False,
        header_style="bold",
        padding=(0, 2, 0, 0),
        show_header=bool(headers),
    )
    for header in headers:
        right = header in ("cases", "scored", "#")
        table.add_column(cell(header), justify="right" if right else "left", overflow="fold")
    return table


def console(*, error: bool = False) -> Console:
    """A console on standard output or error; off a terminal plain and as wide as it needs."""
    from rich.console import Console

    stream = sys.stderr if error else sys.stdout
    return Console(
        file=stream,
        width=None if stream.isatty() else _WIDE,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=not stream.isatty(),
    )


def json_lines() -> TextIO:
    """Standard output for JSON lines: UTF-8 whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    return sys.stdout


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
