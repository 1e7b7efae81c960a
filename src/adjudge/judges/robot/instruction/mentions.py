"""What was spoken of last: what pronouns, elided objects and "the other" mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from adjudge.judges.robot.instruction.clauses import Clause
from adjudge.judges.robot.instruction.entities import Entities, Entity
from adjudge.judges.robot.instruction.phrases import NounPhrase
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import LIDS, SLICE_NOUNS

Load = tuple[Entity, list[Entity]]
"""A device and what was put into it."""


@dataclass
class Mentions:
    """The last direct objects, the last thing switched or opened, the last container."""

    entities: Entities
    is_device: Callable[[Entity], bool]
    last: list[Entity] = field(default_factory=list)
    switched: Entity | None = None
    opened: Entity | None = None
    container: Entity | None = None
    loaded: dict[str, Load] = field(default_factory=dict)

    def acted(self, objects: list[Entity], container: Entity | None = None) -> None:
        """A clause acted on these, and maybe put them somewhere."""
        self.last, self.switched = objects, None
        self.container = container or self.container

    def switch(self, entity: Entity, opened: bool) -> None:
        """A clause turned something on or off, opened or closed it."""
        self.switched = entity
        if opened:
            self.opened = self.container = entity

    def load(self, device: Entity, inside: list[Entity]) -> None:
        """Things were put into something that stands there."""
        self.loaded.pop(device.argument, None)
        self.loaded[device.argument] = (device, inside)

    def forget(self) -> None:
        """After pouring, a pronoun may be what was poured or what it was poured into."""
        self.last, self.container, self.switched = [], None, None

    def objects(self, clause: Clause) -> list[Entity]:
        """The things a clause acts on; left out or a pronoun: the last direct object."""
        if not clause.objects:
            if not self.last and self.switched is None:
                raise Refused(f"nothing to {clause.name}")
            return self._pronoun()
        return [entity for phrase in clause.objects for entity in self._objects(phrase)]

    def _objects(self, phrase: NounPhrase) -> list[Entity]:
        if phrase.pronoun:
            meant = self._pronoun()
            if phrase.pronoun != "them" and (len(meant) > 1 or meant[0].quantity != "one"):
                raise Refused(f"cannot tell what {phrase.pronoun!r} is")
            return meant
        if len(phrase.words) == 1 and phrase.words[0] in SLICE_NOUNS and self.last:
            return self._pronoun()
        if len(phrase.words) == 1 and phrase.words[0] in LIDS and self._opened(phrase):
            return self.to_switch("closed")
        if phrase.determiner in ("other", "another"):
            return [self._other(phrase)]
        entity = self.entities.of(phrase)
        if entity.found.room:
            raise Refused(f"{entity.name!r} is a room")
        return [entity]

    def _opened(self, phrase: NounPhrase) -> bool:
        """Whether "the door" is that of what was opened, the case having no other."""
        return self.opened is not None and not self.entities.resolver.find(phrase).ids

    def _pronoun(self) -> list[Entity]:
        switched = self.switched
        if not self.last:
            if switched is None:
                raise Refused("nothing named that a pronoun could mean")
            return [switched]
        if switched is not None and not switched.fixed and [switched] != self.last:
            raise Refused("cannot tell which of two things a pronoun is")
        return self.last

    def _other(self, phrase: NounPhrase) -> Entity:
        """A second thing of the kind of the last one."""
        last = self.switched or (self.last[-1] if self.last else None)
        same = last is not None and phrase.words in ((), last.phrase.words)
        if last is None or not same or last.quantity != "one" or phrase.number or phrase.plural:
            raise Refused("cannot tell what 'other' is other than")
        if phrase.determiner == "other" and len(last.found.ids) != 2:
            raise Refused("cannot tell which is the other one")
        return self.entities.another(last)

    def place(self, nouns: tuple[NounPhrase, ...], moved: list[Entity], prep: str = "in") -> Entity:
        """The one thing after a preposition; left out or a pronoun: the last container."""
        if len(nouns) > 1:
            raise Refused("several places at once")
        if nouns and not nouns[0].pronoun:
            if not nouns[0].words:
                raise Refused("cannot tell what 'the other' is")
            return self.entities.of(nouns[0])
        spoken = (self.container, self.switched, *self.last)
        candidates = list(dict.fromkeys(e for e in spoken if e is not None and e not in moved))
        fitting = [e for e in candidates if e.kind is None or prep in e.kind.put]
        if len(fitting) > 1:
            raise Refused("cannot tell which of two places a pronoun is")
        if not candidates:
            raise Refused("nothing named that it could go into")
        return (fitting or candidates)[0]

    def vessel(self, clause: Clause, entities: list[Entity]) -> Entity | None:
        """What a pronoun may mean besides: the vessel that the last clause put the things into."""
        vessel = self.container
        pronoun = not clause.objects or clause.objects[0].pronoun
        if not pronoun or vessel is None or vessel.kind is None or not vessel.kind.carries:
            return None
        return vessel if entities == self.last else None

    def to_switch(self, state: str) -> list[Entity]:
        """What a pronoun after turn on/off or open/close is.

        To be closed: what was last opened, or filled. Else: the device last loaded. Else what was
        last switched or gone to, and the last direct object at the end.
        """
        if state == "closed" and self.opened is not None:
            return [self.opened]
        for place, _ in reversed(self.loaded.values()):
            if state != "closed" and self.is_device(place):
                return [place]
            if state == "closed" and place.kind is not None and "in" in place.kind.put:
                return [place]
        return [self.switched] if self.switched is not None else self._pronoun()
