"""What a model fills in when it reads an instruction as a goal, and the goal that this makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from adjudge.contract import JsonObject
from adjudge.judges.robot.case import Scene, normal
from adjudge.judges.robot.reading import Audited, Reading

_ROBOT = "robot"


class GoalFact(BaseModel):
    """One thing that is to be true."""

    model_config = ConfigDict(frozen=True)

    relation: Literal["on", "in", "under", "near", "facing", "holding", "in_room", "state"] = Field(
        description="how subject and target stand to each other; state: the subject has that state"
    )
    subject: str = Field(
        min_length=1, max_length=200, description="the name of an object, or robot"
    )
    target: str | None = Field(
        default=None,
        max_length=200,
        description="the name of the other object or of the room, the state word, or null",
    )
    which: Literal["this", "any", "every"] = Field(
        default="this",
        description="the subject itself, any objects of its category, or every one of them",
    )
    how_many: int = Field(
        default=1, ge=1, le=50, description="how many objects at least, where any will do"
    )
    when: Literal["at_end", "at_some_time"] = Field(
        default="at_end",
        description="whether it is to be true at the end, or it is enough that it once was",
    )


class ImpliedStep(BaseModel):
    """One step that the instruction implies without saying so."""

    model_config = ConfigDict(frozen=True)

    action: str = Field(min_length=1, max_length=60, description="the name of an action")
    object: str = Field(min_length=1, max_length=200, description="the name of what it acts on")


class GoalAnswer(BaseModel):
    """An instruction as a flat list of facts, with what it implies besides."""

    model_config = ConfigDict(frozen=True)

    reasoning: str = Field(description="what the instruction asks for, in a sentence or two")
    facts: tuple[GoalFact, ...] = Field(
        max_length=20, description="everything that is to be true; empty if it cannot be said so"
    )
    in_order: bool = Field(
        default=False, description="true if the instruction says that the facts come in this order"
    )
    implied_steps: tuple[ImpliedStep, ...] = Field(
        default=(), max_length=10, description="steps that are implied and not said; often empty"
    )


@dataclass(frozen=True)
class Vocabulary:
    """The state words and actions of the action model that the goal will be checked with."""

    states: tuple[str, ...]
    actions: tuple[str, ...]


def unknown_words(
    given: GoalAnswer, scene: Scene | None, vocabulary: Vocabulary
) -> tuple[str, ...]:
    """The names, state words and actions in it that do not exist, each once, as given.

    Without a scene every object exists.
    """
    names = _names(scene)
    found: dict[str, None] = {}
    for kind, word in _words(given):
        plain = normal(word)
        known = (
            plain in vocabulary.states
            if kind == "state"
            else plain in vocabulary.actions
            if kind == "action"
            else names is None or plain in names or plain == _ROBOT
        )
        if not known:
            found.setdefault(word)
    return tuple(found)


def reading_of(given: GoalAnswer, scene: Scene | None) -> Reading | None:
    """The goal it says, in the goal language; ``None`` where it says none."""
    parts = [_part(fact, scene) for fact in given.facts]
    if not parts:
        return None
    gate: JsonObject = {"all": parts}
    if given.in_order and len(parts) > 1:
        last = [part for part in parts if "once" not in part]
        gate = {"all": [{"in_order": [part.get("once", part) for part in parts]}, *last]}
    return Reading(gate=gate, audit=tuple(_audited(step) for step in given.implied_steps))


def _part(fact: GoalFact, scene: Scene | None) -> JsonObject:
    subject = normal(fact.subject)
    part = _atom(fact, subject)
    if fact.which != "this" and subject != _ROBOT:
        category = "?" + _category(subject, scene)
        each = _atom(fact, "$x")
        if fact.which == "every":
            part = {"forall": ["x", category, each]}
        else:
            part = {"count": ["x", category, fact.how_many, each]}
    return {"once": part} if fact.when == "at_some_time" else part


def _atom(fact: GoalFact, subject: str) -> JsonObject:
    """``{"on": ["book", "bed"]}``; the robot goes without saying where the language has it so."""
    names = [subject, *([normal(fact.target)] if fact.target else [])]
    if fact.relation in ("near", "facing", "holding", "in_room") and subject == _ROBOT:
        names = names[1:]
    if fact.relation in ("facing", "holding"):
        names = names[:1]
    return {fact.relation: names}


def _audited(step: ImpliedStep) -> Audited:
    action, thing = normal(step.action), normal(step.object)
    act = f"{action}({thing})"
    # a device that ran all along needs no turning on
    goal: JsonObject = {"once": {"state": [thing, "on"]}} if action == "toggle_on" else {"did": act}
    return Audited(goal=goal, text=f"the instruction implies {act}, which never happened", step=act)


def _category(name: str, scene: Scene | None) -> str:
    for thing in scene.objects if scene else ():
        if normal(thing.id) == name:
            return thing.kind
    return name


def _names(scene: Scene | None) -> frozenset[str] | None:
    if scene is None:
        return None
    names = {normal(room) for room in scene.rooms}
    for thing in scene.objects:
        names |= {normal(thing.id), thing.kind}
    return frozenset(names)


def _words(given: GoalAnswer) -> Iterator[tuple[Literal["name", "state", "action"], str]]:
    for fact in given.facts:
        yield "name", fact.subject
        if fact.target is not None:
            yield ("state" if fact.relation == "state" else "name"), fact.target
    for step in given.implied_steps:
        yield "action", step.action
        yield "name", step.object
