"""What is known about a social case before anyone is asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Utterance:
    """One of the agent's utterances: its turn id, its key in Sotopia-RL's files, its text.

    ``key`` counts the agent's own utterances from 0, so that no two share one; Sotopia-RL numbers
    pairs of turns, which is the same where the speakers alternate and collides where not.
    """

    turn: int
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class SocialFacts:
    """The utterances to score, in order, and the episode's score where it is known."""

    utterances: tuple[Utterance, ...]
    score: float | None

    @property
    def ids(self) -> tuple[int, ...]:
        """The exact set of turn ids that an answer must hold."""
        return tuple(utterance.turn for utterance in self.utterances)
