"""Sotopia-RL's annotation lines: an agent's attributions by utterance key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from adjudge.contract import JsonObject
from adjudge.exports.row_formats import Settings, social_case
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.dimensions import DIMENSIONS
from adjudge.runs.joined import Joined

_KEYS: dict[str, str] = {name: dimension.key for name, dimension in DIMENSIONS.items()}


def annotation_rows(pairs: Iterable[Joined], settings: Settings) -> Iterator[JsonObject]:
    """One line a verdict: ``{"episode_id", "scenario", "agent", "goal", "attributed_utterances",
    "is_first_speaker", "goal_score"}``.

    An utterance is ``[text, {"reward", "attribution", "dimension", "dim_score"}]``, another agent's
    ``[text, 0]`` as there, and one that was not judged ``[text, null]`` where Sotopia-RL has 0.
    Keys count each speaker's own utterances: pairs of turns, which it counts, give two utterances
    one key as soon as somebody speaks twice.
    """
    for joined in pairs:
        case = social_case(joined, settings)
        if case is not None:
            yield _line(case, joined.verdict["details"])


def _line(case: SocialCase, details: JsonObject) -> JsonObject:
    credits = {credit["turn"]: credit for credit in details.get("credits", ())}
    counts: Counter[str] = Counter()
    attributed: JsonObject = {}
    for index, turn in enumerate(case.turns):
        if not turn.acted:
            continue
        key = f"Utterance {counts[turn.speaker]} by {turn.speaker}"
        counts[turn.speaker] += 1
        given = _attribution(credits.get(index), details) if turn.speaker == case.agent else 0
        attributed[key] = [turn.natural, given]
    return {
        "episode_id": case.episode_id,
        "scenario": case.scenario,
        "agent": case.agent,
        "goal": case.goals.get(case.agent),
        "attributed_utterances": attributed,
        "is_first_speaker": case.agent == case.agents[0],
        "goal_score": case.score(DIMENSIONS["goal"]),
    }


def _attribution(credit: JsonObject | None, details: JsonObject) -> JsonObject | None:
    if credit is None or credit["reward"] is None:
        return None
    return {
        "reward": credit["reward"],
        "attribution": credit["importance"],
        "dimension": _KEYS.get(details["dimension"], details["dimension"]),
        "dim_score": details["episode_score"],
    }
