"""A robot case: an instruction, maybe a scene, and a plan or the trace of one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Any, Literal

from annotated_types import Len
from pydantic import BaseModel, ConfigDict, Field, model_validator

from adjudge.judges.robot.graph import SceneGraph

Relation = Literal["room", "on", "in", "at", "under"]

_TRAILING_NUMBER = re.compile(r"[_\s-]*\d+$")


@lru_cache(maxsize=65_536)
def normal(name: str) -> str:
    """A name as it is compared: lower case, blanks and hyphens as underscores.

    >>> normal("Coffee Mug"), normal("trash-can")
    ('coffee_mug', 'trash_can')
    """
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split())


@lru_cache(maxsize=65_536)
def default_category(name: str) -> str:
    """An id less its trailing number; a name that is only a number stays itself.

    >>> default_category("apple_1"), default_category("mug2"), default_category("7")
    ('apple', 'mug', '7')
    """
    plain = normal(name)
    return _TRAILING_NUMBER.sub("", plain) or plain


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class SceneObject(_Part):
    """One thing in the scene: at most one place, what it is like, what can be done with it."""

    id: str = Field(min_length=1)
    category: str | None = None
    room: str | None = None
    on: str | None = None
    in_: str | None = Field(default=None, alias="in")
    at: str | None = None
    under: str | None = None
    states: list[str] = Field(default_factory=list)
    affordances: list[str] | None = None

    @property
    def kind(self) -> str:
        """The category, given or taken from the id, in its compared form."""
        return normal(self.category) if self.category else default_category(self.id)

    def place(self) -> tuple[Relation, str] | None:
        """Relation and the room or object it points to, or ``None`` where unsaid."""
        for relation, target in self.places():
            return relation, target
        return None

    def places(self) -> list[tuple[Relation, str]]:
        """Every place given; a valid object has at most one."""
        given: tuple[tuple[Relation, str | None], ...] = (
            ("room", self.room),
            ("on", self.on),
            ("in", self.in_),
            ("at", self.at),
            ("under", self.under),
        )
        return [(relation, target) for relation, target in given if target is not None]


class Robot(_Part):
    """Where the robot starts; what is left out (or null) is unknown."""

    room: str | None = None
    near: str | None = None
    holding: list[str] | None = None


class Scene(_Part):
    """A closed world: rooms, doors between them, objects, the robot."""

    rooms: list[str] = []
    doors: list[Annotated[list[str], Len(2, 2)]] = []
    objects: list[SceneObject] = []
    robot: Robot = Robot()


class Trace(_Part):
    """What another simulator or a real robot did; it is believed."""

    executed: list[str]
    status: Literal["success", "failed"]
    error: str | None = None
    remaining: list[str] = []


class RobotCase(_Part):
    """One plan to judge. Give ``plan`` to have it simulated, or ``trace`` if something ran it.

    ``graph`` is a scene in the form of VirtualHome's, in place of ``scene``. ``domain`` names the
    action model that the plan is written for. ``goal_source`` says who gave the goal: the case
    itself, or the data set that its reader took it from.
    """

    id: str | None = None
    instruction: str
    scene: Scene | None = None
    graph: SceneGraph | None = None
    domain: str | None = None
    relations: list[str] | None = None
    plan: list[str] | None = None
    goal: dict[str, Any] | None = None
    goal_source: Literal["case", "reader"] = "case"
    trace: Trace | None = None
    meta: Any = None
    label: Any = None
    expect: Any = None

    @model_validator(mode="after")
    def _one_of_plan_and_trace(self) -> RobotCase:
        if (self.plan is None) == (self.trace is None):
            found = "neither" if self.plan is None else "both"
            raise ValueError(f"expected either plan or trace, found {found}")
        if self.scene is not None and self.graph is not None:
            raise ValueError("expected either scene or graph, found both")
        return self
