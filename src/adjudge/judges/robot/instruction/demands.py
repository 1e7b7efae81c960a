"""What a noun phrase itself asks for: the adjectives, and what is to be inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudge.judges.robot.instruction.build import Draft, Slot
from adjudge.judges.robot.instruction.devices import process_goals
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.shapes import atom, either, once
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.verbs import Verb

SLOTS: Mapping[str, Slot] = {"on": "power", "off": "power", "open": "door", "closed": "door"}


def demand(draft: Draft, entity: Entity, but: Verb | None = None) -> None:
    """Adds what the adjectives of an entity ask for, less those that the verb itself does."""
    phrase = entity.phrase
    for word in phrase.wanted:
        if draft.verbs.by_adjective[word] is not but:
            demand_state(draft, entity, word)
    slicing = draft.verbs.by_adjective.get("sliced")
    if entity.found.sliced and slicing is not None and slicing is not but:
        demand_state(draft, entity, "sliced")
    for state in phrase.selects:
        if entity.open:
            draft.add(once(atom("state", entity.argument, state)), entity, "other")
        else:
            draft.presuppose(atom("state", entity.argument, state))
    _demand_contents(draft, entity)


def demand_state(draft: Draft, entity: Entity, word: str) -> None:
    """The state that an adjective names, or what its verb would have done to bring it about."""
    verb = draft.verbs.by_adjective[word]
    if verb.names[0] in entity.demanded:
        return
    entity.demanded.add(verb.names[0])
    state = atom("state", entity.argument, verb.state) if verb.state else None
    definite = entity.phrase.determiner == "the"
    if state and definite and not draft.lexicon.closed and not entity.open:
        draft.presuppose(state)
    if verb.rule != "process":
        if state is None:
            raise Refused(f"cannot follow {word!r}")
        draft.add(state, entity, "other")
        return
    gate, wish = process_goals(draft, verb, verb.names[0], entity)
    known = [state] if state else []
    draft.add(either([*known, once(gate)]), entity, "other")
    draft.wish(replace(wish, goal=either([*known, wish.goal])))


def _demand_contents(draft: Draft, entity: Entity) -> None:
    for phrase in entity.phrase.contents:
        inner = draft.entities.of(phrase)
        if inner is entity or inner.quantity != "one" or not holds_things(entity):
            raise Refused("cannot tell what is in what")
        demand(draft, inner)
        ways = ("in", "on")
        draft.add(
            either(atom(way, inner.argument, entity.argument) for way in ways), inner, "place"
        )


def holds_things(entity: Entity) -> bool:
    """Whether things are carried in it."""
    return entity.kind is not None and entity.kind.carries
