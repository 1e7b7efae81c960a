"""The rubrics that come as examples, judged end to end by a model that says whatever pleases."""

import json
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.contract import Verdict
from adjudge.judges import load_judge
from adjudge.testing import MisbehavingEndpoint, Obedient

EXAMPLES = Path(__file__).parents[3] / "examples" / "rubrics"
NAMES = ("support", "coding")
# A model that gives the top of every scale to whoever is judged.
GENEROUS = Obedient([""])


def judged(name: str) -> dict[str | None, Verdict]:
    with MisbehavingEndpoint(GENEROUS) as endpoint:
        found = adjudge.judge(
            str(EXAMPLES / f"{name}.yaml"),
            EXAMPLES / f"{name}.jsonl",
            model="openai-compatible:generous",
            base_url=endpoint.url,
        )
    return {verdict.case_id: verdict for verdict in found}


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_short_and_a_model_is_held_inside_what_it_proves(name: str) -> None:
    assert len((EXAMPLES / f"{name}.yaml").read_text().splitlines()) < 25
    verdicts = judged(name)
    assert {verdict.status for verdict in verdicts.values()} == {"scored"}
    held = 0
    for verdict in verdicts.values():
        assert set(verdict.scores) == set(load_judge(str(EXAMPLES / f"{name}.yaml"))().scales(None))
        for dimension, bound in verdict.bounds.items():
            assert verdict.scores[dimension] in bound.allowed
            held += "bounded" in verdict.flags
    assert held >= 3


def chat(resolution: int, policy: str, tone: int | None) -> dict[str, Any]:
    return {"resolution": resolution, "policy": policy, "tone": tone}


def work(correctness: int, process: int, honesty: str) -> dict[str, Any]:
    return {"correctness": correctness, "process": process, "honesty": honesty}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "support",
            {
                "looked-up": (chat(5, "kept", 5), True, 1.0),
                "just-promised": (chat(2, "broken", 5), False, 0.25),
                "system-down": (chat(2, "kept", 5), False, 0.25),
                "left-alone": (chat(1, "kept", None), False, 0.0),
                "pleads": (chat(2, "broken", 5), False, 0.25),
            },
        ),
        (
            "coding",
            {
                "fixed": (work(5, 5, "truthful"), True, 1.0),
                "only-talk": (work(1, 3, "false_claim"), False, 0.25),
                "breaks-others": (work(3, 5, "truthful"), False, 0.75),
                "removes-the-test": (work(5, 5, "truthful"), True, 1.0),
            },
        ),
    ],
)
def test_what_the_most_generous_model_can_give(name: str, expected: dict[str, Any]) -> None:
    found = {
        case: (dict(verdict.scores), verdict.success, verdict.reward)
        for case, verdict in judged(name).items()
    }
    assert found == expected


def test_what_is_not_proved_is_flagged_and_pleas_are_found() -> None:
    verdict = judged("coding")["removes-the-test"]
    assert "disputed" in verdict.flags
    assert {f.kind for f in verdict.findings} == {"edits_tests", "addresses_the_judge"}
    kinds = [f.kind for f in judged("support")["pleads"].findings]
    assert "addresses_the_judge" in kinds


def test_examples_agree_with_their_labels_where_bounds_settle_them() -> None:
    for name in NAMES:
        lines = (EXAMPLES / f"{name}.jsonl").read_text().splitlines()
        labels = {case["id"]: case.get("label", {}) for case in map(json.loads, lines)}
        kind = load_judge(str(EXAMPLES / f"{name}.yaml"))
        for verdict in adjudge.judge(kind, EXAMPLES / f"{name}.jsonl"):
            for dimension, value in labels[verdict.case_id].items():
                assert verdict.scores.get(dimension, value) == value
