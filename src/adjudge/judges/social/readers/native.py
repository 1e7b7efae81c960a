"""Adjudge's own format of a dialogue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adjudge.contract import CaseError, Record
from adjudge.judges.invalid import shown
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.readers.by_agent import cases_of


@dataclass(frozen=True, slots=True)
class NativeReader:
    """One JSON object an episode: the fields of ``SocialCase``, ``agent`` optional."""

    agent: str | None = None
    name: str = "native"

    def detect(self, record: Record) -> bool:
        """Whatever no other reader knows is taken for native, and told what it lacks."""
        return True

    def read(self, record: Record) -> Iterator[SocialCase]:
        """A case for each agent, or for the one named. Raises ``CaseError``."""
        value = record.value
        if not isinstance(value, dict):
            raise CaseError("a JSON object with agents, goals and turns", found=shown(value))
        yield from cases_of(value, self.agent)
