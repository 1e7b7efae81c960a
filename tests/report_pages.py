"""Pages for tests: of the examples' runs, and of any cases."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commands import adjudge
from running import ROOT, write_lines

EXAMPLES = {
    "robot": ROOT / "examples" / "robot" / "plans.jsonl",
    "browser": ROOT / "examples" / "browser" / "shoes.jsonl",
    "social": ROOT / "examples" / "social" / "dialogues.jsonl",
}


@dataclass(frozen=True)
class Written:
    """A page, and the store with the verdicts that are on it."""

    path: Path
    store: Path

    @property
    def cases(self) -> list[dict[str, Any]]:
        """The verdicts."""
        shown = adjudge("show", "last", "--json", "--limit", "0", "--store", self.store)
        return [json.loads(line) for line in shown.stdout.splitlines()]


def page_of_example(judge: str, folder: Path, *options: str | Path) -> Written:
    """The page of an example, with its labels where it has some."""
    if judge == "robot":
        options = (*options, "--labels", ROOT / "examples" / "robot" / "people.csv")
    return page_of(judge, EXAMPLES[judge], folder, *options)


def page_of_lines(judge: str, lines: Iterable[Any], folder: Path) -> Written:
    """The page of cases given as JSON lines."""
    return page_of(judge, write_lines(folder / f"{judge}.jsonl", lines), folder)


def page_of(judge: str, cases: Path, folder: Path, *options: str | Path) -> Written:
    """The page of a run over a file."""
    store, page = folder / f"{judge.partition(':')[0]}.db", folder / f"{judge}.html"
    made = adjudge("run", judge, cases, "--store", store)
    assert made.exit_code in (0, 3), made.output
    made = adjudge("report", "last", "--store", store, "-O", page, *options)
    assert made.exit_code == 0, made.output
    return Written(page, store)
