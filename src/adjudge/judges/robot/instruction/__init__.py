"""Instruction rules: an instruction in English to a goal, or a reason why not."""

from __future__ import annotations

from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.parsing import parse
from adjudge.judges.robot.instruction.rules import apply
from adjudge.judges.robot.instruction.tokens import MAX_CHARACTERS, Refused
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.reading import NoReading, Reading
from adjudge.judges.robot.verbs import VerbTable

__all__ = ["read_instruction"]


def read_instruction(text: str, lexicon: Lexicon, verbs: VerbTable) -> Reading | NoReading:
    """What an instruction asks for, in the goal language; ``NoReading`` where that is not sure.

    >>> from adjudge.judges.robot.verbs import default_verbs
    >>> room = Lexicon(closed=True, objects={"book": "book", "desk": "desk"})
    >>> read_instruction("Put the book on the desk.", room, default_verbs()).gate
    {'on': ['book', 'desk']}
    """
    if len(text) > MAX_CHARACTERS:
        return NoReading(f"longer than {MAX_CHARACTERS:,} characters")
    clauses = parse(text, verbs)
    if isinstance(clauses, str):
        return NoReading(clauses)
    draft = Draft(lexicon, verbs)
    try:
        for number, clause in enumerate(clauses):
            draft.clause = draft.entities.clause = number
            draft.then = clause.link == "then"
            draft.last_clause = number == len(clauses) - 1
            apply(draft, clause)
        return draft.reading()
    except Refused as refused:
        return NoReading(str(refused))
