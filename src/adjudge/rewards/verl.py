"""Reward functions for verl (``custom_reward_function``)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Unpack

from adjudge.judges import load_judge
from adjudge.rewards.loop import close_at_exit, run
from adjudge.rewards.source import CaseOf, Judged, NotJudged, RewardOf, RewardSource, reward_of
from adjudge.runs.api import AnyJudge
from adjudge.runs.asking import Asker
from adjudge.runs.panel import Asking

VerlReward = Callable[..., dict[str, Any]]


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    method: str | None = None,
    missing: float | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The reward of one completion, as verl asks for it: ``{"score", "judged", "status"}``.

    ``data_source`` names the judge (``robot``, or a path that ends so); ``ground_truth`` holds the
    case that ``solution_str`` completes. Name this file as ``custom_reward_function.path``;
    ``reward_kwargs`` give ``method``, ``missing`` and the judge's options. What is not judged
    raises ``NotJudged``, unless ``missing`` says which number stands for it. For a judge that asks
    a model see ``verl_reward``.

    >>> compute_score("robot", "pick(mug)", '{"instruction": "Pick up the mug."}')
    {'score': 1.0, 'judged': 1.0, 'status': 'scored'}
    """
    name = data_source.rsplit("/", 1)[-1]
    fields = load_judge(name).model_fields
    # verl passes things of its own besides: only options of the judge are options
    known = {option: value for option, value in options.items() if option in fields}
    source = _source(name, method, json.dumps(known, sort_keys=True))
    return _score(source, data_source, solution_str, ground_truth, extra_info, missing)


def verl_reward(
    judge: AnyJudge,
    method: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    askers: Sequence[Asker] = (),
    case: CaseOf | None = None,
    reward: RewardOf = reward_of,
    missing: float | None = None,
    **asking: Unpack[Asking],
) -> VerlReward:
    """A ``compute_score`` with a judge, a method and models of its own, for a file of yours.

    Models are given as in ``trl_reward``. ``case(prompt, completion, row)`` gets no prompt (``""``)
    and ``{"ground_truth", "extra_info", "data_source"}`` as the row.
    """
    source = RewardSource(
        judge, method, options or {}, askers, asking, case, "ground_truth", reward
    )
    source.check()

    def compute_score(
        data_source: str,
        solution_str: str,
        ground_truth: Any,
        extra_info: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> dict[str, Any]:
        return _score(source, data_source, solution_str, ground_truth, extra_info, missing)

    close_at_exit(source.aclose)
    return compute_score


@lru_cache(maxsize=16)
def _source(judge: str, method: str | None, options: str) -> RewardSource:
    return RewardSource(judge, method, json.loads(options), column="ground_truth")


def _score(
    source: RewardSource,
    data_source: str,
    solution: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None,
    missing: float | None,
) -> dict[str, Any]:
    row = {"ground_truth": ground_truth, "extra_info": extra_info, "data_source": data_source}
    (judged,) = run(source.judged([source.case_of("", solution, row)]))
    return _number(judged, missing)


def _number(judged: Judged, missing: float | None) -> dict[str, Any]:
    status = judged.verdict.status if judged.verdict else "none"
    if judged.reward is not None:
        return {"score": judged.reward, "judged": 1.0, "status": status}
    if missing is None:
        raise NotJudged(
            f"no reward ({judged.reason}); expected a judged completion, or missing=NUMBER to "
            "stand for one that is not"
        )
    return {"score": float(missing), "judged": 0.0, "status": status}
