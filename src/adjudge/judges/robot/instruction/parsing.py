"""Text to clauses in the order in which they are to be done. Text and verbs alone decide."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from adjudge.judges.robot.instruction.clauses import Clause, ClauseReader, Statement
from adjudge.judges.robot.instruction.splitting import Splitter
from adjudge.judges.robot.instruction.tokens import Refused, sentences
from adjudge.judges.robot.verbs import VerbTable


@lru_cache(maxsize=4096)
def parse(text: str, verbs: VerbTable) -> tuple[Clause | Statement, ...] | str:
    """The clauses of an instruction in the order they are to be done, or why there are none."""
    splitter, reader = Splitter(verbs), ClauseReader(verbs)
    found: list[Clause | Statement] = []
    try:
        for words in sentences(text):
            found.extend(_sentence(splitter, reader, words))
    except Refused as refused:
        return str(refused)
    return tuple(_shared_objects(found))


def _sentence(
    splitter: Splitter, reader: ClauseReader, words: list[str]
) -> list[Clause | Statement]:
    found: list[Clause | Statement] = []
    for part, link in splitter.split(words):
        if link == "after" and found:
            found = _named_first([*reader.read(part, "then"), *found])
        elif link in ("before", "after"):
            found.extend(reader.read(part, "then"))
        else:
            found.extend(reader.read(part, link))
    return _named_first(found)


def _named_first(clauses: list[Clause | Statement]) -> list[Clause | Statement]:
    """Gives the object's name to the clause that is done first, the pronoun to the next."""
    if len(clauses) < 2:
        return clauses
    first, second = clauses[:2]
    if not (isinstance(first, Clause) and isinstance(second, Clause)):
        return clauses
    if not first.objects or not second.objects or not first.objects[0].pronoun:
        return clauses
    if second.objects[0].pronoun:
        return clauses
    return [
        replace(first, objects=second.objects),
        replace(second, objects=first.objects),
        *clauses[2:],
    ]


def _shared_objects(clauses: list[Clause | Statement]) -> list[Clause | Statement]:
    """Gives "wash and dry the mug" the same object twice."""
    for place in range(len(clauses) - 2, -1, -1):
        clause, following = clauses[place], clauses[place + 1]
        if (
            isinstance(clause, Clause)
            and isinstance(following, Clause)
            and clause.verb.rule != "go"
            and not clause.objects
            and not clause.phrases
            and following.link == "and"
        ):
            origins = tuple(p for p in following.phrases if p.prep == "from")
            clauses[place] = replace(clause, objects=following.objects, phrases=origins)
    return clauses
