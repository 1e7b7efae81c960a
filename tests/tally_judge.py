"""A small judge as any user could write one; tests of runs, the command line and the API use it.

It counts marks. The text of a case can make it fail in the ways that judges fail: ``crash`` raises,
``die`` ends the process, ``wait`` takes a while. What it checks it logs where ``TALLY_LOG`` says.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from adjudge.contract import (
    Ask,
    Bound,
    CaseError,
    Decision,
    Evidence,
    FindingLog,
    Judge,
    Message,
    Method,
    Opinion,
    Published,
    Question,
    Reader,
    Record,
    Reply,
    Scale,
    answer,
)


class TallyCase(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: str | None = None
    text: str = ""
    marks: list[int] = []
    meta: Any = None


class Count(BaseModel):
    value: int


class Native:
    name = "native"

    def detect(self, record: Record) -> bool:
        return True

    def read(self, record: Record) -> Iterable[Any]:
        yield TallyCase.model_validate(record.value)


class Pairs:
    """``{"pairs": [case, case]}``: several cases a record, broken ones in their place."""

    name = "pairs"

    def detect(self, record: Record) -> bool:
        return isinstance(record.value, dict) and "pairs" in record.value

    def read(self, record: Record) -> Iterable[Any]:
        for index, one in enumerate(record.value["pairs"]):
            if isinstance(one, dict):
                yield TallyCase.model_validate(one)
            else:
                yield CaseError("an object", field=f"pairs[{index}]", found=repr(one))


class Counting:
    name = "count"
    needs_model = False
    max_rounds = 0

    def step(self, case: TallyCase, evidence: Any, replies: Mapping[str, Reply]) -> Ask | Opinion:
        if case.text == "no opinion":
            return Opinion(status="skipped", reason="nothing_to_count")
        return Opinion(scores={"score": min(len(case.marks), 4)}, output={"words": case.text})


class Asking:
    name = "ask"
    needs_model = True
    max_rounds = 2

    def step(self, case: TallyCase, evidence: Any, replies: Mapping[str, Reply]) -> Ask | Opinion:
        for key in ("first", "second"):
            if key not in replies:
                message = Message(role="user", content=f"{key}: {case.text}")
                return Ask(questions=(Question(key=key, messages=(message,), form=Count),))
            if replies[key].status != "ok":
                return Opinion(status="invalid", reason=replies[key].reason)
        return Opinion(scores={"score": answer(replies["second"]).value})


class TallyJudge(Judge):
    """Counts marks, at most ``limit``."""

    name: ClassVar[str] = "tally"
    version: ClassVar[str] = "1"
    Case: ClassVar[type[BaseModel]] = TallyCase

    limit: int = Field(default=4, ge=0, le=4, description="the most a case can score")
    tag: str = ""

    def readers(self) -> Mapping[str, Reader]:
        return {"pairs": Pairs(), "native": Native()}

    def check(self, case: TallyCase) -> Evidence[Any]:
        if log_file := os.environ.get("TALLY_LOG"):
            with open(log_file, "a") as log:
                log.write(f"{case.id}\n")
        if case.text.startswith("crash"):
            raise RuntimeError(f"cannot count {case.text}")
        if case.text == "die":
            os._exit(9)
        if case.text == "wait":
            time.sleep(0.005)
        found = FindingLog()
        because: tuple[str, ...] = ()
        if case.marks:
            because = (found.add("marks", "info", {"field": "marks"}, f"{len(case.marks)} marks"),)
        allowed = frozenset(range(self.limit + 1))
        bound = Bound(dimension="score", allowed=allowed, rule="limited", because=because)
        return Evidence(findings=found.all(), bounds=(bound,), facts=None)

    def scales(self, case: TallyCase) -> Mapping[str, Scale]:
        return {"score": Scale.ordinal(0, 4)}

    def methods(self) -> Mapping[str, Method]:
        return {"count": Counting(), "ask": Asking()}

    def publish(self, case: TallyCase, evidence: Evidence[Any], decision: Decision) -> Published:
        score = decision.scores.get("score")
        if not isinstance(score, int):
            return Published(output={}, details={})
        error = {"kind": "few_marks"} if score < 2 else None
        return Published(
            output={"score": score},
            details={"trace": {"error": error}},
            success=score >= 3,
            reward=score / 4,
        )
