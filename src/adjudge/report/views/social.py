"""A dialogue: its goals, and every utterance shaded by the credit it was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.social.case import SocialCase
from adjudge.report.parts import Placed, fields, talk, turn
from adjudge.report.views.view import View

CASE = SocialCase


def view(case: SocialCase, verdict: JsonObject) -> View:
    """Scenario and goals; the dialogue; what was written about it."""
    details = verdict["details"]
    credits = {one["turn"]: one for one in details.get("credits") or ()}
    blocks = [
        fields("Episode", _about(case, details)),
        talk(
            "Dialogue",
            list(_turns(case, credits, Placed(verdict["findings"]))),
            note="Shaded by reward: the strongest shade is the largest in this dialogue."
            if any(one["reward"] is not None for one in credits.values())
            else "No utterance has a reward.",
        ),
    ]
    headline = f"{case.agent}: {case.goals.get(case.agent) or case.scenario or ''}"
    return View(headline, blocks)


def _about(case: SocialCase, details: JsonObject) -> Iterator[tuple[str, Any]]:
    yield "scenario", case.scenario
    for name in case.agents:
        seen = " (judged)" if name == case.agent else ""
        yield f"goal of {name}{seen}", case.goals.get(name)
    yield f"background of {case.agent}", case.backgrounds.get(case.agent)
    if details.get("episode_score") is not None:
        yield f"episode score, {details.get('dimension')}", f"{details['episode_score']:g}"
    yield "formula", details.get("formula")
    yield "analysis", details.get("analysis")


def _turns(
    case: SocialCase, credits: Mapping[int, JsonObject], placed: Placed
) -> Iterator[JsonObject]:
    rewards = [abs(one["reward"]) for one in credits.values() if one["reward"] is not None]
    most = max(rewards, default=0.0)
    for index, said in enumerate(case.turns):
        one = credits.get(index)
        yield turn(
            index,
            said.speaker,
            said.shown,
            kind="" if said.kind == "speak" else said.kind,
            aside=said.speaker != case.agent,
            judged=one is not None,
            credit=None if one is None else _credit(one, most),
            findings=[finding["id"] for finding in placed.take(turn=index)],
        )


def _credit(one: JsonObject, most: float) -> JsonObject:
    reward = one["reward"]
    told = ["not judged" if reward is None else f"reward {reward:.2f}"]
    if one["importance"] is not None:
        told.append(f"importance {one['importance']}")
    if one["direction"] is not None:
        told.append("for the goal" if one["direction"] > 0 else "against the goal")
    return {"share": reward / most if reward is not None and most else 0, "text": ", ".join(told)}
