"""States of affairs that are to be: "make sure that the mug is on the table"."""

from __future__ import annotations

from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.clauses import Statement
from adjudge.judges.robot.instruction.demands import SLOTS, demand_state
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.placing import placed
from adjudge.judges.robot.instruction.shapes import atom
from adjudge.judges.robot.instruction.tokens import Refused
from adjudge.judges.robot.instruction.words import SELECTING


def state(draft: Draft, statement: Statement) -> None:
    """That the subjects are in a place or a state, at the end."""
    entities = [draft.entities.of(subject) for subject in statement.subjects]
    for entity in entities:
        if statement.phrase is not None:
            target = draft.mentions.place(statement.phrase.nouns, entities)
            draft.add(placed(entity, statement.phrase.prep, target), entity, "place")
        else:
            _state(draft, entity, statement.state or "")
    draft.mentions.acted(entities)


def _state(draft: Draft, entity: Entity, word: str) -> None:
    if word in draft.verbs.by_adjective:
        demand_state(draft, entity, word)
    elif word in SELECTING or word in ("on", "off"):
        value = SELECTING.get(word, word)
        draft.add(atom("state", entity.argument, value), entity, SLOTS.get(value, "other"))
    else:
        raise Refused(f"cannot follow {word!r}")
