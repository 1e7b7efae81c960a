"""Small sets of verdicts with their cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import adjudge
from adjudge.contract import Record
from adjudge.runs.joined import Joined
from social_cases import cases_of, dialogue, importances, scored

PLANS: list[Mapping[str, Any]] = [
    {
        "id": "good",
        "instruction": "Turn on the lamp.",
        "plan": ["navigate(lamp)", "toggle_on(lamp)"],
    },
    {"id": "bad", "instruction": "Turn on the lamp.", "plan": ["navigate(lamp)", "fly(lamp)"]},
]


def plan_pairs() -> list[Joined]:
    """A plan that works and one that does not."""
    judge = adjudge.load_judge("robot")()
    cases = [next(iter(judge.readers()["native"].read(Record(plan)))) for plan in PLANS]
    verdicts = adjudge.judge(judge, PLANS)
    return [Joined.of(case, verdict) for case, verdict in zip(cases, verdicts, strict=True)]


def dialogue_pairs() -> list[Joined]:
    """Two dialogues with importances."""
    pairs = []
    for name in ("one", "two"):
        record = dialogue(("Ann", "Twenty."), ("Bob", "No."), ("Ann", "Ten {each}?"), id=name)
        (case,) = cases_of(record)
        verdict = scored(record, "direct", importances({0: 1, 2: 3}))
        pairs.append(Joined.of(case, verdict))
    return pairs
