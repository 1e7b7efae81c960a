"""Clauses to a reading: what each asks for, pronouns, order, and what later clauses undo."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.clauses import Clause
from adjudge.judges.robot.instruction.entities import Entities, Entity
from adjudge.judges.robot.instruction.phrases import NounPhrase
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
from adjudge.judges.robot.instruction.words import SLICE_NOUNS
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.nouns import squash
from adjudge.judges.robot.reading import Audited, Reading
from adjudge.judges.robot.verbs import Device, VerbTable

Slot = Literal["place", "hand", "power", "door", "other"]


@dataclass(slots=True)
class Fact:
    """One thing asked for. ``ended``: it must hold at the end, else at some time."""

    goal: JsonObject
    subject: str
    slot: Slot
    clause: int
    then: bool
    ended: bool = True
    weak: bool = False


@dataclass(slots=True)
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
    facts: list[Fact] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    presupposed: list[JsonObject] = field(default_factory=list)
    delivery: list[str] = field(default_factory=list)
    last_objects: list[Entity] = field(default_factory=list)
    last_act: Entity | None = None
    last_container: Entity | None = None
    loaded: dict[str, tuple[Entity, list[Entity]]] = field(default_factory=dict)
    clause: int = 0
    then: bool = False
    last_clause: bool = False

    def __post_init__(self) -> None:
        self.entities = Entities(Resolver(self.lexicon))

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

    def vessel_of(self, clause: Clause, entities: list[Entity]) -> Entity | None:
        """What a pronoun may mean besides: the vessel that the last clause put the things into."""
        vessel = self.last_container
        pronoun = not clause.objects or clause.objects[0].pronoun
        if not pronoun or vessel is None or vessel.kind is None or not vessel.kind.carries:
            return None
        return vessel if entities == self.last_objects else None

    def pass_through(self, entity: Entity, device: Entity) -> None:
        """Being put into a device that then does its work need not last."""
        for fact in self.facts:
            placed = fact.subject == entity.argument and fact.slot == "place"
            if placed and device.argument in arguments(fact.goal):
                fact.ended = False

    def forget(self) -> None:
        """After pouring, a pronoun may be what was poured or what it was poured into."""
        self.last_objects, self.last_container, self.last_act = [], None, None

    def load_of(self, entity: Entity) -> tuple[Entity, list[Entity]] | None:
        """The device just loaded that an entity is, or is the switch of, and what is in it."""
        for device, inside in self.loaded.values():
            row = self.device_of(device)
            if row is None:
                continue
            switches = entity.kind is not None and entity.kind.name in row.switches
            if switches or entity.argument == device.argument:
                return device, inside
        return None

    def acted_on(self) -> list[Entity]:
        """What a pronoun after turn on/off or open/close is: what was last loaded or acted on."""
        for entity in (self.last_container, self.last_act):
            if entity is not None and (entity is self.last_act or entity.argument in self.loaded):
                return [entity]
        return self._last()

    def presuppose_unless_known(self, relation: str, thing: Entity, place: Entity) -> None:
        """Takes a place for granted where the scene says none."""
        if thing.name not in self.lexicon.places and not (thing.open or place.open):
            self.presuppose(atom(relation, thing.argument, place.argument))

    def object_entities(self, clause: Clause) -> list[Entity]:
        """The things a clause acts on; left out or a pronoun: the last direct object."""
        if not clause.objects:
            if not self.last_objects and self.last_act is None:
                raise Refused(f"nothing to {clause.name}")
            return self._last()
        found: list[Entity] = []
        for phrase in clause.objects:
            found.extend(self._objects_of(phrase))
        return found

    def _objects_of(self, phrase: NounPhrase) -> list[Entity]:
        if phrase.pronoun:
            last = self._last()
            plural = len(last) > 1 or last[0].quantity != "one"
            if phrase.pronoun != "them" and plural:
                raise Refused(f"cannot tell what {phrase.pronoun!r} is")
            return last
        if len(phrase.words) == 1 and phrase.words[0] in SLICE_NOUNS and self.last_objects:
            return self._last()
        if phrase.determiner in ("other", "another"):
            return [self._other(phrase)]
        entity = self.entities.of(phrase)
        if entity.found.room:
            raise Refused(f"{entity.name!r} is a room")
        return [entity]

    def _other(self, phrase: NounPhrase) -> Entity:
        """A second thing of the kind of the last object."""
        last = self.last_act or (self.last_objects[-1] if self.last_objects else None)
        same = last is not None and phrase.words in ((), last.phrase.words)
        if last is None or not same or last.quantity != "one" or phrase.number or phrase.plural:
            raise Refused("cannot tell what 'other' is other than")
        if phrase.determiner == "other" and len(last.found.ids) != 2:
            raise Refused("cannot tell which is the other one")
        return self.entities.another(last)

    def _last(self) -> list[Entity]:
        if not self.last_objects:
            if self.last_act is not None:
                return [self.last_act]
            raise Refused("nothing named that a pronoun could mean")
        act = self.last_act
        if act is not None and not act.fixed and [act] != self.last_objects:
            raise Refused("cannot tell which of two things a pronoun is")
        return self.last_objects

    def place_entity(self, nouns: tuple[NounPhrase, ...], moved: list[Entity]) -> Entity:
        """The one thing after a preposition; left out or a pronoun: the last container."""
        if len(nouns) > 1:
            raise Refused("several places at once")
        if nouns and not nouns[0].pronoun:
            if not nouns[0].words:
                raise Refused("cannot tell what 'the other' is")
            return self.entities.of(nouns[0])
        candidates = [e for e in (self.last_container, *self.last_objects) if e and e not in moved]
        distinct = list({id(e): e for e in candidates}.values())
        if not distinct:
            raise Refused("nothing named that it could go into")
        return distinct[0]

    def add(
        self,
        goal: JsonObject,
        entity: Entity,
        slot: Slot,
        *,
        ended: bool = True,
        weak: bool = False,
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
        self.facts.append(Fact(goal, entity.argument, slot, self.clause, self.then, ended, weak))

    def wish(self, goal: JsonObject, text: str, step: str | None) -> None:
        """One more thing for the audit."""
        if all(earlier.goal != goal for earlier in self.wishes):
            self.wishes.append(Wish(goal, text, step))

    def touched(self, entity: Entity) -> bool:
        """Whether an earlier clause did something to it."""
        return any(
            fact.subject == entity.argument and fact.clause < self.clause for fact in self.facts
        )

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
        return Reading(gate, audit, tuple(self.presupposed), tuple(self.delivery), singled)

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
