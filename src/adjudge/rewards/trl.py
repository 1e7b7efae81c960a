"""Reward functions for TRL's trainers (GRPO, RLOO)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar, Unpack

from adjudge.rewards.completions import BadRow, Completion
from adjudge.rewards.loop import close_at_exit, run
from adjudge.rewards.source import CaseOf, Judged, RewardOf, RewardSource, reward_of
from adjudge.runs.api import AnyJudge
from adjudge.runs.asking import Asker
from adjudge.runs.panel import Asking

RewardFunction = Callable[..., list[float | None]]
AsyncRewardFunction = Callable[..., Awaitable[list[float | None]]]

F = TypeVar("F", bound=Callable[..., Any])


def trl_reward(
    judge: AnyJudge,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    askers: Sequence[Asker] = (),
    case: CaseOf | None = None,
    column: str = "case",
    reward: RewardOf = reward_of,
    **asking: Unpack[Asking],
) -> RewardFunction:
    """A reward function for ``reward_funcs``: one reward a completion, ``None`` where not judged.

    The dataset's ``column`` holds the case that a completion completes, as JSON text or an object
    (see ``completed``); ``case(prompt, completion, row)`` makes it instead where given. ``reward``
    takes a scored verdict. A judge that asks models is given ``model="PROVIDER:NAME"`` and the
    settings beside it (see ``Asking``). Reasons and scores go to ``log_extra``, shares to
    ``log_metric``, where the trainer passes those. Raises ``BadRow`` for a column that is not there
    or holds no case.

    >>> reward = trl_reward("robot")
    >>> case = '{"instruction": "Turn on the lamp."}'
    >>> reward(["Plan:"], ["navigate(lamp)\\ntoggle_on(lamp)"], case=[case])
    [1.0]
    """
    source = RewardSource(judge, method, options or {}, askers, asking, case, column, reward)
    source.check()

    def judged(
        prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> list[float | None]:
        return _report(run(source.judged(_cases(source, prompts, completions, columns))), columns)

    close_at_exit(source.aclose)
    return _titled(judged, source)


def trl_reward_async(
    judge: AnyJudge,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    askers: Sequence[Asker] = (),
    case: CaseOf | None = None,
    column: str = "case",
    reward: RewardOf = reward_of,
    **asking: Unpack[Asking],
) -> AsyncRewardFunction:
    """As ``trl_reward``, as a coroutine function: trainers run several of those at once."""
    source = RewardSource(judge, method, options or {}, askers, asking, case, column, reward)
    source.check()

    async def judged(
        prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> list[float | None]:
        cases = _cases(source, prompts, completions, columns)
        return _report(await source.judged(cases), columns)

    return _titled(judged, source)


def _titled(function: F, source: RewardSource) -> F:
    """Trainers log a reward under its function's name."""
    function.__name__ = f"adjudge_{source.made.name}"
    return function


def _cases(
    source: RewardSource,
    prompts: Sequence[Any],
    completions: Sequence[Completion],
    columns: Mapping[str, Any],
) -> list[Any]:
    count = len(completions)
    rows = {
        name: values
        for name, values in columns.items()
        if isinstance(values, list | tuple) and len(values) == count
    }
    if source.case is None and source.column not in rows:
        raise BadRow(
            f"dataset: expected a column {source.column!r} with the case that each completion "
            f"completes, found {', '.join(sorted(rows)) or 'no columns'} (name another with "
            "column=..., or give case=...)"
        )
    return [
        source.case_of(
            prompts[i], completions[i], {name: values[i] for name, values in rows.items()}
        )
        for i in range(count)
    ]


def _report(results: Sequence[Judged], columns: Mapping[str, Any]) -> list[float | None]:
    rewards = [result.reward for result in results]
    log_extra, log_metric = columns.get("log_extra"), columns.get("log_metric")
    if callable(log_extra):
        log_extra("adjudge_reason", [result.reason or "" for result in results])
        log_extra("adjudge_scores", [_scores(result) for result in results])
    if callable(log_metric) and results:
        log_metric("adjudge/judged", sum(r is not None for r in rewards) / len(rewards))
        for status, count in Counter(_status(result) for result in results).items():
            log_metric(f"adjudge/{status}", count / len(results))
    return rewards


def _status(result: Judged) -> str:
    return result.verdict.status if result.verdict else "none"


def _scores(result: Judged) -> str:
    return json.dumps(dict(result.verdict.scores)) if result.verdict else "{}"
