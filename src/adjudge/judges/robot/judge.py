"""The robot judge: did the plan do what the instruction says, proved as far as it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field, field_validator

from adjudge.contract import Decision, Evidence, Judge, Method, Published, Reader, Scale
from adjudge.judges.robot.analysis import Options, Proof, PurposeOf, prove
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.domains import Domain, load_domain
from adjudge.judges.robot.evidence import FORGED, evidence_of
from adjudge.judges.robot.explain import explain
from adjudge.judges.robot.facts import RobotFacts
from adjudge.judges.robot.goal_form import Vocabulary
from adjudge.judges.robot.goal_reader import GoalError
from adjudge.judges.robot.instruction import read_instruction
from adjudge.judges.robot.methods import GroundedMethod, LlmMethod, SymbolicMethod
from adjudge.judges.robot.published import details_of
from adjudge.judges.robot.purpose import Purpose, given_purpose, read_purpose
from adjudge.judges.robot.readers import READERS
from adjudge.judges.robot.reading import NoReading, Reading
from adjudge.judges.robot.task import task_in
from adjudge.judges.robot.verbs import VerbTable, default_verbs, load_verbs
from adjudge.judges.robot.words import check_words
from adjudge.judges.robot.world import World

_TOP = 4
_USUAL_DOMAIN = "household"


class RobotJudge(Judge):
    """Scores a plan 0 to 4 from what executed, with the goal, the audit and the shortest way.

    ``domain``: an action model by name, or the path of a table of the same form (default: the
    case's own, else ``household``). ``hands``: how many things the robot can hold (default: the
    domain's). ``strict``: nothing is assumed about the start, a step that rests on a place nobody
    stated fails. ``reach``: the robot reaches what it is near, or all that is in its room.
    ``navigation_goals``: a plan that only navigates may reach a goal that is only a place,
    nearness or facing. ``goal_bounds``: ``soft`` lets a
    model overrule a goal that was read off the instruction. ``verbs``: a file with more verbs.
    ``always_ask``: method ``llm`` asks a model where the score is settled as well.
    ``system_template``, ``user_template``, ``examples``: texts in place of the prompts' own, see
    ``render_messages``.
    """

    name: ClassVar[str] = "robot"
    version: ClassVar[str] = "1"
    Case: ClassVar[type[BaseModel]] = RobotCase

    domain: str | None = None
    hands: int | None = Field(default=None, ge=1, le=100)
    strict: bool = False
    reach: Literal["near", "room"] = "near"
    navigation_goals: bool = False
    goal_bounds: Literal["hard", "soft"] = "hard"
    verbs: Path | None = None
    always_ask: bool = False
    system_template: str | None = Field(default=None, repr=False)
    user_template: str | None = Field(default=None, repr=False)
    examples: str | None = Field(default=None, repr=False)

    @field_validator("domain")
    @classmethod
    def _domain_is_there(cls, name: str | None) -> str | None:
        if name is not None:
            check_words(load_domain(name))
        return name

    @field_validator("verbs")
    @classmethod
    def _verbs_are_there(cls, file: Path | None) -> Path | None:
        if file is not None:
            load_verbs(file)
        return file

    @cached_property
    def _models(self) -> dict[str, Domain]:
        return {}

    def model(self, case: RobotCase | None = None) -> Domain:
        """The action model of a case, or of cases that name none. Raises ``DomainError``."""
        name = self.domain or (case.domain if case is not None else None) or _USUAL_DOMAIN
        if name not in self._models:
            domain = check_words(load_domain(name))
            self._models[name] = domain if self.hands is None else replace(domain, hands=self.hands)
        return self._models[name]

    @cached_property
    def verb_table(self) -> VerbTable:
        """The verbs that instructions are read with."""
        return default_verbs() if self.verbs is None else load_verbs(self.verbs)

    def readers(self) -> Mapping[str, Reader]:
        """Format name to reader."""
        return {reader.name: reader for reader in READERS}

    def scales(self, case: Any) -> Mapping[str, Scale]:
        """One dimension, ``score``, 0 to 4."""
        return {"score": Scale.ordinal(0, _TOP)}

    def methods(self) -> Mapping[str, Method]:
        """``symbolic``, ``llm`` and ``grounded``. Raises ``TemplateError``."""
        llm = LlmMethod(
            explain,
            always_ask=self.always_ask,
            system_template=self.system_template,
            user_template=self.user_template,
            examples=self.examples,
        )
        grounded = GroundedMethod(self.check_goal, explain, self._vocabulary)
        return {"symbolic": SymbolicMethod(explain), "llm": llm, "grounded": grounded}

    def check(self, case: RobotCase) -> Evidence[RobotFacts]:
        """Simulate the plan (or believe the trace) and bound the score by what that proves."""
        proof, no_goal = self.prove(case)
        return self._evidence(case, proof, no_goal)

    def check_goal(self, case: RobotCase, reading: Reading) -> Evidence[RobotFacts]:
        """The same for a goal that a model read. Raises ``GoalError`` (a ``ValueError``)."""

        def purpose_of(world: World, named: Any) -> Purpose:
            return read_purpose(world, reading, named, "model")

        return self._evidence(case, self._prove(case, purpose_of), None)

    def prove(self, case: RobotCase) -> tuple[Proof, str | None]:
        """The proof, and why there is no goal where there is none."""
        no_goal: str | None = None

        def purpose_of(world: World, named: Any) -> Purpose | None:
            nonlocal no_goal
            try:
                if case.goal is not None:
                    return given_purpose(world, case.goal, named, case.goal_source)

                def read(task: str) -> Reading | NoReading:
                    return read_instruction(task, world.lexicon, self.verb_table)

                def readable(task: str) -> bool:
                    return not isinstance(read(task), NoReading)

                reading = read(task_in(case.instruction, readable, fields=FORGED))
                if isinstance(reading, NoReading):
                    no_goal = reading.reason
                    return None
                return read_purpose(world, reading, named, "instruction")
            except GoalError as error:
                no_goal = str(error)
                return None

        return self._prove(case, purpose_of), no_goal

    def _prove(self, case: RobotCase, purpose_of: PurposeOf) -> Proof:
        options = Options(
            navigation_goals=self.navigation_goals, strict=self.strict, reach=self.reach
        )
        return prove(case, self.model(case), purpose_of, options)

    def _vocabulary(self, case: RobotCase) -> Vocabulary:
        domain = self.model(case)
        return Vocabulary(states=tuple(domain.states), actions=tuple(domain.actions))

    def _evidence(self, case: RobotCase, proof: Proof, no_goal: str | None) -> Evidence[RobotFacts]:
        soft = self.goal_bounds == "soft"
        return evidence_of(case, proof, soft_goals=soft, no_goal=no_goal)

    def publish(
        self, case: RobotCase, evidence: Evidence[RobotFacts], decision: Decision
    ) -> Published:
        """``summary, execution_analysis, evaluate, score, success_boolean`` and the details."""
        score = decision.scores.get("score")
        details = details_of(evidence.facts)
        if not isinstance(score, int) or decision.opinion is None:
            return Published(output={}, details=details)
        said = decision.opinion.output or explain(case, evidence)
        return Published(
            output={**said, "score": score, "success_boolean": score >= 3},
            details=details,
            success=score >= 3,
            reward=score / _TOP,
        )
