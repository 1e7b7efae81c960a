"""Clauses to a reading: what each asks for, pronouns, order, and what later clauses undo."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.entities import Entities, Entity
from adjudge.judges.robot.instruction.mentions import Load, Mentions
from adjudge.judges.robot.instruction.resolve import Resolver
from adjudge.judges.robot.instruction.shapes import (
    arguments,
    atom,
    every,
    once,
    substituted,
    variables,
)
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.nouns import squash
from adjudge.judges.robot.reading import Audited, Reading
from adjudge.judges.robot.verbs import Device, VerbTable

Slot = Literal["place", "power", "door", "other"]


@dataclass(slots=True)
class Fact:
    """One thing asked for.

    ``ended``: it must hold at the end, else at some time. ``weak``: a later place of the same thing
    replaces it. ``delivers``: the objects that it gets, and that may then go anywhere once.
    """

    goal: JsonObject
    subject: str
    slot: Slot
    clause: int
    then: bool
    ended: bool = True
    weak: bool = False
    delivers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing for the audit."""

    goal: JsonObject
    text: str
    step: str | None


@dataclass
class Draft:
    """What has been understood so far."""

    lexicon: Lexicon
    verbs: VerbTable
    entities: Entities = field(init=False)
    mentions: Mentions = field(init=False)
    facts: list[Fact] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    presupposed: list[JsonObject] = field(default_factory=list)
    clause: int = 0
    then: bool = False
    last_clause: bool = False

    def __post_init__(self) -> None:
        self.entities = Entities(Resolver(self.lexicon))
        self.mentions = Mentions(self.entities, lambda entity: self.device_of(entity) is not None)

    @property
    def resolver(self) -> Resolver:
        """Looks up names."""
        return self.entities.resolver

    def device_of(self, entity: Entity) -> Device | None:
        """The device row of an entity, if it is one."""
        known = entity.kind.names if entity.kind is not None else ()
        for name in (*entity.found.categories, *known):
            row = self.verbs.by_device.get(squash(name))
            if row is not None:
                return row
        return None

    def pass_through(self, entity: Entity, device: Entity) -> None:
        """Being put into a device that then does its work need not last."""
        for fact in self.facts:
            placed = fact.subject == entity.argument and fact.slot == "place"
            if placed and device.argument in arguments(fact.goal):
                fact.ended = False

    def only_meant(self, slot: Slot, names: Collection[str]) -> None:
        """What was turned on or opened for what comes now need not stay so."""
        for fact in self.facts:
            if fact.slot == slot and fact.subject in names:
                fact.ended = False

    def load_of(self, entity: Entity) -> Load | None:
        """The device just loaded that an entity is, or is the switch of, and what is in it."""
        for device, inside in self.mentions.loaded.values():
            row = self.device_of(device)
            if row is None:
                continue
            switches = entity.kind is not None and entity.kind.name in row.switches
            if switches or entity.argument == device.argument:
                return device, inside
        return None

    def presuppose_unless_known(self, relation: str, thing: Entity, place: Entity) -> None:
        """Takes a place for granted where the scene says none."""
        if thing.name not in self.lexicon.places and not (thing.open or place.open):
            self.presuppose(atom(relation, thing.argument, place.argument))

    def add(
        self,
        goal: JsonObject,
        entity: Entity,
        slot: Slot,
        *,
        ended: bool = True,
        weak: bool = False,
        delivers: tuple[str, ...] = (),
    ) -> None:
        """One more thing asked for; what it undoes need only have held at some time."""
        for fact in list(self.facts):
            if fact.subject == entity.argument and fact.slot == slot and slot != "other":
                if fact.weak or fact.goal == goal:
                    self.facts.remove(fact)
                elif slot in ("power", "door") and fact.clause == self.clause - 1 and ended:
                    raise Refused(f"undoes itself: {entity.name}")
                else:
                    fact.ended = False
        subject, clause, then = entity.argument, self.clause, self.then
        self.facts.append(Fact(goal, subject, slot, clause, then, ended, weak, delivers))

    def wish(self, wish: Wish) -> None:
        """One more thing for the audit."""
        if all(earlier.goal != wish.goal for earlier in self.wishes):
            self.wishes.append(wish)

    def spoken_of(self, entity: Entity) -> bool:
        """Whether an earlier clause has it: it may not be as it was at the start any more."""
        known = self.entities.known
        return any(e.argument == entity.argument and e.clause < self.clause for e in known)

    def presuppose(self, fact: JsonObject) -> None:
        """Something the instruction takes for granted about the start."""
        if fact not in self.presupposed:
            self.presupposed.append(fact)

    def reading(self) -> Reading:
        """The reading of all clauses together."""
        parts = self._gate_parts()
        if not parts:
            raise Refused("nothing to bring about")
        self._check_others()
        gate = every(self.entities.bound(parts))
        audit = tuple(
            Audited(every(self._audit(wish.goal, parts)), wish.text, wish.step)
            for wish in self.wishes
        )
        singled = any(e.found.singled and len(e.found.ids) == 1 for e in self.entities.known)
        delivery = tuple(dict.fromkeys(name for fact in self.facts for name in fact.delivers))
        return Reading(gate, audit, tuple(self.presupposed), delivery, singled)

    def _check_others(self) -> None:
        """One thing and another are two only if not the same is asked of both."""
        for second in self.entities.known:
            if second.other is None:
                continue
            first = [f.goal for f in self.facts if f.subject == second.other.argument and f.ended]
            for fact in self.facts:
                goal = substituted(fact.goal, second.variable, second.other.variable)
                if fact.subject == second.argument and (goal in first or not fact.ended):
                    raise Refused("the same is asked of one thing and another")

    def _audit(self, goal: JsonObject, parts: list[JsonObject]) -> list[JsonObject]:
        known = self.entities.known
        chosen = {e.variable for e in known if e.open and e.quantity != "all"}
        shared = chosen.intersection(variables(goal))
        if not shared:
            return self.entities.bound([goal])
        return self.entities.bound([*(p for p in parts if shared.intersection(variables(p))), goal])

    def _gate_parts(self) -> list[JsonObject]:
        passing = [fact for fact in self.facts if not fact.ended]
        if len(passing) > 1 and any(fact.then for fact in passing[1:]):
            order: list[JsonObject] = [{"in_order": [fact.goal for fact in passing]}]
        else:
            order = [once(fact.goal) for fact in passing]
        return order + [fact.goal for fact in self.facts if fact.ended]
