"""What a rubric says, as its author wrote it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator
from pydantic import model_validator as validator

from adjudge.contract import Scale
from adjudge.judges.invalid import shown

Kind = Literal["text", "number", "integer", "boolean", "list", "object", "choice", "any"]
_KINDS = ("text", "number", "integer", "boolean", "list", "object", "any")
_WIDEST = 1_000
_RANGE = re.compile(
    r"(real\s+)?(-?\d{1,9}(?:\.\d{1,9})?)\s*(?:-|\.\.|to)\s*(-?\d{1,9}(?:\.\d{1,9})?)"
)
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
RuleName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=50_000)]


class _Part(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, populate_by_name=True
    )


class InputField(_Part):
    """A field of a case: its type, and what its parts are.

    ``of`` says what a list's elements or an object's fields are, and becomes ``element`` and
    ``fields``. ``show``: a model is shown it. ``path`` (``from``) is where in a record it stands,
    such as ``choices[0].message.content``. ``agent`` marks the words of the agent that is judged;
    in the elements of a list it may be a condition on the element.
    """

    type: Kind = "text"
    optional: bool = False
    about: Text | None = None
    element: InputField | None = None
    fields: dict[str, InputField] | None = None
    choices: tuple[str, ...] = ()
    show: bool = True
    agent: bool | Text = False
    path: str | None = Field(
        default=None, alias="from", pattern=r"^[^.\[\]]+(\.[^.\[\]]+|\[\d+\])*$"
    )

    @validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        """``text``, ``optional text``, ``text, what it is``, ``[choice, choice]``, and what they
        mean."""
        if isinstance(value, list):
            if not value or not all(isinstance(one, str) for one in value):
                raise ValueError(f"expected a list of texts to choose from, found {shown(value)}")
            return {"type": "choice", "choices": tuple(value)}
        if isinstance(value, str):
            kind, _, about = value.partition(",")
            value = {"type": kind, **({"about": about} if about.strip() else {})}
        if not isinstance(value, dict):
            raise ValueError(f"expected a type ({', '.join(_KINDS)}), found {shown(value)}")
        made = dict(value)
        if isinstance(made.get("choices"), list):
            made["choices"] = tuple(made["choices"])
        kind = made.get("type", "list" if "of" in made else "text")
        if isinstance(kind, list):
            return {**made, "type": "choice", "choices": tuple(kind)}
        if isinstance(kind, str):
            made["type"] = kind.strip().removeprefix("optional ").strip()
            made["optional"] = made.get("optional", kind.strip().startswith("optional "))
        else:
            made["type"] = kind
        if made["type"] not in (*_KINDS, "choice"):
            raise ValueError(f"expected a type ({', '.join(_KINDS)}), found {shown(made['type'])}")
        return _parts(made)


def _parts(made: dict[str, Any]) -> dict[str, Any]:
    """``of`` as what it stands for."""
    if "of" not in made:
        return made
    of = made.pop("of")
    if made["type"] == "object" and isinstance(of, dict):
        return {**made, "fields": of}
    if made["type"] != "list" or not of:
        raise ValueError(
            "expected `of` with what a list's elements are, or with an object's fields, found it "
            f"with the type {made['type']}"
        )
    return {**made, "element": {"type": "object", "fields": of} if isinstance(of, dict) else of}


class Dimension(_Part):
    """What is scored: its scale, what it is about, what single values mean, and whether (or
    when) it can be not applicable."""

    scale: str | tuple[str, ...]
    about: Text | None = None
    anchors: dict[str, Text] = {}
    nullable: bool | Text = False

    @field_validator("scale", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("anchors", mode="before")
    @classmethod
    def _told(cls, value: Any) -> Any:
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else value

    @validator(mode="after")
    def _possible(self) -> Dimension:
        scale = self.values
        for anchor in self.anchors:
            try:
                number = float(anchor) if scale.kind == "real" else int(anchor)
            except ValueError:
                number = -1
            if not scale.holds(anchor if scale.kind == "choice" else number):
                raise ValueError(f"expected anchors for values on the scale, found {anchor[:40]!r}")
        return self

    @property
    def values(self) -> Scale:
        """The scale itself. Raises ``ValueError``."""
        nullable = bool(self.nullable)
        if isinstance(self.scale, tuple):
            if len(set(self.scale)) < max(2, len(self.scale)):
                raise ValueError(
                    f"expected two or more different choices, found {shown(self.scale)}"
                )
            return Scale.choice(self.scale, nullable=nullable)
        range_ = _RANGE.fullmatch(self.scale.strip())
        if range_ is None or float(range_[2]) >= float(range_[3]):
            raise ValueError(
                f"expected a scale such as 1-5, 0.0-1.0 or [fail, pass], found {self.scale[:40]!r}"
            )
        if range_[1] or "." in range_[2] + range_[3]:
            return Scale.real(float(range_[2]), float(range_[3]), nullable=nullable)
        low, high = int(range_[2]), int(range_[3])
        if high - low > _WIDEST:
            raise ValueError(f"expected at most {_WIDEST:,} values, found {self.scale!r}")
        return Scale.ordinal(low, high, nullable=nullable)


Allowed = str | int | float | None | tuple[str | int | float | None, ...]


class BoundRule(_Part):
    """Where ``when`` is true, each dimension in ``allow`` is held to the values said. A ``soft``
    rule only flags."""

    when: Text
    allow: dict[Name, Allowed] = Field(min_length=1)
    soft: bool = False
    text: Text | None = None

    @field_validator("allow", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}


class Rubric(_Part):
    """A whole rubric."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")
    version: str = "1"
    instructions: Text
    input: dict[Name, InputField] = Field(min_length=1, max_length=50)
    dimensions: dict[Name, Dimension] = Field(min_length=1, max_length=50)
    bounds: dict[RuleName, BoundRule] = Field(default={}, max_length=200)
    success: Text | None = None
    reward: Text | None = None
    template: str | None = None

    @field_validator("version", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) else value

    def content(self) -> str:
        """The rubric as one JSON text, the same for rubrics that say the same."""
        return self.model_dump_json(by_alias=True, exclude_defaults=True)
