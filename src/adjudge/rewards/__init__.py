"""Verdicts as rewards: functions for TRL and verl, a server for OpenRLHF. For any judge."""

from __future__ import annotations

from adjudge.rewards.completions import BadRow, completed, completion_text, steps_in
from adjudge.rewards.source import Judged, NotJudged, RewardSource, reward_of
from adjudge.rewards.trl import trl_reward, trl_reward_async
from adjudge.rewards.verl import compute_score, verl_reward

__all__ = [
    "BadRow",
    "Judged",
    "NotJudged",
    "RewardSource",
    "completed",
    "completion_text",
    "compute_score",
    "reward_of",
    "steps_in",
    "trl_reward",
    "trl_reward_async",
    "verl_reward",
]
