"""Putting, getting, holding, going: where things and the robot are to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.attaching import (
    destination,
    from_where,
    surroundings,
    with_where,
)
from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.clauses import Clause
from adjudge.judges.robot.instruction.demands import demand
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.phrases import NounPhrase, Phrase
from adjudge.judges.robot.instruction.shapes import atom, either, every, negated, once
from adjudge.judges.robot.instruction.tokens import Refused


def placed(moved: Entity, prep: str, target: Entity) -> JsonObject:
    """The fact that ``moved`` is in, on, under or near ``target``."""
    thing, place = moved.argument, target.argument
    if target.found.room:
        if prep not in ("in", "to"):
            raise Refused(f"cannot be {prep} a room")
        return atom("in_room", thing, place)
    if prep in ("under", "near"):
        return atom(prep, thing, place)
    if prep not in ("in", "on", "to"):
        raise Refused("a place that no fact says")
    return either(atom(way, thing, place) for way in _ways(prep, target))


def _ways(prep: str, target: Entity) -> Sequence[str]:
    """What "in", "on" or "to" may come to for a target, by what is known of its kind."""
    if target.kind is None:
        return ("on", "in") if prep == "to" else (prep,)
    ways, fixed = target.kind.put, target.kind.fixed
    if prep == "to" and not ways:
        raise Refused(f"cannot put things on {target.name!r}")
    if prep == "in" and ways == ("on",) and fixed:
        raise Refused(f"cannot put things in {target.name!r}")
    if prep == "on" and ways[:1] == ("in",) and fixed:
        return (prep,)
    return ways if prep == "to" or prep in ways else (prep,)


def place(draft: Draft, clause: Clause) -> None:
    """Put, bring to, throw away: the fact at the end."""
    target, outer, clause = destination(draft, clause)
    entities = draft.mentions.objects(clause)
    if target is None and clause.verb.into:
        words = tuple(clause.verb.into.split())
        target = Phrase("in", (NounPhrase(words, words, "the"),), True)
    if target is None:
        raise Refused(f"{clause.name!r} without a place")
    place_of = draft.mentions.place(target.nouns, entities, target.prep)
    for entity in entities:
        _check_moved(entity, target.prep, place_of)
    opened = [place_of, *sources(draft, clause, entities)]
    draft.only_meant("door", [container.argument for container in opened])
    vessel = draft.mentions.vessel(clause, entities)
    for entity in entities:
        demand(draft, entity)
        goal = placed(entity, target.prep, place_of)
        if vessel is not None:
            carried = either(atom(way, entity.argument, vessel.argument) for way in ("in", "on"))
            goal = either([goal, every([carried, placed(vessel, target.prep, place_of)])])
        ids: tuple[str, ...] = ()
        if place_of.found.room and clause.verb.rule == "place":
            goal = every([goal, negated(atom("holding", entity.argument))])
        elif place_of.found.room:
            ids = entity.found.ids or (entity.found.name,)
        draft.add(goal, entity, "place", delivers=ids)
    _nested(draft, place_of, outer)
    if place_of.kind is not None and place_of.fixed:
        draft.mentions.load(place_of, entities)
    draft.mentions.acted(entities, place_of)


def _check_moved(entity: Entity, prep: str, target: Entity) -> None:
    if entity is target or (not entity.open and entity.argument == target.argument):
        raise Refused(f"cannot put {entity.name!r} in or on itself")
    if entity.fixed and prep == "to" and not target.found.room:
        raise Refused(f"cannot tell where {entity.name!r} goes")


def _nested(draft: Draft, place_of: Entity, outer: list[Phrase]) -> None:
    """ "In the bowl on the table": the bowl is, or is put, on the table."""
    for phrase in outer:
        around = draft.mentions.place(phrase.nouns, [])
        draft.presuppose_unless_known(phrase.prep, place_of, around)
        draft.add(placed(place_of, phrase.prep, around), place_of, "place")
        if around.fixed:
            draft.mentions.load(around, [place_of])
        place_of = around


def sources(draft: Draft, clause: Clause, entities: list[Entity]) -> list[Entity]:
    """Where the things come from; taken for granted where the scene does not say."""
    found: list[Entity] = []
    for phrase in clause.phrases:
        if phrase.prep != "from":
            continue
        source = draft.mentions.place(phrase.nouns, entities)
        found.append(source)
        if source.found.room:
            continue
        ways = source.kind.put if source.kind and source.kind.put else ("on",)
        for entity in entities:
            draft.presuppose_unless_known(ways[0], entity, source)
    return found


def get(draft: Draft, clause: Clause) -> None:
    """Get, fetch, take from: out of its source, held or put down again."""
    if any(p.moving for p in clause.phrases):
        place(draft, clause)
        return
    others = [p for p in clause.phrases if p.prep != "from"]
    if others and clause.name.startswith("bring"):
        raise Refused("cannot tell whether the place is where it is or where it goes")
    objects = from_where(with_where(clause.objects, others), clause.phrases)
    entities = draft.mentions.objects(replace(clause, objects=objects))
    if any(entity.fixed for entity in entities):
        raise Refused(f"cannot {clause.name} {entities[0].name!r}")
    found = [e for e in sources(draft, clause, entities) if not e.found.room]
    draft.only_meant("door", _taken_out_of(draft, entities, found))
    for entity in entities:
        demand(draft, entity)
        left = [negated(placed(entity, "to", source)) for source in found]
        if not left or _elsewhere(draft, entity, found):
            left.insert(0, once(atom("holding", entity.argument)))
        ids = entity.found.ids or (entity.found.name,)
        draft.add(every(left), entity, "place", weak=True, delivers=ids)
    draft.mentions.acted(entities)


def _taken_out_of(draft: Draft, entities: list[Entity], sources_: list[Entity]) -> set[str]:
    """Where things are taken out of, as far as that is said: what was just opened, if it is not."""
    said = {source.argument for source in sources_}
    known = {p for e in entities for i in e.found.ids for p in draft.resolver.places.around(i)}
    opened = draft.mentions.opened
    return said | known | ({opened.argument} if opened and not known else set())


def _elsewhere(draft: Draft, entity: Entity, sources_: list[Entity]) -> bool:
    """Whether the scene says that it is not where the instruction takes it from."""
    if len(entity.found.ids) != 1:
        return False
    around = draft.resolver.places.around(entity.found.ids[0])
    return bool(around) and not any(set(around) & set(source.found.ids) for source in sources_)


def hold(draft: Draft, clause: Clause) -> None:
    """Hold, carry: held at the end."""
    if any(p.moving for p in clause.phrases):
        place(draft, clause)
        return
    objects = with_where(clause.objects, clause.phrases)
    entities = draft.mentions.objects(replace(clause, objects=objects))
    for entity in entities:
        demand(draft, entity)
        draft.add(atom("holding", entity.argument), entity, "place", weak=True)
    draft.mentions.acted(entities)


def go(draft: Draft, clause: Clause) -> None:
    """Go: where the robot is at the end; on the way to something else it says nothing."""
    if not draft.last_clause:
        _passed(draft, clause)
        return
    if clause.objects or len(clause.phrases) != 1:
        raise Refused("cannot tell where to go")
    phrase = clause.phrases[0]
    if phrase.prep not in ("to", "in", "near", "on"):
        raise Refused("cannot tell where to go")
    if any(fact.weak for fact in draft.facts):
        raise Refused("cannot tell whether the thing is to be carried along")
    target = draft.mentions.place(phrase.nouns, [])
    name = "in_room" if target.found.room else "near"
    draft.add(atom(name, target.argument), target, "other")


def _passed(draft: Draft, clause: Clause) -> None:
    """What the robot goes to on its way can be "it" afterwards."""
    nouns = clause.phrases[0].nouns if len(clause.phrases) == 1 else ()
    if len(nouns) == 1 and nouns[0].words and draft.resolver.places.room(nouns[0].words) is None:
        draft.mentions.switch(draft.entities.of(nouns[0]), opened=False)


def examine(draft: Draft, clause: Clause) -> None:
    """Examine in the light of a lamp: held, and the lamp on."""
    entities = draft.mentions.objects(clause)
    places = surroundings(draft, clause.phrases)
    near = [draft.mentions.place(p.nouns[:1], entities) for p in places if p.prep != "from"]
    lamps = [e for e in near if e.kind and "light" in (*e.kind.wider, *e.kind.names)]
    if len(lamps) != 1:
        raise Refused(f"{clause.name!r} without a lamp")
    for entity in entities:
        demand(draft, entity)
        draft.add(atom("holding", entity.argument), entity, "place")
    draft.add(atom("state", lamps[0].argument, "on"), lamps[0], "power")
    draft.mentions.acted(entities)
