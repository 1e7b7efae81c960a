"""The social judge's verdicts: attributions by Sotopia-RL's keys, and a credit an utterance."""

from __future__ import annotations

from adjudge.contract import Decision, JsonObject, Published
from adjudge.judges.social import formulas
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.dimensions import Dimension
from adjudge.judges.social.facts import SocialFacts
from adjudge.judges.social.formula_table import FORMULAS, Judged
from adjudge.judges.social.formulas import Rewards


def published(
    case: SocialCase,
    facts: SocialFacts,
    decision: Decision,
    dimension: Dimension,
    *,
    gamma: float,
    conserve: bool,
) -> Published:
    """Output, details and the reward, which is the mean of the utterances' rewards.

    Without an opinion every importance and reward is ``None``.
    """
    opinion = decision.opinion
    said: JsonObject = dict(opinion.output) if opinion is not None else {}
    judged = _judged(facts, decision, said, gamma)
    rewards = _rewards(judged, said, conserve)
    details: JsonObject = {
        "episode_id": case.episode_id,
        "agent": case.agent,
        "credits": [
            {
                "turn": utterance.turn,
                "key": utterance.key,
                "text": utterance.text,
                "importance": value,
                "direction": direction,
                "reward": reward,
            }
            for utterance, value, direction, reward in zip(
                facts.utterances, judged.values, judged.directions, rewards, strict=True
            )
        ],
        "dimension": dimension.name,
        "episode_score": facts.score,
        "formula": said.get("formula"),
    }
    if opinion is None:
        return Published(output={}, details=details)
    if said.get("key") is not None:
        details["key"] = _key(case, said)
    if said.get("analysis"):
        details["analysis"] = said["analysis"]
    known = [reward for reward in rewards if reward is not None]
    return Published(
        output=_output(facts, judged, said),
        details=details,
        reward=sum(known) / len(known) if known else None,
    )


def _judged(facts: SocialFacts, decision: Decision, said: JsonObject, gamma: float) -> Judged:
    values = [decision.scores.get(str(turn)) for turn in facts.ids]
    directions = said.get("directions", {})
    return Judged(
        values=tuple(value if isinstance(value, int) else None for value in values),
        directions=tuple(directions.get(str(turn)) for turn in facts.ids),
        top=said.get("top", 1),
        score=facts.score,
        gamma=gamma,
    )


def _rewards(judged: Judged, said: JsonObject, conserve: bool) -> Rewards:
    if "formula" not in said:
        return [None] * len(judged.values)
    rewards = FORMULAS[said["formula"]].rewards(judged)
    return formulas.conserved(rewards, judged.score) if conserve else rewards


def _output(facts: SocialFacts, judged: Judged, said: JsonObject) -> JsonObject:
    """``{"Utterance 0 by NAME": 2, …}``, or the key alone where only that was asked for."""
    if said["values"] == "key":
        keys = [u.key for u in facts.utterances if u.turn == said["key"]]
        return {"key_utterance": keys[0] if keys else None}
    return {
        utterance.key: value
        for utterance, value in zip(facts.utterances, judged.values, strict=True)
        if value is not None
    }


def _key(case: SocialCase, said: JsonObject) -> JsonObject:
    turn = said["key"]
    return {
        "turn": turn,
        "speaker": case.turns[turn].speaker,
        "text": case.turns[turn].shown,
        "direction": said["directions"].get(str(turn)),
    }
