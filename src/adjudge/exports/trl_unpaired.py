"""TRL's unpaired preference set: a prompt, a completion, and whether it was good."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from adjudge.contract import JsonObject
from adjudge.exports.acting import acting_prompt, action_json
from adjudge.exports.prompts import browser_messages, robot_plan, robot_prompt
from adjudge.exports.row_formats import Settings, WrongJudge, label
from adjudge.exports.steps import steps_of
from adjudge.runs.joined import Joined

_NO_REWARD = "without a reward"


def unpaired_rows(pairs: Iterable[Joined], settings: Settings) -> Iterator[JsonObject]:
    """``{"prompt", "completion", "label"}``: one row a plan, a response, or an utterance.

    A label is true where the reward is at least the threshold; without one it is the verdict's
    ``success``, and ``NeedsThreshold`` where there is none. What has no reward is left out and
    counted.
    """
    for joined in pairs:
        make = _ROWS.get(joined.verdict["judge"])
        if make is None:
            raise WrongJudge(
                f"format: expected verdicts of {', '.join(_ROWS)}, found the "
                f"{joined.verdict['judge']} judge's"
            )
        if joined.case is None:
            settings.left_out["input that was no case"] += 1
            continue
        yield from make(joined.case, joined.verdict, settings)


def _whole(
    prompt: Any, completion: Any, verdict: JsonObject, settings: Settings
) -> Iterator[JsonObject]:
    reward, success = verdict["reward"], verdict["success"]
    if reward is None:
        settings.left_out[f"trajectories {_NO_REWARD}"] += 1
    elif settings.threshold is None and success is not None:
        yield {"prompt": prompt, "completion": completion, "label": success}
    else:
        yield {"prompt": prompt, "completion": completion, "label": label(reward, settings)}


def _robot(case: Any, verdict: JsonObject, settings: Settings) -> Iterator[JsonObject]:
    yield from _whole(robot_prompt(case), "\n".join(robot_plan(case)), verdict, settings)


def _browser(case: Any, verdict: JsonObject, settings: Settings) -> Iterator[JsonObject]:
    before, response = browser_messages(case)
    yield from _whole(before, response, verdict, settings)


def _social(case: Any, verdict: JsonObject, settings: Settings) -> Iterator[JsonObject]:
    for step in steps_of(verdict):
        if step.reward is None:
            settings.left_out[f"utterances {_NO_REWARD}"] += 1
            continue
        yield {
            "prompt": acting_prompt(case, step.turn),
            "completion": action_json(case.turns[step.turn]),
            "label": label(step.reward, settings),
        }


_ROWS: dict[str, Callable[[Any, JsonObject, Settings], Iterator[JsonObject]]] = {
    "robot": _robot,
    "browser": _browser,
    "social": _social,
}
