"""Sotopia-RL's reward-model rows: what the agent was asked, what it did, what that was worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.contract import JsonObject
from adjudge.exports.acting import acting_prompt, action_json
from adjudge.exports.row_formats import Settings, social_case
from adjudge.exports.steps import steps_of
from adjudge.runs.joined import Joined


def reward_model_rows(pairs: Iterable[Joined], settings: Settings) -> Iterator[JsonObject]:
    """One row an utterance with a reward: ``{"input", "output", "value"}``.

    ``output`` holds what was said or done and no more; Sotopia-RL's keeps the mark ``[action]``,
    which an agent never writes. An utterance without a reward is left out and counted.
    """
    for joined in pairs:
        case = social_case(joined, settings)
        if case is None:
            continue
        for step in steps_of(joined.verdict):
            if step.reward is None:
                settings.left_out["utterances without a reward"] += 1
                continue
            yield {
                "input": acting_prompt(case, step.turn),
                "output": action_json(case.turns[step.turn]),
                "value": step.reward,
            }
