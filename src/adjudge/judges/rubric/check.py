"""What is proved about a case: which rules apply, what addresses the judge, what was cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.contract import Bound, Evidence, FindingLog, JsonObject, Scale
from adjudge.judges.hostile import words_to_judge
from adjudge.judges.rubric.compiled import Rule
from adjudge.judges.rubric.expressions import Budget, OutOfBudget, evaluate, is_true
from adjudge.judges.rubric.material import Material

_MOST_A_TEXT = 3
_MOST_ADDRESSES = 30
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class RubricFacts:
    """The case in plain values, its dimensions, and what of it a model is shown."""

    plain: JsonObject
    scales: Mapping[str, Scale]
    material: Material


RubricEvidence = Evidence[RubricFacts]


def evidence_of(
    plain: JsonObject, rules: Sequence[Rule], scales: Mapping[str, Scale], material: Material
) -> RubricEvidence:
    """Findings and bounds. A rule that takes too long to try gives no bound, and a finding."""
    log = FindingLog()
    bounds: list[Bound] = []
    for rule in rules:
        at: JsonObject = {"field": rule.when.names[0]} if rule.when.names else {}
        try:
            applies = is_true(evaluate(rule.when.node, plain, Budget()))
        except OutOfBudget:
            told = f"{rule.name} was not tried: its condition takes too many steps on this case"
            log.add("bound_untried", "warning", at, told)
            continue
        if not applies:
            continue
        because = log.add(rule.name, "warning" if rule.hard else "info", at, rule.text)
        bounds += [
            Bound(
                dimension=dimension,
                allowed=allowed,
                rule=rule.name,
                because=(because,),
                hard=rule.hard,
            )
            for dimension, allowed in rule.allowed.items()
        ]
    _addresses(plain, log)
    for field, shown, there in material.cut:
        told = f"a model is shown {shown:,} of its {there:,} characters, from both ends"
        log.add("truncated", "info", {"field": field}, told)
    return Evidence(
        findings=log.all(), bounds=tuple(bounds), facts=RubricFacts(plain, scales, material)
    )


def _addresses(plain: JsonObject, log: FindingLog) -> None:
    texts = list(_texts(plain, "", 0))
    # one pass over everything: a case without such words, nearly every one, costs one look
    if not words_to_judge("\n".join(text for _, text in texts)):
        return
    left = _MOST_ADDRESSES
    for path, text in texts:
        for words in words_to_judge(text)[: min(_MOST_A_TEXT, left)]:
            left -= 1
            place = {"field": path, "start": words.start, "end": words.end}
            said = f"text that speaks to the judge ({words.kind}): {words.quote}"
            log.add("addresses_the_judge", "warning", place, said)


def _texts(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif depth >= _DEEPEST:
        return
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, f"{path}[{index}]", depth + 1)
