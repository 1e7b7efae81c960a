"""TRL's stepwise supervision set: a prompt, the steps after it, and whether each was good."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from adjudge.contract import JsonObject
from adjudge.exports.prompts import robot_prompt
from adjudge.exports.row_formats import Settings, label
from adjudge.exports.steps import Step, steps_of
from adjudge.judges.social.case import SocialCase
from adjudge.runs.joined import Joined

_HARMLESS = 0.0
"""A robot's step that is neutral or tidy has reward 0 and counts as good."""


def stepwise_rows(pairs: Iterable[Joined], settings: Settings) -> Iterator[JsonObject]:
    """``{"prompt", "completions", "labels"}``, one row a plan or an agent's side of a dialogue.

    A label is true where the step's reward is at least the threshold (0 for robots: redundant and
    failed steps are the false ones). A robot's steps that were never reached are no part of it; in
    a dialogue, what others say stands before the utterance that follows. A row with a step that
    was not judged is left out whole and counted: a label cannot say "not known".
    """
    for joined in pairs:
        steps = steps_of(joined.verdict)
        robot = joined.verdict["judge"] == "robot"
        if robot:
            steps = [step for step in steps if step.about["role"] != "not_executed"]
        if joined.case is None or joined.verdict["status"] != "scored" or not steps:
            settings.left_out["trajectories that were not judged"] += 1
            continue
        if any(step.reward is None for step in steps):
            settings.left_out["trajectories with a step without a reward"] += 1
            continue
        default = _HARMLESS if robot else None
        prompt, texts = _robot(joined.case, steps) if robot else _social(joined.case, steps)
        yield {
            "prompt": prompt,
            "completions": texts,
            "labels": [label(step.reward, settings, default) for step in steps],
        }


def _robot(case: Any, steps: list[Step]) -> tuple[str, list[str]]:
    return robot_prompt(case), [step.text for step in steps]


def _social(case: SocialCase, steps: list[Step]) -> tuple[str, list[str]]:
    first = steps[0].turn
    goal = f"{case.agent}'s goal: {case.goals.get(case.agent) or 'unknown'}"
    prompt = "\n".join([*([case.scenario] if case.scenario else []), goal, *_said(case, 0, first)])
    begins = [first, *(step.turn + 1 for step in steps)]
    return prompt, [
        "\n".join(_said(case, begin, step.turn + 1))
        for begin, step in zip(begins, steps, strict=False)
    ]


def _said(case: SocialCase, begin: int, end: int) -> list[str]:
    return [f"{turn.speaker} {turn.natural}" for turn in case.turns[begin:end] if turn.acted]
