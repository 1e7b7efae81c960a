"""Rewards by turn as fields of a rollout of verifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.contract import JsonObject
from adjudge.exports.row_formats import Settings
from adjudge.exports.steps import steps_of
from adjudge.runs.joined import Joined


def verifiers_rows(pairs: Iterable[Joined], settings: Settings) -> Iterator[JsonObject]:
    """``{"example_id", "task", "reward", "trajectory": [{"reward", "extras"}]}``, a row a verdict.

    A reward is ``null`` where it was not judged; ``extras`` hold the turn and what the judge says
    of it besides.
    """
    for joined in pairs:
        verdict = joined.verdict
        yield {
            "example_id": verdict["case_id"],
            "task": verdict["judge"],
            "reward": verdict["reward"],
            "trajectory": [
                {"reward": step.reward, "extras": {"turn": step.turn, **step.about}}
                for step in steps_of(verdict)
            ],
        }
