"""The judge that a rubric is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from adjudge.contract import Decision, Evidence, Judge, Method, Published, Reader, Scale
from adjudge.judges.rubric.agent import Way, agent_texts
from adjudge.judges.rubric.case import RubricCase, RubricReader, case_model
from adjudge.judges.rubric.check import RubricFacts, evidence_of
from adjudge.judges.rubric.compiled import Compiled
from adjudge.judges.rubric.described import described
from adjudge.judges.rubric.load import load_rubric, read_rubric, rubric_of
from adjudge.judges.rubric.made import Made, made
from adjudge.judges.rubric.material import material_of
from adjudge.judges.rubric.methods import BoundsMethod, LlmMethod
from adjudge.judges.rubric.outcome import reward_of, success_of


class RubricJudge(Judge, metaclass=Made):
    """Scores cases by a rubric of one's own. Each rubric is a class of its own, made from it."""

    compiled: ClassVar[Compiled]
    content: ClassVar[str]

    max_characters: int = Field(
        default=60_000, ge=200, description="characters of each field that a model is shown"
    )
    always_ask: bool = Field(
        default=False, description="ask a model even where the bounds leave one value of each"
    )

    @cached_property
    def _readers(self) -> Mapping[str, Reader]:
        reader = RubricReader(self.compiled.rubric.input, self.Case)
        return {reader.name: reader}

    def readers(self) -> Mapping[str, Reader]:
        """``fields``: objects with the rubric's fields."""
        return self._readers

    def check(self, case: RubricCase) -> Evidence[RubricFacts]:
        """Try each rule, and look for text that speaks to the judge."""
        plain = case.plain()
        rubric = self.compiled.rubric
        material = material_of(plain, rubric.input, self.max_characters)
        return evidence_of(plain, self.compiled.rules, self.compiled.scales, material)

    def scales(self, case: Any) -> Mapping[str, Scale]:
        """The rubric's dimensions."""
        return self.compiled.scales

    def methods(self) -> Mapping[str, Method]:
        """``bounds`` and ``llm``."""
        llm = LlmMethod(self.compiled.rubric, self.content, self.always_ask)
        return {"bounds": BoundsMethod(), "llm": llm}

    def agent_texts(self, case: RubricCase) -> Sequence[Way]:
        """The texts that the rubric marks with ``agent``."""
        return agent_texts(self.compiled.agent, case.plain())

    def publish(
        self, case: RubricCase, evidence: Evidence[RubricFacts], decision: Decision
    ) -> Published:
        """Each dimension's value and, where a model was asked, the reasons."""
        if decision.opinion is None:
            return Published(output={}, details={})
        return Published(
            output={**decision.scores, **decision.opinion.output},
            details={},
            success=success_of(self.compiled, decision.scores),
            reward=reward_of(self.compiled, decision.scores),
        )


def judge_in_file(path: str) -> type[RubricJudge]:
    """The judge of the rubric in a file. Raises ``RubricError``."""
    return _judge_of(load_rubric(path))


def judge_in_text(text: str, name: str = "rubric") -> type[RubricJudge]:
    """The judge of the rubric in a text; ``name`` is what errors call it. Raises
    ``RubricError``."""
    return _judge_of(read_rubric(text, name))


def _judge_of(compiled: Compiled) -> type[RubricJudge]:
    return rubric_judge(compiled.rubric.content())


@lru_cache(maxsize=64)
def rubric_judge(content: str) -> type[RubricJudge]:
    """The judge of a rubric's ``content``: the same class for the same content."""
    compiled = rubric_of(json.loads(content), "rubric")
    rubric = compiled.rubric
    case: type[BaseModel] = case_model("RubricCase", rubric.input, RubricCase)
    kind: type[RubricJudge] = Made(
        "RubricJudge",
        (RubricJudge,),
        {
            "__module__": __name__,
            "__qualname__": "RubricJudge",
            "__doc__": described(rubric),
            "__annotations__": {},
            "name": rubric.name,
            "version": rubric.version,
            "Case": case,
            "compiled": compiled,
            "content": content,
        },
    )
    made(kind, rubric_judge, content)
    made(case, _case_of, content)
    return kind


def _case_of(content: str) -> type[BaseModel]:
    return rubric_judge(content).Case
