"""Method ``grounded``: a model says what the instruction asks for, and code judges by that goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from adjudge.contract import Ask, BoundsConflict, Message, Opinion, Question, Reply, answer
from adjudge.judges.prompting import as_json, fence, render
from adjudge.judges.robot.case import RobotCase, Scene
from adjudge.judges.robot.goal_form import GoalAnswer, Vocabulary, reading_of, unknown_words
from adjudge.judges.robot.graph_layout import layout
from adjudge.judges.robot.material import DEFAULT_LIMITS, Limits, listed, quoted, scene_block
from adjudge.judges.robot.methods.settled import (
    Explain,
    RobotEvidence,
    allowed_scores,
    conflicting,
    lowest,
)
from adjudge.judges.robot.reading import Reading

_PACKAGE = "adjudge.judges.robot"
_GOAL = "goal"
_AGAIN = "goal-names"

Prove = Callable[[RobotCase, Reading], RobotEvidence]
"""The evidence on a case once its goal is known to be this; ``ValueError`` where it is no goal."""
VocabularyOf = Callable[[RobotCase], Vocabulary]
"""The words of the action model that a case is judged with."""


@dataclass(frozen=True, slots=True)
class GroundedMethod:
    """Asks a model for the goal where none is known, has it proved, takes the lowest score left.

    The question depends on instruction and scene alone, so that many plans for one task ask once.
    Names that the scene lacks are asked for once more, then the opinion is ``invalid``; a goal that
    cannot be said in the goal language is ``skipped`` with reason ``goal_unknown``.
    """

    prove: Prove
    explain: Explain
    vocabulary_of: VocabularyOf
    limits: Limits = DEFAULT_LIMITS
    name: str = "grounded"
    needs_model: bool = True
    max_rounds: int = 2

    def step(
        self, case: RobotCase, evidence: RobotEvidence, replies: Mapping[str, Reply]
    ) -> Ask | Opinion:
        """The next question, or the opinion."""
        try:
            settled = len(allowed_scores(evidence)) == 1
        except BoundsConflict as conflict:
            return conflicting(conflict)
        if settled or evidence.facts.goal is not None:
            return lowest(case, evidence, self.explain)
        first = replies.get(_GOAL)
        if first is None:
            return Ask(
                questions=(Question(key=_GOAL, messages=self._asked(case), form=GoalAnswer),)
            )
        if first.status != "ok":
            return Opinion(status=first.status, reason=first.reason)
        given: GoalAnswer = answer(first)
        if unknown := unknown_words(given, layout(case), self.vocabulary_of(case)):
            again = replies.get(_AGAIN)
            if again is None:
                messages = (*self._asked(case), *self._corrected(case, given, unknown))
                return Ask(questions=(Question(key=_AGAIN, messages=messages, form=GoalAnswer),))
            if again.status != "ok":
                return Opinion(status=again.status, reason=again.reason)
            given = answer(again)
            if unknown := unknown_words(given, layout(case), self.vocabulary_of(case)):
                return Opinion(status="invalid", reason=f"unknown_names: {as_json(unknown)}")
        return self._judged(case, given)

    def _judged(self, case: RobotCase, given: GoalAnswer) -> Opinion:
        reading = reading_of(given, layout(case))
        if reading is None:
            return Opinion(status="skipped", reason="goal_unknown")
        try:
            proved = self.prove(case, reading)
        except ValueError as error:
            return Opinion(status="invalid", reason=f"bad_goal: {error}")
        opinion = lowest(case, proved, self.explain)
        return opinion.model_copy(update={"evidence": proved})

    def _asked(self, case: RobotCase) -> tuple[Message, ...]:
        scene = layout(case)
        system = render(_PACKAGE, "goal_system", **self._words(case))
        user = render(
            _PACKAGE,
            "goal_user",
            instruction=quoted(case.instruction, self.limits.text),
            scene=scene_block(scene, (case.instruction,), self.limits)
            if scene
            else "none was given.",
        )
        return Message(role="system", content=system), Message(role="user", content=user)

    def _corrected(
        self, case: RobotCase, given: GoalAnswer, unknown: tuple[str, ...]
    ) -> tuple[Message, ...]:
        scene = layout(case)
        text = render(
            _PACKAGE,
            "goal_again",
            unknown=as_json(unknown),
            names=self._names(scene) if scene else "",
            **self._words(case),
        )
        said = fence(given.model_dump_json(), "json")
        return Message(role="assistant", content=said), Message(role="user", content=text)

    def _names(self, scene: Scene) -> str:
        names = dict.fromkeys([*scene.rooms, *(thing.id for thing in scene.objects)])
        return listed(list(names), self.limits.objects, self.limits.line, "names")

    def _words(self, case: RobotCase) -> Mapping[str, str]:
        words = self.vocabulary_of(case)
        return {"states": ", ".join(words.states), "actions": ", ".join(words.actions)}
