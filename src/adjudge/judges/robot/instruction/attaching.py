"""Which place of a clause belongs to what: the destination, its surroundings, or the object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.clauses import Clause
from adjudge.judges.robot.instruction.phrases import NounPhrase, Phrase
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import PART_NOUNS

LOCATING = ("in", "on", "under", "near", "landmark", "of")
_DOUBT = "cannot tell what a place belongs to"

Objects = tuple[NounPhrase, ...]


def destination(draft: Draft, clause: Clause) -> tuple[Phrase | None, list[Phrase], Clause]:
    """The destination, what that is in or on, and the clause less these.

    A place of motion ("into") is the destination, and what stands before it belongs to the object.
    """
    places = [p for p in clause.phrases if p.prep != "from"]
    origins = tuple(p for p in clause.phrases if p.prep == "from")
    at = next((n for n, p in enumerate(places) if p.moving), None)
    if at is None:
        at = _first_place(draft, clause.objects, places)
    objects = from_where(with_where(clause.objects, places[:at]), origins)
    rest = replace(clause, objects=objects, phrases=origins)
    if at == len(places):
        return None, [], rest
    target, objects = _contents_of(draft, places[at], objects)
    outer: list[Phrase] = []
    for phrase in places[at + 1 :]:
        if len(target.nouns) != 1 or phrase.prep == "to":
            raise Refused("several places at once")
        if phrase.prep in ("in", "on") and _carries(draft, target.nouns[0]):
            outer.append(phrase)
        else:
            target = replace(target, nouns=(located(target.nouns[0], phrase),))
    return target, outer, replace(rest, objects=objects)


def _first_place(draft: Draft, objects: Objects, places: Sequence[Phrase]) -> int:
    """Which of several places that say no motion is the destination."""
    at = next((n for n, p in enumerate(places) if p.prep != "with"), len(places))
    while at + 1 < len(places):
        here, further = places[at], places[at + 1]
        if len(here.nouns) != 1 or len(further.nouns) != 1 or here.nouns[0].pronoun:
            break
        noun, around = here.nouns[0], further.nouns[0]
        if draft.resolver.places.room(noun.words) is not None:
            at += 1
            continue
        if further.prep not in ("in", "on") or _mere_part(draft, around):
            break
        if _known_at(draft, objects, noun):
            at += 1
        elif _carries(draft, noun) or _known_at(draft, (noun,), around):
            break
        else:
            raise Refused(_DOUBT)
    return at


def _mere_part(draft: Draft, noun: NounPhrase) -> bool:
    """A room, or "the corner"."""
    room = draft.resolver.places.room(noun.words) is not None
    return room or (len(noun.words) == 1 and noun.words[0] in PART_NOUNS)


def _known_at(draft: Draft, objects: Objects, place: NounPhrase) -> bool:
    """Whether the scene says that something of that name is in, on or at the place."""
    if len(objects) != 1 or objects[0].pronoun or not objects[0].words or not place.words:
        return False
    things = draft.resolver.find(replace(objects[0], where=(), traits=())).ids
    places = set(draft.resolver.find(replace(place, where=(), traits=())).ids)
    return any(places & set(draft.resolver.places.around(thing)) for thing in things)


def _carries(draft: Draft, noun: NounPhrase) -> bool:
    if noun.pronoun or not noun.words:
        return False
    kind = draft.entities.kind_of(noun)
    return kind is not None and kind.carries


def _contents_of(draft: Draft, target: Phrase, objects: Objects) -> tuple[Phrase, Objects]:
    """ "On the table with an apple in it": what is in the object, where it is a vessel."""
    noun = target.nouns[0] if len(target.nouns) == 1 else None
    if noun is None or not noun.contents or len(objects) != 1:
        return target, objects
    if _carries(draft, noun) or not _carries(draft, objects[0]):
        return target, objects
    filled = replace(objects[0], contents=noun.contents)
    return replace(target, nouns=(replace(noun, contents=()),)), (filled,)


def with_where(objects: Objects, places: Sequence[Phrase]) -> Objects:
    """The objects with the places that pick them out; "with" says what is in them."""
    for phrase in places:
        if len(objects) != 1 or objects[0].pronoun or not phrase.nouns:
            raise Refused(_DOUBT)
        inner = objects[0]
        if phrase.prep == "with":
            inner = replace(inner, contents=(*inner.contents, *phrase.nouns))
        elif phrase.prep in LOCATING:
            noun = phrase.nouns[0]
            if noun.contents and not inner.contents:
                inner = replace(inner, contents=noun.contents)
            inner = located(inner, phrase)
        else:
            raise Refused(f"cannot follow {phrase.prep!r} here")
        objects = (inner,)
    return objects


def surroundings(draft: Draft, phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases, each room or landmark taken to be where the place before it is."""
    found: list[Phrase] = []
    for phrase in phrases:
        single = len(phrase.nouns) == 1 and bool(found) and len(found[-1].nouns) == 1
        apart = phrase.prep in ("landmark", "near", "of") or (
            single and _mere_part(draft, phrase.nouns[0])
        )
        if single and phrase.prep in LOCATING and apart and found[-1].nouns[0].words:
            found[-1] = replace(found[-1], nouns=(located(found[-1].nouns[0], phrase),))
        else:
            found.append(phrase)
    return found


def from_where(objects: Objects, places: Sequence[Phrase]) -> Objects:
    """The objects, each picked out by where it comes from."""
    for phrase in places:
        if phrase.prep == "from" and len(phrase.nouns) == 1 and phrase.nouns[0].words:
            objects = tuple(o if o.pronoun else located(o, phrase) for o in objects)
    return objects


def located(noun: NounPhrase, place: Phrase) -> NounPhrase:
    """The phrase with one more place that picks it out."""
    return replace(noun, where=(*noun.where, place))
