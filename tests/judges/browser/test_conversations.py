"""Every kind of finding, present, absent and nearly present; what each leaves of the scores."""

from __future__ import annotations

import pytest

from adjudge.contract import conclude, intersect
from adjudge.judges.browser.findings import KINDS
from adjudge.judges.browser.judge import BrowserJudge
from adjudge.judges.browser.scales import DIMENSIONS
from browser_conversations import TALKS, Talk
from browser_reading import one_case


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.name)
def test_findings_and_bounds(talk: Talk) -> None:
    judge = BrowserJudge(**talk.options)
    case = one_case(talk.record, judge)
    evidence = judge.check(case)
    found = [(f.kind, f.at["message"]) for f in evidence.findings]
    assert sorted(found) == sorted(talk.found), [f.text for f in evidence.findings]
    left = intersect(evidence.bounds, judge.scales(case))
    assert {name: list(record.allowed) for name, record in left.items()} == talk.left


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.name)
def test_checks_score_what_is_settled(talk: Talk) -> None:
    judge = BrowserJudge(**talk.options)
    case = one_case(talk.record, judge)
    evidence = judge.check(case)
    method = judge.method("checks")
    opinion = method.step(case, evidence, {})
    verdict = conclude(judge, case, evidence, [opinion], method=method.name)  # type: ignore[list-item]
    assert verdict.status == "scored"
    settled = {name: values[0] for name, values in talk.left.items() if len(values) == 1}
    assert dict(verdict.scores) == settled
    assert dict(verdict.unscored) == {n: "needs_model" for n in DIMENSIONS if n not in settled}
    assert verdict.output is not None
    assert set(verdict.output) == {*settled, "explanation", "issues"}


def test_there_are_enough_and_every_kind_that_code_finds_is_among_them() -> None:
    assert len(TALKS) >= 60
    found = {kind for talk in TALKS for kind, _ in talk.found}
    # the last kind rests on a model's word
    assert found == set(KINDS) - {"knowledge_by_tool"}
    subjects = {kind: [t.name for t in TALKS if t.name.startswith(kind)] for kind in found}
    for kind, names in subjects.items():
        assert len(names) >= 2, kind
        assert any(" near" in name or " no" in name for name in names), kind
