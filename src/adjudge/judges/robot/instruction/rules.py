"""What each rule of the verb file makes of a clause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.build import Draft, Slot, located
from adjudge.judges.robot.instruction.clauses import Clause, Statement
from adjudge.judges.robot.instruction.devices import Running, process_goals, running
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.phrases import NounPhrase, Phrase
from adjudge.judges.robot.instruction.shapes import atom, either, every, negated, once
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import SELECTING, SLICE_NOUNS
from adjudge.judges.robot.verbs import Verb

_SLOTS: Mapping[str, Slot] = {"on": "power", "off": "power", "open": "door", "closed": "door"}
_LOCATING = ("in", "on", "under", "near", "landmark", "of")


def apply(draft: Draft, clause: Clause | Statement) -> None:
    """Adds what one clause asks for to the draft."""
    if isinstance(clause, Statement):
        state_of_affairs(draft, clause)
    else:
        _RULES[clause.verb.rule](draft, clause)


def placed(draft: Draft, moved: Entity, prep: str, target: Entity) -> JsonObject:
    """The fact that ``moved`` is in, on, under or near ``target``."""
    thing, place = moved.argument, target.argument
    if target.found.room:
        if prep not in ("in", "to"):
            raise Refused(f"cannot be {prep} a room")
        return atom("in_room", thing, place)
    if prep in ("under", "near"):
        return atom(prep, thing, place)
    ways = target.kind.put if target.kind else ()
    if prep == "to" or (prep in ("in", "on") and len(ways) > 1):
        chosen: Sequence[str] = ways or ("on", "in")
    elif prep == "in" and ways == ("on",):
        chosen = ("on", "in")
    else:
        chosen = (prep,)
    return either(atom(way, thing, place) for way in chosen)


def place(draft: Draft, clause: Clause) -> None:
    """Put, bring to, throw away: the fact at the end."""
    sources, target, rest = _destination(draft, clause)
    phrases = _with_where(clause.objects, rest)
    entities = draft.object_entities(Clause(clause.name, clause.verb, phrases, (), clause.link))
    if target is None and clause.verb.into:
        into = NounPhrase(words=tuple(clause.verb.into.split()), surface=(), determiner="the")
        target = Phrase("in", (into,), True)
    if target is None:
        raise Refused(f"{clause.name!r} without a place")
    goal_place = draft.place_entity(target.nouns, entities)
    _from(draft, entities, sources)
    for entity in entities:
        _require(draft, entity)
        draft.add(placed(draft, entity, target.prep, goal_place), entity, "place")
        _contents(draft, entity)
    if draft.verbs.by_device and goal_place.kind and goal_place.fixed:
        draft.loaded[goal_place.key] = (goal_place, entities)
    draft.last_objects, draft.last_container, draft.last_act = entities, goal_place, None


def _contents(draft: Draft, entity: Entity) -> None:
    for phrase in entity.phrase.contents:
        inner = draft.entities.of(phrase)
        _require(draft, inner)
        draft.add(
            either(atom(way, inner.argument, entity.argument) for way in ("in", "on")),
            inner,
            "place",
        )


def _destination(draft: Draft, clause: Clause) -> tuple[list[Phrase], Phrase | None, list[Phrase]]:
    """Sources, the destination, and the places that only pick something out."""
    sources = [p for p in clause.phrases if p.prep == "from"]
    places = [
        p for p in clause.phrases if p.prep in ("in", "on", "under", "to", "near", "landmark")
    ]
    others = [p for p in clause.phrases if p not in sources and p not in places]
    if others:
        raise Refused(f"cannot follow {others[0].prep!r} here")
    if not places:
        return sources, None, []
    moving = [p for p in places if p.moving]
    if moving:
        at = places.index(moving[0])
        before, target, after = places[:at], places[at], places[at + 1 :]
    else:
        before, target, after = [], places[0], places[1:]
    if target.prep == "landmark":
        raise Refused("a place that no fact says")
    if after:
        if len(target.nouns) != 1:
            raise Refused("several places at once")
        noun = target.nouns[0]
        for phrase in after:
            noun = located(noun, phrase.nouns, phrase.prep)
        target = Phrase(target.prep, (noun,), target.moving)
    return sources, target, before


def _with_where(objects: tuple[NounPhrase, ...], places: list[Phrase]) -> tuple[NounPhrase, ...]:
    for phrase in places:
        if len(objects) != 1 or objects[0].pronoun:
            raise Refused("cannot tell what a place belongs to")
        objects = (located(objects[0], phrase.nouns, phrase.prep),)
    return objects


def _from(draft: Draft, entities: list[Entity], sources: list[Phrase]) -> list[Entity]:
    found: list[Entity] = []
    for phrase in sources:
        source = draft.place_entity(phrase.nouns, entities)
        found.append(source)
        if source.found.room or source.argument.startswith("$"):
            continue
        for entity in entities:
            if len(entity.found.ids) <= 1 and entity.name not in draft.lexicon.places:
                draft.presuppose(atom(_way(source), entity.name, source.argument))
    return found


def _way(source: Entity) -> str:
    return source.kind.put[0] if source.kind and source.kind.put else "on"


def get(draft: Draft, clause: Clause) -> None:
    """Get, fetch, take from: out of its source, held or put down again."""
    if any(p.moving for p in clause.phrases):
        place(draft, clause)
        return
    sources = [p for p in clause.phrases if p.prep == "from"]
    where = [p for p in clause.phrases if p.prep in _LOCATING]
    if len(sources) + len(where) != len(clause.phrases):
        raise Refused(f"cannot follow {clause.phrases[0].prep!r} here")
    if where and clause.name.startswith("bring"):
        raise Refused("cannot tell whether the place is where it is or where it goes")
    phrases = _with_where(clause.objects, where)
    entities = draft.object_entities(Clause(clause.name, clause.verb, phrases, (), clause.link))
    found = _from(draft, entities, sources)
    for entity in entities:
        _require(draft, entity)
        goal = once(atom("holding", entity.argument))
        ways = [
            negated(placed(draft, entity, "to", source))
            for source in found
            if not source.found.room and not source.argument.startswith("$")
        ]
        draft.add(every(ways) if ways else goal, entity, "place", weak=True)
        draft.delivery.extend(entity.found.ids or (entity.found.name,))
        _contents(draft, entity)
    draft.last_objects, draft.last_act = entities, None


def hold(draft: Draft, clause: Clause) -> None:
    """Hold, carry: held at the end."""
    if any(p.moving for p in clause.phrases):
        place(draft, clause)
        return
    phrases = _with_where(clause.objects, [p for p in clause.phrases if p.prep in _LOCATING])
    entities = draft.object_entities(Clause(clause.name, clause.verb, phrases, (), clause.link))
    for entity in entities:
        _require(draft, entity)
        draft.add(atom("holding", entity.argument), entity, "place", weak=True)
    draft.last_objects, draft.last_act = entities, None


def process(draft: Draft, clause: Clause) -> None:
    """Wash, heat, chill: once in the device; the device running meanwhile."""
    verb = clause.verb
    device: Entity | None = None
    vessel: Entity | None = None
    where: list[Phrase] = []
    for phrase in clause.phrases:
        if phrase.prep == "from":
            continue
        if phrase.prep == "with" and [n.words for n in phrase.nouns] == [("water",)]:
            continue
        if len(phrase.nouns) > 1 or phrase.prep in ("to", "of", "for"):
            raise Refused(f"cannot follow {phrase.prep!r} here")
        entity = draft.place_entity(phrase.nouns, [])
        row = draft.device_of(entity)
        if row is not None and squash_in(row.name, verb.devices):
            if device is None:
                device = entity
        elif entity.kind is not None and entity.kind.vessel and device is None and vessel is None:
            vessel = entity
        elif phrase.prep == "with" or row is not None:
            raise Refused(f"{clause.name!r} with {entity.name!r}")
        elif device is None:
            where.append(phrase)
    phrases = _with_where(clause.objects, where)
    entities = draft.object_entities(Clause(clause.name, clause.verb, phrases, (), clause.link))
    _from(draft, entities, [p for p in clause.phrases if p.prep == "from"])
    for entity in entities:
        if verb.surfaces and entity.fixed:
            other = draft.verbs.by_name[verb.surfaces]
            act(draft, Clause(verb.surfaces, other, phrases, (), clause.link))
            return
    if device is None:
        device = _loaded_with(draft, entities, verb)
    for entity in entities:
        _require(draft, entity)
        gate, wish = process_goals(draft, verb, clause.name, entity, device, vessel)
        if device is not None:
            for fact in draft.facts:
                if fact.subject == entity.key and fact.slot == "place" and fact.ended:
                    if device.argument in _arguments(fact.goal):
                        fact.ended = False
        draft.add(gate, entity, "other", ended=False)
        draft.wish(*wish)
    if vessel is not None and device is not None and "on" in _holds(draft, device):
        draft.presuppose_unless_known("on", vessel, device)
    if device is not None:
        draft.loaded[device.key] = (device, entities)
        draft.last_container = device
    draft.last_objects, draft.last_act = entities, None


def _arguments(goal: object) -> set[str]:
    if isinstance(goal, str):
        return {goal}
    if isinstance(goal, dict):
        return set().union(*map(_arguments, goal.values()))
    if isinstance(goal, list):
        return set().union(*map(_arguments, goal)) if goal else set()
    return set()


def _holds(draft: Draft, device: Entity) -> Sequence[str]:
    row = draft.device_of(device)
    return row.holds if row else ()


def squash_in(name: str, names: Sequence[str]) -> bool:
    """Whether a device is among those a verb names."""
    return name in names


def _loaded_with(draft: Draft, entities: list[Entity], verb: Verb) -> Entity | None:
    for device, inside in draft.loaded.values():
        row = draft.device_of(device)
        if row is not None and row.name in verb.devices and inside == entities:
            return device
    return None


def act(draft: Draft, clause: Clause) -> None:
    """Turn on, open, slice, wipe: the act's effect."""
    verb, where = clause.verb, []
    for phrase in clause.phrases:
        if phrase.prep == "with":
            continue
        if (
            phrase.nouns
            and phrase.nouns[0].words
            and phrase.nouns[0].words[-1]
            in SLICE_NOUNS
            | {
                "third",
                "quarter",
                "cube",
            }
        ):
            continue
        if phrase.prep not in _LOCATING:
            raise Refused(f"cannot follow {phrase.prep!r} here")
        where.append(phrase)
    if clause.objects and clause.objects[0].pronoun and _SLOTS.get(verb.state or ""):
        entities = draft.acted_on(verb.state or "")
    else:
        phrases = _with_where(clause.objects, where)
        entities = draft.object_entities(Clause(clause.name, verb, phrases, (), clause.link))
    for entity in entities:
        _require(draft, entity, but=verb)
        _effect(draft, clause, entity)
    if verb.state in _SLOTS:
        draft.last_act = entities[-1]
        if verb.state == "open":
            draft.last_container = entities[-1]
    else:
        draft.last_objects, draft.last_act = entities, None


def _effect(draft: Draft, clause: Clause, entity: Entity) -> None:
    state = clause.verb.state or ""
    load = draft.loaded.get(entity.key)
    if state == "on" and load is not None and draft.device_of(entity) is not None:
        runs = running(draft, entity)
        for inside in load[1]:
            there = next(
                (f.goal for f in draft.facts if f.subject == inside.key and f.slot == "place"),
                None,
            )
            goal = once(every([there, runs.goal] if there else [runs.goal]))
            if all(runs.step != earlier.step for earlier in draft.wishes):
                draft.wish(
                    goal, f"{clause.name} the {entity.name}: {runs.step} never executed", runs.step
                )
        return
    goal = atom("state", entity.argument, state)
    draft.add(goal, entity, _SLOTS.get(state, "other"))
    before = clause.verb.presupposes
    if before and not entity.argument.startswith("$"):
        negative = before.startswith("not ")
        fact = atom("state", entity.argument, before.removeprefix("not "))
        draft.presuppose(negated(fact) if negative else fact)


def fill(draft: Draft, clause: Clause) -> None:
    """Fill: the state at the end, or once under running water."""
    liquid: NounPhrase | None = None
    tap: Entity | None = None
    for phrase in clause.phrases:
        if phrase.prep == "with" and len(phrase.nouns) == 1:
            liquid = phrase.nouns[0]
        elif phrase.prep in ("in", "from", "under", "landmark", "near"):
            tap = draft.place_entity(phrase.nouns, [])
        else:
            raise Refused(f"cannot follow {phrase.prep!r} here")
    entities = draft.object_entities(clause)
    for entity in entities:
        if liquid is not None and liquid.words != ("water",):
            source = draft.entities.of(liquid)
            goal = either(
                {"did": did}
                for did in (
                    f"pour({source.argument}, {entity.argument})",
                    f"fill({entity.argument}, {source.argument})",
                )
            )
        else:
            goal = atom("state", entity.argument, "filled")
        draft.add(goal, entity, "other")
        if not entity.argument.startswith("$"):
            draft.presuppose(negated(atom("state", entity.argument, "filled")))
    del tap
    draft.last_objects, draft.last_act = entities, None


def pour(draft: Draft, clause: Clause) -> None:
    """Pour: the step, from the thing or from what holds it."""
    targets = [p for p in clause.phrases if p.prep in ("in", "on", "to")]
    sources = [p for p in clause.phrases if p.prep == "from"]
    if len(targets) != 1 or len(targets) + len(sources) != len(clause.phrases):
        raise Refused("cannot tell what is poured into what")
    entities = draft.object_entities(clause)
    target = draft.place_entity(targets[0].nouns, entities)
    vessels = [draft.place_entity(p.nouns, entities) for p in sources]
    for entity in entities:
        did = [f"pour({source.argument}, {target.argument})" for source in [*vessels, entity]]
        draft.add(either({"did": step} for step in did), entity, "other")
    draft.last_objects, draft.last_container, draft.last_act = entities, target, None


def go(draft: Draft, clause: Clause) -> None:
    """Go: where the robot is at the end; on the way to something else it says nothing."""
    if not draft.last_clause:
        return
    targets = [p for p in clause.phrases if p.prep in ("to", "in", "near", "on")]
    if clause.objects or len(targets) != 1 or len(clause.phrases) != 1:
        raise Refused("cannot tell where to go")
    target = draft.place_entity(targets[0].nouns, [])
    name = "in_room" if target.found.room else "near"
    draft.add(atom(name, target.argument), target, "other")


def examine(draft: Draft, clause: Clause) -> None:
    """Examine in the light of a lamp: held, and the lamp on."""
    entities = draft.object_entities(clause)
    lamps = [draft.place_entity(p.nouns[:1], entities) for p in clause.phrases if p.prep != "from"]
    lamps = [
        lamp
        for lamp in lamps
        if lamp.kind is not None and "light" in (*lamp.kind.wider, *lamp.kind.names)
    ]
    if len(lamps) != 1:
        raise Refused(f"{clause.name!r} without a lamp")
    for entity in entities:
        _require(draft, entity)
        draft.add(atom("holding", entity.argument), entity, "place")
    draft.add(atom("state", lamps[0].argument, "on"), lamps[0], "power")
    draft.last_objects, draft.last_act = entities, None


def state_of_affairs(draft: Draft, statement: Statement) -> None:
    """ "The mug is on the table": that, at the end."""
    entities = [draft.entities.of(subject) for subject in statement.subjects]
    for entity in entities:
        if statement.phrase is not None:
            target = draft.place_entity(statement.phrase.nouns, entities)
            draft.add(placed(draft, entity, statement.phrase.prep, target), entity, "place")
        else:
            _wanted_state(draft, entity, statement.state or "")
    draft.last_objects, draft.last_act = entities, None


def _wanted_state(draft: Draft, entity: Entity, word: str) -> None:
    if word in draft.verbs.by_adjective:
        _required(draft, entity, word)
    elif word in SELECTING or word in ("on", "off"):
        state = SELECTING.get(word, word)
        draft.add(atom("state", entity.argument, state), entity, _SLOTS.get(state, "other"))
    else:
        raise Refused(f"cannot follow {word!r}")


def _require(draft: Draft, entity: Entity, but: Verb | None = None) -> None:
    """What the adjectives of a phrase ask for."""
    phrase = entity.phrase
    for word in phrase.wanted:
        if draft.verbs.by_adjective[word] is not but:
            _required(draft, entity, word)
    if entity.found.sliced:
        _required(draft, entity, "sliced")
    for state in phrase.selects:
        if entity.argument.startswith("$"):
            draft.add(once(atom("state", entity.argument, state)), entity, "other")
        elif state not in entity.required:
            draft.presuppose(atom("state", entity.argument, state))


def _required(draft: Draft, entity: Entity, word: str) -> None:
    if word in entity.required:
        return
    entity.required.add(word)
    verb = draft.verbs.by_adjective.get(word)
    if verb is None or verb.state is None:
        raise Refused(f"cannot follow {word!r}")
    state = atom("state", entity.argument, verb.state)
    definite = entity.phrase.determiner == "the"
    if definite and not draft.lexicon.closed and not entity.argument.startswith("$"):
        draft.presuppose(state)
    if verb.rule != "process":
        draft.add(state, entity, "other")
        return
    gate, (goal, text, step) = process_goals(draft, verb, verb.names[0], entity, None, None)
    draft.add(either([state, once(gate)]), entity, "other")
    draft.wish(either([state, goal]), text, step)


_RULES: Mapping[str, Callable[[Draft, Clause], None]] = {
    "place": place,
    "get": get,
    "hold": hold,
    "process": process,
    "act": act,
    "fill": fill,
    "pour": pour,
    "go": go,
    "examine": examine,
}
_ = Running
