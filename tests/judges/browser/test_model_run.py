"""Whole runs with a model: from records over the client to verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import adjudge
from adjudge.judges.browser.scales import DIMENSIONS
from adjudge.models import Juror, ModelClient, ModelRequest, ModelResponse
from browser_conversations import TALKS

PLAIN = [talk for talk in TALKS if not talk.options]


class Scripted:
    """A model that answers by a function of the prompt."""

    def __init__(self, scores: Callable[[str], dict[str, Any]]) -> None:
        self._scores = scores
        self.asked = 0

    async def send(self, request: ModelRequest) -> ModelResponse:
        self.asked += 1
        given = {
            "explanation": "As the findings say.",
            "issues": ["scripted"],
            "plain_knowledge_asked": False,
            **self._scores(request.messages[-1].content),
        }
        return ModelResponse(json.dumps(given))


def _verdicts(scores: Callable[[str], dict[str, Any]]) -> tuple[Scripted, list[adjudge.Verdict]]:
    model = Scripted(scores)
    records = [talk.record for talk in PLAIN]
    juror = Juror(ModelClient(model))
    return model, adjudge.judge("browser", records, "llm", askers=[juror])


def test_fives_are_held_in_a_whole_run() -> None:
    model, verdicts = _verdicts(lambda prompt: dict.fromkeys(DIMENSIONS, 5))
    assert len(verdicts) == model.asked == len(PLAIN)
    for talk, verdict in zip(PLAIN, verdicts, strict=True):
        assert verdict.status == "scored"
        for name, values in talk.left.items():
            assert verdict.scores[name] in values
        assert verdict.usage.calls == 1
        assert verdict.output is not None
        assert "scripted" in verdict.output["issues"]


def test_a_score_out_of_range_is_invalid_after_one_repair() -> None:
    model, verdicts = _verdicts(lambda prompt: dict.fromkeys(DIMENSIONS, 7))
    assert {verdict.status for verdict in verdicts} == {"invalid"}
    assert model.asked == 2 * len(PLAIN)
    assert all(verdict.scores == {} for verdict in verdicts)
