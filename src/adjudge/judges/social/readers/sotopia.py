"""SOTOPIA's export: one episode a line, as ``episodes_to_jsonl`` and Sotopia-RL write it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adjudge.contract import CaseError, Record
from adjudge.judges.invalid import shown
from adjudge.judges.social.case import AgentScores, SocialCase
from adjudge.judges.social.readers.blocks import parse_action, parse_blocks
from adjudge.judges.social.readers.by_agent import cases_of, episode_id_of

_ENVIRONMENT = "Environment"


@dataclass(frozen=True, slots=True)
class SotopiaReader:
    """``raw_messages`` where there are any, since they cannot be forged; else the rendered text.

    ``rewards`` come as ``{dimension: score}`` or ``[overall, {dimension: score}]`` for each agent;
    a bare number there means that the evaluation failed: no score is known.
    """

    agent: str | None = None
    name: str = "sotopia"

    def detect(self, record: Record) -> bool:
        """Known by its fields."""
        value = record.value
        return isinstance(value, dict) and (
            "social_interactions" in value or "raw_messages" in value or "social_goals" in value
        )

    def read(self, record: Record) -> Iterator[SocialCase]:
        """A case for each agent, or for the one named. Raises ``CaseError``."""
        value = record.value
        episode_id = episode_id_of(value, "episode_id")
        try:
            episode = _episode(value)
        except CaseError as error:
            error.case_id = episode_id if isinstance(episode_id, str) else None
            raise
        yield from cases_of({**episode, "id": episode_id, "episode_id": episode_id}, self.agent)


def _episode(value: dict[str, Any]) -> dict[str, Any]:
    goals = _by_name(value, "social_goals")
    backgrounds = _by_name(value, "agents_background")
    agents = list(dict.fromkeys([*backgrounds, *goals]))
    messages = value.get("raw_messages")
    contexts: dict[str, str] = {}
    if messages:
        turns, contexts = _spoken(messages)
        speakers = [turn["speaker"] for turn in turns]
        agents = list(dict.fromkeys([*(agents or contexts), *speakers]))
    else:
        turns = _rendered(value.get("social_interactions"), agents)
    return {
        "agents": agents,
        "scenario": value.get("scenario"),
        "goals": goals,
        "backgrounds": backgrounds,
        "contexts": contexts,
        "turns": turns,
        "scores": _scores(value, agents),
    }


def _by_name(value: dict[str, Any], field: str) -> dict[str, Any]:
    given = value.get(field)
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise CaseError("an object by agent name", field=field, found=shown(given))
    return given


def _spoken(messages: Any) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The turns, and what the environment told each agent first."""
    turns: list[dict[str, str]] = []
    contexts: dict[str, str] = {}
    if not isinstance(messages, list):
        raise CaseError("a list of rounds", field="raw_messages", found=shown(messages))
    for i, messages_of_round in enumerate(messages):
        if not isinstance(messages_of_round, list):
            raise CaseError(
                "a list of messages", field=f"raw_messages[{i}]", found=shown(messages_of_round)
            )
        for j, message in enumerate(messages_of_round):
            if not (
                isinstance(message, list)
                and len(message) == 3
                and all(isinstance(part, str) for part in message)
            ):
                raise CaseError(
                    "[sender, receiver, text]",
                    field=f"raw_messages[{i}][{j}]",
                    found=shown(message),
                )
            sender, receiver, text = message
            if sender == _ENVIRONMENT:
                contexts.setdefault(receiver, text)
                continue
            kind, said = parse_action(text)
            turns.append({"speaker": sender, "kind": kind, "text": said})
    return turns, contexts


def _rendered(text: Any, agents: list[str]) -> list[dict[str, str]]:
    if not isinstance(text, str):
        raise CaseError(
            "the dialogue in raw_messages or social_interactions",
            field="social_interactions",
            found=shown(text),
        )
    try:
        turns = list(parse_blocks(text, agents))
    except ValueError as error:
        expected, _, found = str(error).removeprefix("expected ").partition(", found ")
        raise CaseError(expected, field="social_interactions", found=found) from None
    return [{"speaker": speaker, "kind": kind, "text": said} for speaker, kind, said in turns]


def _scores(value: dict[str, Any], agents: list[str]) -> dict[str, AgentScores]:
    """Scores by agent; the goal scores that Sotopia-RL adds only where there are no rewards."""
    scores: dict[str, AgentScores] = {}
    reported = False
    for field in ("rewards", "raw_rewards"):
        given = value.get(field)
        if not given:
            continue
        if not isinstance(given, list) or len(given) > len(agents):
            raise CaseError(
                f"a list with one entry for each of {len(agents)} agents",
                field=field,
                found=shown(given),
            )
        reported = True
        for i, (agent, reward) in enumerate(zip(agents, given, strict=False)):
            if scores.get(agent) is None:
                scores[agent] = _of_one(reward, f"{field}[{i}]")
    goals = value.get("scores")
    if not reported and isinstance(goals, dict):
        scores.update({a: goals[a] for a in agents if a in goals})
    return scores


def _of_one(reward: Any, field: str) -> dict[str, float | None] | None:
    if isinstance(reward, list) and len(reward) == 2 and isinstance(reward[1], dict):
        reward = reward[1]
    if isinstance(reward, dict):
        return dict(reward)
    if reward is None or (isinstance(reward, int | float) and not isinstance(reward, bool)):
        return None
    raise CaseError(
        "{dimension: score}, [overall, {dimension: score}] or a number",
        field=field,
        found=shown(reward),
    )
