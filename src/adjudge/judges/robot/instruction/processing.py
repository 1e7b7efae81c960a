"""Washing, heating, chilling: once in the device, the device running meanwhile."""

from __future__ import annotations

from dataclasses import replace

from adjudge.judges.robot.instruction.acting import act
from adjudge.judges.robot.instruction.attaching import (
    LOCATING,
    from_where,
    surroundings,
    with_where,
)
from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.clauses import Clause
from adjudge.judges.robot.instruction.demands import demand, holds_things
from adjudge.judges.robot.instruction.devices import process_goals, running, usable
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.phrases import Phrase
from adjudge.judges.robot.instruction.placing import sources
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.verbs import Verb


def process(draft: Draft, clause: Clause) -> None:
    """The gate: once in, on or under the device, or in a vessel there. The audit: running."""
    device, vessel, where = _means(draft, clause)
    objects = from_where(with_where(clause.objects, where), clause.phrases)
    entities = draft.mentions.objects(replace(clause, objects=objects))
    verb = clause.verb
    if verb.surfaces and all(entity.fixed for entity in entities):
        wiping = draft.verbs.by_name[verb.surfaces]
        act(draft, replace(clause, name=verb.surfaces, verb=wiping))
        return
    sources(draft, clause, entities)
    for entity in entities:
        drink = entity.kind is not None and {"drink", "liquid"} & set(entity.kind.wider)
        if drink and not entity.found.ids:
            raise Refused(f"{clause.name!r} of a liquid that is no thing of its own")
    if device is None:
        device = _loaded_with(draft, entities, verb)
    for one in usable(draft, verb, device):
        draft.only_meant("power", running(draft, one).switches)
    for entity in entities:
        demand(draft, entity, but=verb)
        gate, wish = process_goals(draft, verb, clause.name, entity, device, vessel)
        if device is not None:
            draft.pass_through(entity, device)
        draft.add(gate, entity, "other", ended=False)
        draft.wish(wish)
    if device is not None:
        row = draft.device_of(device)
        if vessel is not None and row is not None:
            draft.presuppose_unless_known(row.holds[0], vessel, device)
            if row.holds[0] == "in":
                for entity in entities:
                    draft.presuppose_unless_known("in", entity, vessel)
        draft.mentions.load(device, entities)
    draft.mentions.acted(entities, device)


def _means(draft: Draft, clause: Clause) -> tuple[Entity | None, Entity | None, list[Phrase]]:
    """The device and the vessel that a clause names, and the places that pick out its object."""
    device: Entity | None = None
    vessel: Entity | None = None
    where: list[Phrase] = []
    for phrase in surroundings(draft, clause.phrases):
        if phrase.prep == "from" or (device is not None and phrase.prep in LOCATING):
            continue
        if phrase.prep == "with" and [n.words for n in phrase.nouns] == [("water",)]:
            continue
        if phrase.prep not in (*LOCATING, "with"):
            raise Refused(f"cannot follow {phrase.prep!r} here")
        entity = draft.mentions.place(phrase.nouns, [])
        row = draft.device_of(entity)
        if row is not None and row.name in (*clause.verb.devices, *clause.verb.named):
            device = entity
        elif phrase.prep == "with" or row is not None:
            raise Refused(f"{clause.name!r} with {entity.name!r}")
        elif phrase.prep in ("in", "on") and vessel is None and holds_things(entity):
            vessel = entity
        else:
            where.append(phrase)
    if device is None and vessel is not None and clause.phrases[0].prep == "on":
        raise Refused("cannot tell what a place belongs to")
    return device, vessel, where


def _loaded_with(draft: Draft, entities: list[Entity], verb: Verb) -> Entity | None:
    """The device that an earlier clause put the same things into."""
    for device, inside in draft.mentions.loaded.values():
        row = draft.device_of(device)
        usable = (*verb.devices, *verb.named)
        if row is not None and row.name in usable and inside == entities:
            return device
    return None
