"""What the instruction rules make of an instruction."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.contract import JsonObject


@dataclass(frozen=True, slots=True)
class Audited:
    """One thing the logic audit wants besides the goal, and what to say where it is missing.

    ``text`` is a whole sentence part such as "wash implies running water: toggle_on(faucet) never
    executed"; ``step`` the act that would supply it ("toggle_on(faucet)").
    """

    goal: JsonObject
    text: str
    step: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """An instruction as a goal, in the goal language (see ``goals``).

    ``gate`` decides completion, ``audit`` what is wanted besides. ``presupposed`` are facts (goal
    language atoms, ``{"not": atom}`` allowed) that the instruction takes for granted about the
    start. One delivery of an object in ``free_delivery`` after the goal holds costs nothing.
    ``instance`` says whether a particular object was singled out where several would fit.
    """

    gate: JsonObject
    audit: tuple[Audited, ...] = ()
    presupposed: tuple[JsonObject, ...] = ()
    free_delivery: tuple[str, ...] = ()
    instance: bool = False


@dataclass(frozen=True, slots=True)
class NoReading:
    """Why the rules gave no goal: they answer only when sure."""

    reason: str
