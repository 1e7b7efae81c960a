"""Cases judged again under attack, with bounds and without."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from adjudge.agreement.attack.attacks import Impossible, Variant, attacks_of, variants
from adjudge.agreement.attack.bare_judge import bare_judge
from adjudge.agreement.attack.report import AttackReport, Counter, Judged, Sides
from adjudge.contract import Judge
from adjudge.runs.api import judge_stream
from adjudge.runs.asking import Asker
from adjudge.runs.panel import Asking

_CASES_AT_ONCE = 8
_PLAIN = ""


async def attack(
    judge: Judge,
    cases: Iterable[tuple[str, Any]],
    method: str | None = None,
    *,
    askers: Sequence[Asker] = (),
    quorum: int | None = None,
    only: Sequence[str] = (),
    in_flight: int | None = None,
    on_judged: Callable[[int], None] = lambda verdicts: None,
) -> AttackReport:
    """Attack ``cases`` (ids and cases) and report which scores rose.

    ``askers`` are the models of a method that asks: it is then judged twice, inside the judge's
    bounds and without any, where every value is the models' own. ``only``: attacks whose names
    begin so. ``on_judged`` hears how many verdicts there are so far.
    """
    chosen = judge.method(method, with_model=bool(askers))
    sides = [judge, bare_judge(judge)] if askers else [judge]
    counter = Counter(asked=bool(askers))
    total = unjudged = done = 0

    async def judged_by(side: Judge, made: Sequence[_Made]) -> list[Judged]:
        nonlocal done
        found: dict[int, Judged] = {}
        named = [_named(one.variant.case, position) for position, one in enumerate(made)]
        asking: Asking = {"quorum": quorum} if askers else {}
        async for verdict in judge_stream(
            side, named, chosen.name, askers=askers, in_flight=in_flight, **asking
        ):
            found[verdict.position] = Judged.of(json.loads(verdict.to_json()))
            done += 1
            on_judged(done)
        return [found[position] for position in range(len(made))]

    for some in _batches(cases):
        made = list(_made(judge, some, only, counter))
        bounded, *bare = [await judged_by(side, made) for side in sides]
        plain = Sides(bounded[0], None)
        for index, one in enumerate(made):
            there = Sides(bounded[index], bare[0][index] if bare else None)
            if one.variant.attack == _PLAIN:
                plain = there
                total += 1
                unjudged += there.bounded.scores is None
            else:
                counter.add((one.case, one.variant.attack, one.variant.field), plain, there)
    models = tuple(dict.fromkeys(asker.model for asker in askers))
    return counter.report(judge.name, chosen.name, models, total, unjudged)


class _Made(NamedTuple):
    case: str
    variant: Variant


def _made(
    judge: Judge, cases: Sequence[tuple[str, Any]], only: Sequence[str], counter: Counter
) -> Iterator[_Made]:
    """Each case as it is, and behind it its variants."""
    for case_id, case in cases:
        yield _Made(case_id, Variant(_PLAIN, _PLAIN, case))
        counter.names.update(dict.fromkeys(attacks_of(judge, case, only)))
        for one in variants(judge, case, only):
            if isinstance(one, Impossible):
                counter.impossible(one.attack, one.field)
            else:
                yield _Made(case_id, one)


def _batches(cases: Iterable[tuple[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    there = iter(cases)
    while some := list(itertools.islice(there, _CASES_AT_ONCE)):
        yield some


def _named(case: BaseModel, position: int) -> BaseModel:
    """The case under an id of its own: the same id twice would be an error."""
    if "id" not in type(case).model_fields:
        return case
    return case.model_copy(update={"id": f"variant {position}"})
