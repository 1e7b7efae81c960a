"""Models that answer without thinking, as transports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from adjudge.contract import Judge
from adjudge.inputs import expand
from adjudge.models import ModelRequest, ModelResponse
from adjudge.runs.engine import Task
from adjudge.runs.panel import make_panel
from adjudge.runs.running import run_stored
from adjudge.runs.store import Store


class Always:
    """Gives one answer to everything."""

    def __init__(self, answer: Any) -> None:
        self.name = "always"
        self.asked = 0
        self._text = json.dumps(answer)

    async def send(self, request: ModelRequest) -> ModelResponse:
        self.asked += 1
        return ModelResponse(self._text)


def run_with(model: Always, judge: Judge, method: str, cases: Path, store: Path) -> None:
    """A stored run in which ``model`` is asked."""
    with Store.open(str(store), create=True) as opened:
        panel = make_panel({"model": model})
        run_stored(Task(judge, method), expand([cases]), opened, panel=panel, workers=0)
