"""All words of the action tables, by name: what they ask, what they do, what they were before."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from adjudge.judges.robot import conditions, conditions_behavior, conditions_virtualhome
from adjudge.judges.robot.conditions import Assumptions, Condition
from adjudge.judges.robot.conditions_virtualhome import Effect, Was
from adjudge.judges.robot.domains import Domain, DomainError, Term
from adjudge.judges.robot.edges import Write, link, link_both, relation, targets, unlink
from adjudge.judges.robot.world import State, World

CONDITIONS: Mapping[str, Condition] = {
    **conditions.CONDITIONS,
    **conditions_virtualhome.CONDITIONS,
    **conditions_behavior.CONDITIONS,
}
EFFECTS: Mapping[str, Effect] = {**conditions_virtualhome.EFFECTS, **conditions_behavior.EFFECTS}
WAS: Mapping[str, Was] = {**conditions_virtualhome.WAS}
WALKED: frozenset[str] = conditions_virtualhome.WALKED | conditions_behavior.WALKED
WRITES: Mapping[str, tuple[tuple[str, str], ...]] = {
    **conditions_virtualhome.WRITES,
    **conditions_behavior.WRITES,
}


def condition_of(term: Term) -> Condition | None:
    """The condition that a requirement names; ``None`` for a state."""
    if term.state:
        return None
    if term.relation:
        return _related(term.word, not term.negated)
    return CONDITIONS.get(term.word)


def effect_of(term: Term, domain: Domain) -> Effect | None:
    """The effect of a word that has one of its own; ``None`` for a state or a household word."""
    if term.state:
        return None
    if term.relation:
        return _relating(term.word, not term.negated, term.word in domain.symmetric)
    return EFFECTS.get(term.word)


@lru_cache(maxsize=256)
def _related(word: str, wanted: bool) -> Condition:
    kind = relation(word)

    def condition(
        world: World, state: State, a: str, b: str, assume: Assumptions | None
    ) -> str | None:
        return None if (b in targets(state, kind, a)) is wanted else "wrong_state"

    return condition


@lru_cache(maxsize=256)
def _relating(word: str, wanted: bool, both: bool) -> Effect:
    kind = relation(word)

    def effect(world: World, state: State, a: str, b: str, write: Write) -> None:
        if not wanted:
            unlink(state, write, kind, a, b)
            if both:
                unlink(state, write, kind, b, a)
        elif both:
            link_both(state, write, kind, a, b)
        else:
            link(state, write, kind, a, b)

    return effect


def check_words(domain: Domain) -> Domain:
    """The domain, whose every word means something. Raises ``DomainError`` that names the row."""
    asked = {*CONDITIONS, *WAS}
    for action in domain.actions.values():
        for field, terms, known in (
            ("requires", action.requires, asked),
            ("wants", action.wants, asked),
            ("already", action.already, {*conditions.ALREADY, *asked}),
            ("effects", action.effects, {*conditions.EFFECTS, *EFFECTS}),
        ):
            for term in terms:
                if not term.state and not term.relation and term.word not in known:
                    words = ", ".join(sorted({*known, *domain.usual, *domain.relations}))
                    raise DomainError(
                        f"{domain.name}: actions.{action.name}.{field}: expected one of {words}, "
                        f"found {term.word!r}"
                    )
    return domain
