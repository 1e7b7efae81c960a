"""The rewards of a verdict's steps: of a plan's actions, of an agent's utterances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adjudge.contract import Fault, JsonObject


class NoSteps(Fault, LookupError):
    """The judge gives no rewards by step."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its text, its reward (``None``: not judged, or it never happened), and the rest
    that the judge says about it. ``turn`` is its place in the trajectory."""

    turn: int
    text: str
    reward: float | None
    about: JsonObject


def steps_of(verdict: JsonObject) -> list[Step]:
    """The steps of a verdict, in order; none where there is no trajectory. Raises ``NoSteps``."""
    read = _READ.get(verdict["judge"])
    if read is None:
        raise NoSteps(
            f"judge {verdict['judge']}: expected one that rewards steps ({', '.join(_READ)})"
        )
    return read(verdict["details"])


def _robot(details: JsonObject) -> list[Step]:
    return [
        Step(index, step["action"], step["reward"], {"role": step["role"]})
        for index, step in enumerate(details.get("steps", ()))
    ]


def _social(details: JsonObject) -> list[Step]:
    return [
        Step(
            credit["turn"],
            credit["text"],
            credit["reward"],
            {name: credit[name] for name in ("key", "importance", "direction")},
        )
        for credit in details.get("credits", ())
    ]


_READ: dict[str, Callable[[JsonObject], list[Step]]] = {"robot": _robot, "social": _social}
