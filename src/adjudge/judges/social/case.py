"""A social case: a finished dialogue, seen from one of its agents."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from adjudge.judges.social.dimensions import Dimension

Kind = Literal["speak", "non-verbal communication", "action", "leave", "none"]
"""What an agent did in a turn; ``none`` is "did nothing", every other kind is an utterance."""

DID_NOTHING = "did nothing"
LEFT = "left the conversation"

AgentScores = dict[str, float | None] | float | None
"""One agent's episode-level scores by dimension; a bare number is the score for the goal."""


def kind_of(text: str) -> Kind:
    """The kind of a turn of which only the text is known.

    >>> kind_of("did nothing"), kind_of("left the conversation"), kind_of(" "), kind_of("Hello!")
    ('none', 'leave', 'none', 'speak')
    """
    plain = text.strip()
    if plain in ("", DID_NOTHING):
        return "none"
    return "leave" if plain == LEFT else "speak"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Turn(_Part):
    """One turn: who, what, and of which kind (told from the text where it is left out)."""

    speaker: str = Field(min_length=1)
    text: str = ""
    kind: Kind = "speak"

    @model_validator(mode="before")
    @classmethod
    def _infer_kind(cls, value: Any) -> Any:
        if isinstance(value, dict) and value.get("kind") is None:
            text = value.get("text", "")
            return {**value, "kind": kind_of(text) if isinstance(text, str) else "speak"}
        return value

    @property
    def acted(self) -> bool:
        """Whether the turn is an utterance."""
        return self.kind != "none"

    @property
    def natural(self) -> str:
        """What happened, in SOTOPIA's words: ``said: "Hi"``, ``[action] waves`` …"""
        return f'said: "{self.text}"' if self.kind == "speak" else self.shown

    @property
    def shown(self) -> str:
        """The same, with speech as it was spoken.

        >>> Turn(speaker="A", text="smile", kind="action").shown, Turn(speaker="A", text="Hi").shown
        ('[action] smile', 'Hi')
        """
        if self.kind == "speak":
            return self.text
        if self.kind == "none":
            return DID_NOTHING
        return LEFT if self.kind == "leave" else f"[{self.kind}] {self.text}"


class SocialCase(_Part):
    """An episode and the agent whose utterances are judged.

    Turn ids are positions in ``turns``, from 0. ``agents`` are whole names; left out, they are
    those with a goal and then those who speak. ``scores`` are the episode's, by agent, and
    ``contexts`` what each agent was told before it began.
    """

    id: str | None = None
    episode_id: str | None = None
    agent: str = Field(min_length=1)
    agents: list[str] = []
    scenario: str | None = None
    goals: dict[str, str | None] = {}
    backgrounds: dict[str, str | None] = {}
    contexts: dict[str, str | None] = {}
    turns: list[Turn]
    scores: dict[str, AgentScores] = {}
    meta: Any = None
    label: Any = None
    expect: Any = None

    @model_validator(mode="before")
    @classmethod
    def _name_agents(cls, value: Any) -> Any:
        if isinstance(value, dict) and not value.get("agents"):
            return {**value, "agents": agents_in(value)}
        return value

    @model_validator(mode="after")
    def _check_agents(self) -> SocialCase:
        if len(set(self.agents)) < len(self.agents):
            twice = next(name for name in self.agents if self.agents.count(name) > 1)
            raise ValueError(f"expected agents with names of their own, found {twice!r} twice")
        if self.agent not in self.agents:
            raise ValueError(
                f"expected one of the agents {listed(self.agents)}, found {self.agent!r}"
            )
        for field, by_agent in (("goals", self.goals), ("scores", self.scores)):
            for name in by_agent:
                if name not in self.agents:
                    raise ValueError(
                        f"expected {field} by agent ({listed(self.agents)}), found {name[:60]!r}"
                    )
        return self

    def own_turns(self) -> list[int]:
        """The ids of the agent's utterances, in order."""
        return [i for i, t in enumerate(self.turns) if t.acted and t.speaker == self.agent]

    def score(self, dimension: Dimension) -> float | None:
        """The agent's episode score on ``dimension``; ``None`` where it is not known."""
        given = self.scores.get(self.agent)
        if isinstance(given, dict):
            return given.get(dimension.key, given.get(dimension.name))
        return given if dimension.name == "goal" else None


def agents_in(value: dict[str, Any]) -> list[str]:
    """The agents that a record names: those with a goal, then those who speak."""
    goals, turns = value.get("goals"), value.get("turns")
    names = list(goals) if isinstance(goals, dict) else []
    for turn in turns if isinstance(turns, list) else ():
        speaker = turn.get("speaker") if isinstance(turn, dict) else getattr(turn, "speaker", None)
        if isinstance(speaker, str) and speaker:
            names.append(speaker)
    return list(dict.fromkeys(names))


def listed(names: list[str]) -> str:
    """Names in an error: at most eight, each quoted."""
    shown = ", ".join(repr(name[:60]) for name in names[:8])
    return f"{shown} and {len(names) - 8} more" if len(names) > 8 else shown or "none"
