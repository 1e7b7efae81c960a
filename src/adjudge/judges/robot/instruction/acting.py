"""Turning on, opening, slicing, filling, pouring: the act's effect."""

from __future__ import annotations

from dataclasses import replace

from adjudge.judges.robot.instruction.attaching import LOCATING, with_where
from adjudge.judges.robot.instruction.build import Draft, Wish
from adjudge.judges.robot.instruction.clauses import Clause
from adjudge.judges.robot.instruction.demands import SLOTS, demand
from adjudge.judges.robot.instruction.devices import running
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.phrases import NounPhrase, Phrase
from adjudge.judges.robot.instruction.shapes import atom, either, every, negated, once
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import SLICE_NOUNS


def act(draft: Draft, clause: Clause) -> None:
    """The state at the end."""
    verb = clause.verb
    where = [p for p in clause.phrases if p.prep != "with" and not _into_parts(p)]
    if any(p.prep not in LOCATING for p in where):
        raise Refused(f"cannot follow {where[0].prep!r} here")
    clause = replace(clause, objects=with_where(clause.objects, where), phrases=())
    switching = verb.state in SLOTS
    if switching and clause.objects and clause.objects[0].pronoun:
        entities = draft.mentions.to_switch(verb.state or "")
    else:
        entities = draft.mentions.objects(clause)
    for entity in entities:
        demand(draft, entity, but=verb)
        _effect(draft, clause, entity)
    if switching:
        draft.mentions.switch(entities[-1], opened=verb.state == "open")
    else:
        draft.mentions.acted(entities)


def _into_parts(phrase: Phrase) -> bool:
    """ "In half", "into slices"."""
    return all(noun.words and noun.words[-1] in SLICE_NOUNS for noun in phrase.nouns) and bool(
        phrase.nouns
    )


def _effect(draft: Draft, clause: Clause, entity: Entity) -> None:
    state = clause.verb.state or ""
    load = draft.load_of(entity)
    if state == "on" and load is not None:
        _run(draft, f"{clause.name} the {entity.name}", *load)
        return
    known = entity.open or draft.spoken_of(entity)
    draft.add(atom("state", entity.argument, state), entity, SLOTS.get(state, "other"))
    before = clause.verb.presupposes
    if before and not known:
        fact = atom("state", entity.argument, before.removeprefix("not "))
        draft.presuppose(negated(fact) if before.startswith("not ") else fact)


def _run(draft: Draft, name: str, device: Entity, load: list[Entity]) -> None:
    """Turning on what was just loaded is for the audit, unless it asks for that already."""
    runs = running(draft, device)
    if any(runs.step == earlier.step for earlier in draft.wishes):
        return
    for inside in load:
        there = [f.goal for f in draft.facts if f.subject == inside.argument and f.slot == "place"]
        goal = once(every([*there[-1:], runs.goal]))
        draft.wish(Wish(goal, f"{name}: {runs.step} never executed", runs.step))


def fill(draft: Draft, clause: Clause) -> None:
    """The vessel filled at the end."""
    liquid: NounPhrase | None = None
    for phrase in clause.phrases:
        if phrase.prep == "with" and len(phrase.nouns) == 1:
            liquid = phrase.nouns[0]
        elif phrase.prep not in ("in", "from", "under", "landmark", "near"):
            raise Refused(f"cannot follow {phrase.prep!r} here")
    for entity in (entities := draft.mentions.objects(clause)):
        demand(draft, entity)
        if liquid is None or liquid.words == ("water",):
            goal = atom("state", entity.argument, "filled")
        else:
            source, vessel = _poured(draft, liquid), entity.argument
            steps = (f"pour({source}, {vessel})", f"fill({vessel}, {source})")
            goal = either({"did": step} for step in steps)
        draft.add(goal, entity, "other")
        if not entity.open:
            draft.presuppose(negated(atom("state", entity.argument, "filled")))
    draft.mentions.acted(entities)


def pour(draft: Draft, clause: Clause) -> None:
    """The step, with the thing itself or with what holds it."""
    targets = [p for p in clause.phrases if p.prep in ("in", "on", "to")]
    origins = [p for p in clause.phrases if p.prep == "from"]
    if len(targets) != 1 or len(targets) + len(origins) != len(clause.phrases):
        raise Refused("cannot tell what is poured into what")
    target = draft.mentions.place(targets[0].nouns, [])
    vessels = [draft.mentions.place(p.nouns, [target]).argument for p in origins]
    for source in dict.fromkeys(vessels or _poured_by(draft, clause)):
        draft.add({"did": f"pour({source}, {target.argument})"}, target, "other")
    draft.mentions.forget()


def _poured_by(draft: Draft, clause: Clause) -> list[str]:
    if len(clause.objects) == 1 and clause.objects[0].words:
        return [_poured(draft, clause.objects[0])]
    return [entity.argument for entity in draft.mentions.objects(clause)]


def _poured(draft: Draft, liquid: NounPhrase) -> str:
    """What a pouring step names: the liquid where it is a thing, else whatever holds it."""
    entity = draft.entities.of(liquid)
    return entity.argument if entity.found.ids else "_"
