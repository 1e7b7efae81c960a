"""An action on particular objects, its terms bound to them once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from adjudge.judges.robot.conditions import Condition
from adjudge.judges.robot.conditions_virtualhome import Effect
from adjudge.judges.robot.domains import ABILITY_WORDS, ROBOT, Action, Domain, Term
from adjudge.judges.robot.words import condition_of, effect_of


class BoundTerm(NamedTuple):
    """A term on objects ``a`` and ``b``; ``wanted`` is the value where it is a state."""

    term: Term
    word: str
    state: bool
    wanted: bool
    a: str
    b: str
    condition: Condition | None
    effect: Effect | None


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """An action on particular objects; ``arguments`` are in the order of ``names``."""

    action: Action
    names: tuple[str, ...]
    arguments: tuple[str, ...]
    values: Mapping[str, str]
    affordances: tuple[BoundTerm, ...]
    already: tuple[BoundTerm, ...]
    requires: tuple[BoundTerm, ...]
    reaches: tuple[BoundTerm, ...]
    effects: tuple[BoundTerm, ...]
    wants: tuple[BoundTerm, ...]

    @property
    def interaction(self) -> bool:
        """Whether it touches anything: not navigation, looking or waiting."""
        return self.action.interaction

    def value(self, name: str) -> str:
        """The object bound to an argument name, empty where the call left it out."""
        return self.values.get(name, "")

    def __str__(self) -> str:
        inside = ", ".join(self.arguments)
        return f"{self.action.name}({inside})" if inside else self.action.name


@lru_cache(maxsize=65_536)
def ground(
    domain: Domain, action: str, names: tuple[str, ...], arguments: tuple[str, ...]
) -> Ground:
    """An action of the domain on ``arguments``, one for each of ``names``."""
    row = domain.actions[action]
    values = dict(zip(names, arguments, strict=True))

    def bound(terms: tuple[Term, ...]) -> tuple[BoundTerm, ...]:
        return tuple(_bind(term, values, domain) for term in terms)

    requires = bound(row.requires)
    return Ground(
        action=row,
        names=names,
        arguments=arguments,
        values=values,
        affordances=bound(row.affordances),
        already=bound(row.already),
        requires=requires,
        reaches=tuple(term for term in requires if term.word == "reach"),
        effects=bound(row.effects),
        wants=bound(row.wants),
    )


def _bind(term: Term, values: Mapping[str, str], domain: Domain) -> BoundTerm:
    if term.word in ABILITY_WORDS:
        # names an affordance, not an argument
        a, b = term.arguments[0], ""
    else:
        bound = [
            ROBOT if name == "robot" and name not in values else values.get(name, "")
            for name in term.arguments
        ]
        a = bound[0] if bound else ""
        b = bound[1] if len(bound) > 1 else ""
        if term.word == "is":
            b = term.arguments[1]
    condition, effect = condition_of(term), effect_of(term, domain)
    return BoundTerm(term, term.word, term.state, not term.negated, a, b, condition, effect)
