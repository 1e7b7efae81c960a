"""``python tests/full_disk.py`` has runs here on a disk that is full from some moment on, then with
room again, and prints a line of JSON for each.

The limit is one on the length of files: what a process of its own can have anywhere.
"""

from __future__ import annotations

import json
import resource
import sqlite3
from pathlib import Path
from typing import Any

import adjudge
from adjudge.inputs import expand
from adjudge.models import ModelRequest, ModelResponse
from adjudge.runs.address import StoreError
from adjudge.runs.engine import Judged, Task
from adjudge.runs.panel import make_panel
from adjudge.runs.running import run_stored
from adjudge.runs.store import Store
from scripted import unsettled, verdict_of
from tally_judge import TallyJudge

COUNT = 400
MOMENTS = ("start", "opened", "first", "middle", "last")
_AFTER = {1: "first", COUNT // 2: "middle", COUNT: "last"}
_MOST = resource.getrlimit(resource.RLIMIT_FSIZE)[1]


class Model:
    """Gives one answer, and counts."""

    name = "m"

    def __init__(self) -> None:
        self.asked = 0

    async def send(self, request: ModelRequest) -> ModelResponse:
        self.asked += 1
        return ModelResponse(json.dumps(verdict_of(3)))


def full(folder: Path) -> None:
    """From now on no file may be longer than the longest of the store."""
    sizes = [path.stat().st_size for path in folder.iterdir()]
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(sizes, default=0), _MOST))


def run(folder: Path, asks: bool, full_at: str | None) -> tuple[int, list[str]]:
    """How many questions a model got, and the verdicts."""
    model = Model()
    seen = 0

    def on_judged(judged: Judged) -> None:
        nonlocal seen
        seen += 1
        if full_at is not None and full_at == _AFTER.get(seen):
            full(folder)

    if full_at == "start":
        full(folder)
    with Store.open(str(folder / "store.db"), create=True) as store:
        if full_at == "opened":
            full(folder)
        run_stored(
            Task(adjudge.load_judge("robot")() if asks else TallyJudge()),
            expand(["cases.jsonl"]),
            store,
            panel=make_panel({"model": model}) if asks else None,
            workers=0 if asks else 1,
            on_judged=on_judged,
        )
        return model.asked, list(store.verdicts(store.find("last")))


def kept(store: Path) -> tuple[str, int]:
    """What SQLite thinks of the file, and how many verdicts it has, each whole."""
    connection = sqlite3.connect(store)
    try:
        [thinks] = connection.execute("PRAGMA integrity_check").fetchone()
        if not connection.execute("SELECT name FROM sqlite_master").fetchall():
            return thinks, 0
        bodies = connection.execute("SELECT body FROM adjudge_verdicts").fetchall()
        return thinks, len([json.loads(body) for (body,) in bodies])
    finally:
        connection.close()


def one(folder: Path, asks: bool, moment: str) -> dict[str, Any]:
    """One run that finds the disk full at a moment, and is given again when there is room."""
    folder.mkdir()
    told = None
    try:
        run(folder, asks, moment)
    except StoreError as error:
        told = str(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST, _MOST))
    thinks, count = kept(folder / "store.db")
    asked, bodies = run(folder, asks, None)
    return {"moment": moment, "told": told, "thinks": thinks, "kept": count, "asked_again": asked,
            "bodies": bodies}  # fmt: skip


def main() -> None:
    for asks in (False, True):
        lines = [unsettled(n) if asks else {"id": f"c{n}", "text": "x" * 50} for n in range(COUNT)]
        Path("cases.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        undisturbed = Path(f"{asks}")
        undisturbed.mkdir()
        _, expected = run(undisturbed, asks, None)
        for moment in MOMENTS:
            found = one(Path(f"{asks}-{moment}"), asks, moment)
            found["same"] = found.pop("bodies") == expected
            print(json.dumps({"asks": asks, **found}))


if __name__ == "__main__":
    main()
