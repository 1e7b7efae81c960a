"""A judge without its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel

from adjudge.contract import (
    Ask,
    Decision,
    Evidence,
    Judge,
    Method,
    Opinion,
    Published,
    Reader,
    Reply,
    Scale,
)


class _Bare(Judge):
    inner: Judge

    def readers(self) -> Mapping[str, Reader]:
        return self.inner.readers()

    def is_part(self, value: Any) -> bool:
        return self.inner.is_part(value)

    def check(self, case: Any) -> Evidence[Any]:
        return _unbounded(self.inner.check(case))

    def scales(self, case: Any) -> Mapping[str, Scale]:
        return self.inner.scales(case)

    def methods(self) -> Mapping[str, Method]:
        return {name: _BareMethod(method) for name, method in self.inner.methods().items()}

    def publish(self, case: Any, evidence: Evidence[Any], decision: Decision) -> Published:
        return self.inner.publish(case, evidence, decision)


def bare_judge(judge: Judge) -> Judge:
    """The same judge with no bound on anything: what a model answers stands, and it is always
    asked. Findings stay, also in the prompts."""
    inner = judge

    class Bare(_Bare):
        name: ClassVar[str] = inner.name
        version: ClassVar[str] = inner.version
        Case: ClassVar[type[BaseModel]] = inner.Case

    return Bare(inner=judge)


@dataclass(frozen=True)
class _BareMethod:
    inner: Method

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def needs_model(self) -> bool:
        return self.inner.needs_model

    @property
    def max_rounds(self) -> int:
        return self.inner.max_rounds

    def step(
        self, case: Any, evidence: Evidence[Any], replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        step = self.inner.step(case, evidence, replies)
        if isinstance(step, Opinion) and step.evidence is not None:
            return step.model_copy(update={"evidence": _unbounded(step.evidence)})
        return step


def _unbounded(evidence: Evidence[Any]) -> Evidence[Any]:
    return evidence.model_copy(update={"bounds": ()})
