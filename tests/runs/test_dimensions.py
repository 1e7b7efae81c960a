"""What many verdicts come to: every one counted, and apart where it is no score."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adjudge.contract import conclude
from adjudge.judges.browser.judge import BrowserJudge
from adjudge.judges.browser.scales import DIMENSIONS
from adjudge.runs.dimensions import Summary, summarise
from browser_conversations import TALKS
from browser_reading import one_case


def _verdict(**changes: Any) -> dict[str, Any]:
    return {"status": "scored", "scores": {}, "unscored": {}, "findings": [], **changes}


def test_null_unscored_and_failed_are_no_scores() -> None:
    made = summarise(
        [
            _verdict(scores={"knowledge": 5}, output={"issues": ["a", "a", "b"]}),
            _verdict(scores={"knowledge": 2}, output={"issues": ["a"]}),
            _verdict(scores={"knowledge": None}),
            _verdict(unscored={"knowledge": "needs_model"}, flags=["bounded"]),
            _verdict(status="refused", findings=[{"kind": "truncated"}]),
            _verdict(status="error", scores={"knowledge": 1}),
        ],
        ["knowledge", "tone"],
    )
    assert made["total"] == 6
    assert made["statuses"] == {"scored": 4, "refused": 1, "error": 1}
    assert made["dimensions"]["knowledge"] == {
        "mean": 3.5,
        "n": 2,
        "distribution": {"2": 1, "5": 1},
        "null": 1,
        "unscored": {"needs_model": 1},
        "failed": 2,
    }
    assert made["dimensions"]["tone"]["mean"] is None
    assert made["issues"] == {"a": 2, "b": 1}
    assert made["findings"] == {"truncated": 1}
    assert made["flags"] == {"bounded": 1}


def test_verdicts_of_the_judge_as_they_are_stored() -> None:
    judge = BrowserJudge()
    summary = Summary(DIMENSIONS)
    for talk in TALKS:
        case = one_case(talk.record, judge)
        evidence = judge.check(case)
        opinion: Any = judge.method("checks").step(case, evidence, {})
        verdict = conclude(judge, case, evidence, [opinion], method="checks")
        summary.add(json.loads(verdict.to_json()))
    made = summary.as_json()
    assert made["total"] == made["statuses"]["scored"] == len(TALKS)
    for name in DIMENSIONS:
        counted = made["dimensions"][name]
        assert counted["n"] + counted["null"] + sum(counted["unscored"].values()) == len(TALKS)
    assert made["issues"]["redundant_call"] >= 4
    assert made["findings"]["duplicate_call"] >= 3


@given(st.lists(st.sampled_from([1, 2, 3, 4, 5, None, "unscored", "failed"]), max_size=30))
def test_nothing_is_lost(scores: list[Any]) -> None:
    verdicts = []
    for score in scores:
        if score == "failed":
            verdicts.append(_verdict(status="invalid"))
        elif score == "unscored":
            verdicts.append(_verdict(unscored={"d": "needs_model"}))
        else:
            verdicts.append(_verdict(scores={"d": score}))
    made = summarise(verdicts, ["d"])["dimensions"]["d"]
    unscored = made["unscored"].get("needs_model", 0)
    assert made["n"] + made["null"] + unscored + made["failed"] == len(scores)
    assert sum(made["distribution"].values()) == made["n"]
    real = [score for score in scores if isinstance(score, int)]
    assert made["mean"] == (sum(real) / len(real) if real else None)


def test_choices_have_a_distribution_and_no_mean() -> None:
    verdicts = [_verdict(scores={"d": score}) for score in ("kind", "rude", "kind", None)]
    made = summarise(verdicts)["dimensions"]["d"]
    assert (made["mean"], made["n"], made["null"]) == (None, 3, 1)
    assert made["distribution"] == {"kind": 2, "rude": 1}
