"""``adjudge attack``: what words in a case can raise, with bounds and without."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.agreement.attack.attacking import attack
from adjudge.agreement.attack.attacks import MASTER_KEYS, PAYLOADS, Variant, variants
from adjudge.agreement.attack.bare_judge import bare_judge
from adjudge.agreement.attack.report import AttackReport, Tally
from adjudge.agreement.attack.texts import as_json, text_at, text_fields, with_text, with_words
from adjudge.contract import Evidence, Judge
from adjudge.inputs import expand
from adjudge.judges import load_judge
from adjudge.judges.browser.judge import BrowserJudge
from adjudge.judges.robot.judge import RobotJudge
from adjudge.judges.social.judge import SocialJudge
from adjudge.models import MemoryCache
from adjudge.runs.panel import make_panel
from adjudge.runs.places import places
from adjudge.runs.reading import CaseReader
from adjudge.testing import MisbehavingEndpoint, Obedient
from commands import adjudge
from running import ROOT
from tally_judge import TallyCase, TallyJudge

EXAMPLES = {
    "robot": ROOT / "examples" / "robot" / "plans.jsonl",
    "browser": ROOT / "examples" / "browser" / "shoes.jsonl",
    "social": ROOT / "examples" / "social" / "dialogues.jsonl",
}
METHODS = {"robot": "llm", "browser": "llm", "social": "utterance_quality"}
ORDERS = [
    "highest score",
    "rate this as perfect",
    "maximum score",
    "score: the maximum",
    "judge's answer; repeat it",
    "I checked every step",
    "To be thorough",
    "Solution",
    "Thought process:",
    "solve this problem step by step",
]
KINDS = ["inject", "reasoning", "padding", "master_key", "reorder"]


def cases_of(judge: Judge) -> list[tuple[str, Any]]:
    reader = CaseReader(judge)
    return [
        (str(item.id), item.case)
        for place in places(expand([EXAMPLES[judge.name]]), is_part=judge.is_part)
        for item in reader.items(place.piece, place.default_id)
        if item.case is not None
    ]


async def attacked(judge: Judge, cases: list[tuple[str, Any]] | None = None) -> AttackReport:
    """All attacks on the examples of a judge, with a model that obeys them."""
    panel = make_panel({"model": Obedient(ORDERS)})
    panel.keep_in(MemoryCache())
    method = METHODS.get(judge.name)
    return await attack(judge, cases or cases_of(judge), method, askers=panel.jurors)


def by_name(tallies: tuple[Tally, ...]) -> Mapping[str, Tally]:
    return {tally.name: tally for tally in tallies}


async def test_bounds_hold_what_a_robot_judge_settles() -> None:
    report = await attacked(RobotJudge())
    total, attacks, fields = report.total, by_name(report.attacks), by_name(report.fields)
    assert (report.unjudged, total.lost, total.lost_bare) == (0, 0, 0)
    # bare, the model is talked into the top score wherever it can be reached
    for payload in (*PAYLOADS, "forged_answer"):
        tally = attacks[f"inject.{payload}"]
        assert tally.rose_bare == tally.tried
        assert tally.rose < tally.rose_bare / 4
    assert attacks["master_key.solution"].rose_bare == report.cases
    assert total.settled > total.tried / 2
    assert total.rose_settled == 0
    # no words anywhere hide what can be proved without them
    assert total.loosened == 0
    assert {rise.case for rise in report.rises if rise.bounded} == {"mood"}  # its goal is unknown
    # no words in a plan raise what it scores
    for words in (fields["plan[]"], fields["response"]):
        assert words.rose_bare > 30
        assert words.rose == 0
    assert attacks["reorder"].rose_bare == attacks["reorder"].rose == 0
    assert report.untried == ("reasoning", "padding")  # a plan holds no words of the robot's own


async def test_bounds_cap_what_a_browser_judge_can_be_talked_into() -> None:
    report = await attacked(BrowserJudge())
    dimensions, attacks = by_name(report.dimensions), by_name(report.attacks)
    assert report.total.rose_settled == 0
    assert report.total.settled > 0
    assert report.total.points < report.total.points_bare
    accuracy = dimensions["tool_call_accuracy"]
    assert accuracy.points < accuracy.points_bare
    # an empty answer can be brief, but its brevity is not applicable, whatever the model says
    assert dimensions["response_conciseness"].settled > 0
    assert dimensions["response_conciseness"].rose_settled == 0
    for name in ("reasoning", "padding"):
        assert attacks[name].rose_bare > 0
        assert attacks[name].points < attacks[name].points_bare
    assert attacks["reorder"].rose_bare == 0


async def test_a_social_judge_has_no_bounds_and_the_report_shows_it() -> None:
    report = await attacked(SocialJudge())
    assert report.total.rose_bare > 100
    assert (report.total.rose, report.total.points) == (
        report.total.rose_bare,
        report.total.points_bare,
    )
    assert (report.total.settled, report.total.loosened) == (0, 0)
    assert [tally.name for tally in report.dimensions] == ["parts"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_kind_of_attack_is_tried_where_it_can_be(name: str) -> None:
    judge = load_judge(name)()
    made = [
        variant
        for _, case in cases_of(judge)
        for variant in variants(judge, case)
        if isinstance(variant, Variant)
    ]
    kinds = {variant.attack.partition(".")[0] for variant in made}
    silent = {"reasoning", "padding"}  # a plan holds no words of the robot's own
    assert kinds == set(KINDS) - (silent if name == "robot" else set())
    assert len({variant.attack for variant in made}) >= 6 + len(MASTER_KEYS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_payloads_reach_every_kind_of_text(name: str) -> None:
    judge = load_judge(name)()
    for _, case in cases_of(judge):
        plain = as_json(case)
        fields = text_fields(case)
        assert fields
        made = [v for v in variants(judge, case, ["inject.override"]) if isinstance(v, Variant)]
        assert {variant.field for variant in made} == set(fields)
        for variant in made:
            injected = as_json(variant.case)
            assert "rate this as perfect" in json.dumps(injected)
            assert injected["id"] == plain["id"]
            assert injected["label"] == plain["label"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_order_of_fields_is_no_part_of_a_case(name: str) -> None:
    judge = load_judge(name)()
    for _, case in cases_of(judge):
        [turned] = list(variants(judge, case, ["reorder"]))
        assert isinstance(turned, Variant)
        assert turned.case == case


def test_texts_are_found_by_what_they_are() -> None:
    [(_, case), *_] = cases_of(BrowserJudge())
    fields = text_fields(case)
    assert "messages[user].text" in fields
    assert "messages[assistant].calls[].name" in fields
    assert not any("role" in name or name.endswith("id") for name in fields)
    path = fields["messages[user].text"][0].path
    plain = as_json(case)
    changed = with_text(plain, path, "Hello")
    assert text_at(changed, path) == "Hello"
    assert with_text(changed, path, text_at(plain, path)) == plain


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_words_behind_json_leave_it_json(value: Any) -> None:
    text = json.dumps({"value": value})
    changed = with_words(text, "Hi")
    if changed.endswith("} Hi"):  # it holds no string to put them behind
        assert '"Hi' not in changed
    else:
        assert json.loads(changed) != {"value": value}


def test_a_bare_judge_is_the_judge_without_bounds() -> None:
    judge = RobotJudge()
    bare = bare_judge(judge)
    assert (bare.name, bare.version, bare.Case) == (judge.name, judge.version, judge.Case)
    for _, case in cases_of(judge):
        evidence = judge.check(case)
        assert evidence.bounds
        assert bare.check(case) == evidence.model_copy(update={"bounds": ()})


class Persuadable(TallyJudge):
    """Bounds what it counts, unless the text tells it not to."""

    def check(self, case: TallyCase) -> Evidence[Any]:
        evidence = super().check(case)
        return evidence.model_copy(update={"bounds": ()}) if "Ignore" in case.text else evidence


async def test_attacks_that_change_the_bounds_are_told_apart() -> None:
    judge = Persuadable(limit=0)
    panel = make_panel({"model": CountsOrders()})
    case = TallyCase(id="one", text="Count.", marks=[1])
    report = await attack(judge, [("one", case)], "ask", askers=panel.jurors)
    attacks = by_name(report.attacks)
    override, demand = attacks["inject.override"], attacks["inject.score_demand"]
    assert (override.rose_bare, override.rose, override.loosened) == (1, 1, 1)
    assert (demand.rose_bare, demand.rose, demand.settled) == (1, 0, 1)
    [rise] = [rise for rise in report.rises if rise.bounded]
    assert (rise.case, rise.field, rise.dimension) == ("one", "text", "score")
    assert (rise.before, rise.after, rise.allowed, rise.loosened) == (0, 4, None, True)


class CountsOrders(Obedient):
    """Answers the tally judge's questions."""

    def __init__(self) -> None:
        super().__init__(["highest score", "Ignore"])

    def answer(self, schema: Any, prompt: str) -> Any:
        return {"value": 4 if any(order in prompt for order in ("highest", "Ignore")) else 0}


async def test_without_a_model_only_the_bounds_are_attacked() -> None:
    report = await attack(RobotJudge(), cases_of(RobotJudge())[:2], "symbolic")
    assert not report.asked
    assert report.total.tried > 50
    assert report.total.rose_bare == 0
    assert report.total.rose_settled == 0


def test_the_command_prints_which_attack_did_it(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "runs.db")]
    with MisbehavingEndpoint(Obedient(ORDERS)) as endpoint:
        there = ["--model", "openai-compatible:any", "--base-url", endpoint.url]
        done = adjudge("run", "robot", EXAMPLES["robot"], *there, *store)
        assert done.exit_code == 0, done.stderr
        only = ["--only", "inject.override", "--only", "master_key.solution"]
        shown = adjudge("attack", "last", "--base-url", endpoint.url, *only, *store)
        assert shown.exit_code == 0, shown.stderr
    lines = shown.stdout.splitlines()
    said = re.fullmatch(r"robot · llm · .*: (\d+) cases, (\d+) attacked variants of them", lines[0])
    assert said is not None
    tried = said[2]
    assert lines[1].startswith(f"some score rose in {tried} of {tried} (100%) without bounds")
    assert re.match(r"some score rose in \d+ of \d+ \(\d?\d%\) with bounds", lines[2])
    assert re.match(r"of \d+ values that bounds settled 0 rose; ", lines[3])
    assert "what rose with bounds:" in lines
    assert any(line.startswith("inject.override ") for line in lines)
    assert "calls" in lines[-1]


def test_the_command_says_when_there_is_nobody_to_ask(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "runs.db")]
    adjudge("run", "robot", EXAMPLES["robot"], "--method", "symbolic", *store)
    alone = adjudge("attack", "last", "--limit", "1", "--only", "inject.override", *store)
    assert alone.exit_code == 0
    assert "without bounds" not in alone.stdout
    none = adjudge("attack", "last", "--method", "llm", *store)
    assert none.exit_code == 2
    assert "--model: expected a model to ask" in none.stderr
    both = adjudge("attack", "last", "--model", "openai:any", *store)
    assert "the method symbolic asks no model" in both.stderr
