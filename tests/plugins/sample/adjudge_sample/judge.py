"""A judge that counts the words of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from adjudge import Evidence, Judge, Method, Opinion, Published, Reader, Record, Scale
from adjudge.contract import Decision


class LengthCase(BaseModel):
    """One answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str | None = None
    answer: str


class Plain:
    """One JSON object in the form of ``LengthCase``."""

    name = "plain"

    def detect(self, record: Record) -> bool:
        """Whether it is an object."""
        return isinstance(record.value, dict)

    def read(self, record: Record) -> Iterator[LengthCase]:
        """The case."""
        yield LengthCase.model_validate(record.value)


class Counting:
    """Scores without a model."""

    name = "count"
    needs_model = False
    max_rounds = 0

    def step(self, case: Any, evidence: Any, replies: Any) -> Opinion:
        """The opinion."""
        return Opinion(scores={"length": min(len(case.answer.split()), 5)})


class LengthJudge(Judge):
    """Scores an answer by its words, up to 5."""

    name: ClassVar[str] = "lengths"
    version: ClassVar[str] = "1"
    Case: ClassVar[type[BaseModel]] = LengthCase

    def readers(self) -> Mapping[str, Reader]:
        """``plain``."""
        return {"plain": Plain()}

    def check(self, case: Any) -> Evidence[None]:
        """Nothing is proved."""
        return Evidence(findings=(), bounds=(), facts=None)

    def scales(self, case: Any) -> Mapping[str, Scale]:
        """``length``, 0 to 5."""
        return {"length": Scale.ordinal(0, 5)}

    def methods(self) -> Mapping[str, Method]:
        """``count``."""
        return {"count": Counting()}

    def publish(self, case: Any, evidence: Evidence[Any], decision: Decision) -> Published:
        """The score."""
        return Published(output=dict(decision.scores), details={})
