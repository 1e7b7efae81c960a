"""Rewards by turn for verl's agent loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.contract import JsonObject
from adjudge.exports.row_formats import Settings
from adjudge.exports.steps import steps_of
from adjudge.runs.joined import Joined


def verl_rows(pairs: Iterable[Joined], settings: Settings) -> Iterator[JsonObject]:
    """``{"uid", "data_source", "reward_score", "turn_scores"}``, one row a verdict.

    ``turn_scores`` has an entry for each of the agent's turns (a robot's steps), ``null`` where
    it was not judged.
    """
    for joined in pairs:
        verdict = joined.verdict
        yield {
            "uid": verdict["case_id"],
            "data_source": verdict["judge"],
            "reward_score": verdict["reward"],
            "turn_scores": [step.reward for step in steps_of(verdict)],
        }
