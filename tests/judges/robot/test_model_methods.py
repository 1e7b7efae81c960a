"""The robot judge's methods that ask a model: when they ask, what they make of the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.contract import Ask, Bound, Evidence, Finding, JsonObject, Opinion, Reply, conclude
from adjudge.contract.asking import ReplyStatus
from adjudge.judges.prompting import TemplateError
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.facts import GoalFacts, RobotFacts, TraceFacts
from adjudge.judges.robot.form import RobotAnswer
from adjudge.judges.robot.goal_form import GoalAnswer, Vocabulary, reading_of
from adjudge.judges.robot.judge import RobotJudge
from adjudge.judges.robot.methods import GroundedMethod, LlmMethod
from adjudge.judges.robot.reading import Reading

RobotEvidence = Evidence[RobotFacts]
STEPS = ("pick(mug)", "place_in(mug, sink)")
SCENE = {
    "rooms": ["bathroom"],
    "objects": [
        {"id": "Mug_1", "category": "mug"},
        {"id": "mug_2", "category": "mug"},
        {"id": "sink", "room": "bathroom"},
        {"id": "faucet", "at": "sink"},
    ],
}
GOAL = GoalFacts(source="model", text="mug_1 in sink", met=True, met_at=1)
FINDING = Finding(id="F1", kind="k", severity="info", at={}, text="seen")


def _case(**changes: Any) -> RobotCase:
    fields = {"instruction": "Wash the mug.", "scene": SCENE, "plan": list(STEPS), **changes}
    return RobotCase.model_validate(fields)


def _evidence(*allowed: int, goal: GoalFacts | None = None) -> RobotEvidence:
    bounds = (Bound(dimension="score", allowed=frozenset(allowed), rule="r", because=("F1",)),)
    trace = TraceFacts(STEPS, (0, 1), False, None, ())
    facts = RobotFacts(trace, goal, None, None, ())
    return Evidence(findings=(FINDING,), bounds=bounds if allowed else (), facts=facts)


def _explain(case: RobotCase, evidence: RobotEvidence) -> JsonObject:
    return {"summary": f"about {case.instruction}"}


CONFLICT: RobotEvidence = Evidence(
    findings=(),
    bounds=tuple(Bound(dimension="score", allowed=frozenset({n}), rule=f"r{n}") for n in (1, 4)),
    facts=_evidence().facts,
)


def _answered(score: int = 4, evaluate: str = "BRANCH B, see F1 and F9") -> Reply:
    value = RobotAnswer(
        summary="s", execution_analysis="a", evaluate=evaluate, score=score, success_boolean=True
    )
    return Reply(status="ok", value=value)


# llm


def test_llm_does_not_ask_where_the_bounds_leave_one_score() -> None:
    opinion = LlmMethod(_explain).step(_case(), _evidence(3), {})
    assert isinstance(opinion, Opinion)
    assert opinion.scores == {"score": 3}
    assert opinion.output == {"summary": "about Wash the mug."}


@pytest.mark.parametrize(("allowed", "always"), [((3, 4), False), ((), False), ((3,), True)])
def test_llm_asks_once_where_something_is_open(allowed: tuple[int, ...], always: bool) -> None:
    method = LlmMethod(_explain, always_ask=always)
    asked = method.step(_case(), _evidence(*allowed), {})
    assert isinstance(asked, Ask)
    (question,) = asked.questions
    assert question.form is RobotAnswer
    assert [message.role for message in question.messages] == ["system", "user"]
    opinion = method.step(_case(), _evidence(*allowed), {question.key: _answered()})
    assert isinstance(opinion, Opinion)
    assert opinion.scores == {"score": 4}
    assert set(opinion.output) == {"summary", "execution_analysis", "evaluate"}
    assert opinion.cites == ("F1",)


def test_a_template_that_cannot_judge_is_named_before_any_case() -> None:
    with pytest.raises(TemplateError, match="user template"):
        RobotJudge(user_template="Is it good?").methods()


@pytest.mark.parametrize(
    "status", ["refused", "invalid", "truncated", "overflow", "error", "skipped"]
)
def test_a_failed_reply_is_a_failed_opinion_with_its_reason(status: ReplyStatus) -> None:
    reply = Reply(status=status, reason="why: that is why", text="raw")
    for method, key in (
        (LlmMethod(_explain), "verdict"),
        (GroundedMethod(_prove_nothing, _explain, _words), "goal"),
    ):
        opinion = method.step(_case(), _evidence(0, 1, 3), {key: reply})
        assert isinstance(opinion, Opinion)
        assert (opinion.status, opinion.reason) == (status, "why: that is why")
        assert opinion.scores == {}


def test_bounds_that_contradict_are_an_error_and_nobody_is_asked() -> None:
    for method in (
        LlmMethod(_explain, always_ask=True),
        GroundedMethod(_prove_nothing, _explain, _words),
    ):
        opinion = method.step(_case(), CONFLICT, {})
        assert isinstance(opinion, Opinion)
        assert opinion.status == "error"
        assert (opinion.reason or "").startswith("bounds_conflict")


@pytest.mark.parametrize(
    "change",
    [{"score": 5}, {"score": -1}, {"score": "3"}, {"score": 3.0}, {"score": True}, {"summary": ""}],
)
def test_the_form_takes_no_score_that_is_none(change: dict[str, object]) -> None:
    fields: dict[str, object] = {
        "summary": "s",
        "execution_analysis": "a",
        "evaluate": "e",
        "score": 3,
        "success_boolean": True,
    }
    assert RobotAnswer.model_validate(fields).score == 3
    with pytest.raises(ValueError):
        RobotAnswer.model_validate({**fields, **change})


# grounded

WORDS = Vocabulary(states=("open", "closed", "on", "off"), actions=("toggle_on", "open", "wash"))


def _words(case: RobotCase) -> Vocabulary:
    return WORDS


def _prove_nothing(case: RobotCase, reading: Reading) -> RobotEvidence:
    raise ValueError("no such goal")


@dataclass
class Prover:
    """Proves every goal with the same evidence and remembers it."""

    evidence: RobotEvidence = field(default_factory=lambda: _evidence(3, 4, goal=GOAL))
    seen: list[Reading] = field(default_factory=list)

    def __call__(self, case: RobotCase, reading: Reading) -> RobotEvidence:
        self.seen.append(reading)
        return self.evidence


def _goal(*facts: Mapping[str, object], **more: object) -> Reply:
    fields: dict[str, object] = {"reasoning": "r", "facts": list(facts), **more}
    return Reply(status="ok", value=GoalAnswer.model_validate_json(json.dumps(fields)))


IN_SINK = {"relation": "in", "subject": "mug_1", "target": "sink", "when": "at_some_time"}


def test_grounded_asks_for_the_goal_proves_it_and_takes_the_lowest_score_left() -> None:
    prover = Prover()
    method = GroundedMethod(prover, _explain, _words)
    asked = method.step(_case(), _evidence(), {})
    assert isinstance(asked, Ask)
    (question,) = asked.questions
    assert question.form is GoalAnswer
    reply = _goal(IN_SINK, implied_steps=[{"action": "toggle_on", "object": "faucet"}])
    opinion = method.step(_case(), _evidence(), {question.key: reply})
    assert isinstance(opinion, Opinion)
    assert opinion.scores == {"score": 3}
    assert opinion.evidence is prover.evidence
    (reading,) = prover.seen
    assert reading.gate == {"all": [{"once": {"in": ["mug_1", "sink"]}}]}
    (audited,) = reading.audit
    assert audited.goal == {"once": {"state": ["faucet", "on"]}}
    assert audited.step == "toggle_on(faucet)"
    assert audited.text == "the instruction implies toggle_on(faucet), which never happened"


def test_grounded_does_not_ask_where_the_goal_is_known_or_the_score_settled() -> None:
    method = GroundedMethod(_prove_nothing, _explain, _words)
    for evidence, score in ((_evidence(1, 2, goal=GOAL), 1), (_evidence(0), 0)):
        opinion = method.step(_case(), evidence, {})
        assert isinstance(opinion, Opinion)
        assert opinion.scores == {"score": score}


def test_the_question_depends_on_instruction_and_scene_alone() -> None:
    method = GroundedMethod(_prove_nothing, _explain, _words)

    def asked(case: RobotCase) -> object:
        ask = method.step(case, _evidence(), {})
        assert isinstance(ask, Ask)
        return ask.questions[0].messages

    first = asked(_case(id="a", plan=["open(door)"]))
    assert first == asked(_case(id="b", relations=["x"], label=4))
    assert first != asked(_case(instruction="Wash it twice."))
    assert first != asked(_case(scene=None))


def test_unknown_names_are_asked_for_again_once() -> None:
    prover = Prover()
    method = GroundedMethod(prover, _explain, _words)
    wrong = _goal(
        {**IN_SINK, "subject": "coffee cup"}, implied_steps=[{"action": "turn", "object": "tap"}]
    )
    again = method.step(_case(), _evidence(), {"goal": wrong})
    assert isinstance(again, Ask)
    (question,) = again.questions
    assert [m.role for m in question.messages] == ["system", "user", "assistant", "user"]
    last = question.messages[-1].content
    assert '["coffee cup", "turn", "tap"]' in last
    assert "mug_2" in last
    fixed = method.step(_case(), _evidence(), {"goal": wrong, question.key: _goal(IN_SINK)})
    assert isinstance(fixed, Opinion)
    assert fixed.status == "scored"
    assert len(prover.seen) == 1
    still = method.step(_case(), _evidence(), {"goal": wrong, question.key: wrong})
    assert isinstance(still, Opinion)
    assert still.status == "invalid"
    assert still.reason == 'unknown_names: ["coffee cup", "turn", "tap"]'


def test_a_state_that_does_not_exist_is_unknown_and_a_category_is_known() -> None:
    method = GroundedMethod(Prover(), _explain, _words)
    state = {"relation": "state", "subject": "mug", "target": "shiny"}
    assert isinstance(method.step(_case(), _evidence(), {"goal": _goal(state)}), Ask)
    known = {"relation": "state", "subject": "mug", "target": "on"}
    assert isinstance(method.step(_case(), _evidence(), {"goal": _goal(known)}), Opinion)


def test_without_a_scene_every_object_exists() -> None:
    method = GroundedMethod(Prover(), _explain, _words)
    reply = _goal({"relation": "on", "subject": "Red Book", "target": "bed"})
    opinion = method.step(_case(scene=None), _evidence(), {"goal": reply})
    assert isinstance(opinion, Opinion)
    assert opinion.status == "scored"


def test_no_goal_is_skipped_and_a_goal_that_cannot_be_proved_is_invalid() -> None:
    method = GroundedMethod(_prove_nothing, _explain, _words)
    none = method.step(_case(), _evidence(), {"goal": _goal()})
    assert isinstance(none, Opinion)
    assert (none.status, none.reason) == ("skipped", "goal_unknown")
    bad = method.step(_case(), _evidence(), {"goal": _goal(IN_SINK)})
    assert isinstance(bad, Opinion)
    assert (bad.status, bad.reason) == ("invalid", "bad_goal: no such goal")


@pytest.mark.parametrize(
    ("fact", "goal"),
    [
        ({"relation": "on", "subject": "Mug 1", "target": "sink"}, {"on": ["mug_1", "sink"]}),
        ({"relation": "holding", "subject": "mug_1"}, {"holding": ["mug_1"]}),
        (
            {"relation": "holding", "subject": "robot", "target": "mug_1"},
            {"holding": ["mug_1"]},
        ),
        ({"relation": "near", "subject": "robot", "target": "sink"}, {"near": ["sink"]}),
        ({"relation": "near", "subject": "mug_1", "target": "sink"}, {"near": ["mug_1", "sink"]}),
        ({"relation": "facing", "subject": "robot", "target": "sink"}, {"facing": ["sink"]}),
        (
            {"relation": "in_room", "subject": "robot", "target": "bathroom"},
            {"in_room": ["bathroom"]},
        ),
        ({"relation": "state", "subject": "sink", "target": "on"}, {"state": ["sink", "on"]}),
        (
            {"relation": "in", "subject": "Mug_1", "target": "sink", "which": "every"},
            {"forall": ["x", "?mug", {"in": ["$x", "sink"]}]},
        ),
        (
            {"relation": "in", "subject": "mug", "target": "sink", "which": "any", "how_many": 2},
            {"count": ["x", "?mug", 2, {"in": ["$x", "sink"]}]},
        ),
    ],
)
def test_a_flat_fact_in_the_goal_language(fact: dict[str, object], goal: JsonObject) -> None:
    value = _goal(fact).value
    assert isinstance(value, GoalAnswer)
    reading = reading_of(value, _case().scene)
    assert reading is not None
    assert reading.gate == {"all": [goal]}


def test_facts_in_order_are_a_sequence_and_the_lasting_ones_hold_at_the_end() -> None:
    shelf = {"relation": "on", "subject": "mug_1", "target": "faucet"}
    value = _goal(IN_SINK, shelf, in_order=True).value
    assert isinstance(value, GoalAnswer)
    reading = reading_of(value, None)
    assert reading is not None
    washed, put = {"in": ["mug_1", "sink"]}, {"on": ["mug_1", "faucet"]}
    assert reading.gate == {"all": [{"in_order": [washed, put]}, put]}


names = st.sampled_from(["mug_1", "mug", "sink", "robot", "bathroom", "unheard of", "on", "```"])
answers: st.SearchStrategy[dict[str, object]] = st.builds(
    dict,
    reasoning=st.text(max_size=5),
    facts=st.lists(
        st.fixed_dictionaries(
            {
                "relation": st.sampled_from(
                    ["on", "in", "under", "near", "facing", "holding", "in_room", "state"]
                ),
                "subject": names,
                "target": st.none() | names,
                "which": st.sampled_from(["this", "any", "every"]),
                "when": st.sampled_from(["at_end", "at_some_time"]),
            }
        ),
        max_size=3,
    ),
    in_order=st.booleans(),
    implied_steps=st.lists(
        st.fixed_dictionaries({"action": st.sampled_from(["toggle_on", "fly"]), "object": names}),
        max_size=2,
    ),
)


@given(answers, answers)
def test_whatever_a_model_answers_two_rounds_end_in_an_opinion(
    first: dict[str, object], second: dict[str, object]
) -> None:
    method = GroundedMethod(Prover(), _explain, _words)
    replies: dict[str, Reply] = {}
    for given_answer in (first, second):
        step = method.step(_case(), _evidence(), replies)
        if isinstance(step, Opinion):
            break
        (question,) = step.questions
        value = GoalAnswer.model_validate_json(json.dumps(given_answer))
        replies[question.key] = Reply(status="ok", value=value)
    opinion = method.step(_case(), _evidence(), replies)
    assert isinstance(opinion, Opinion)
    assert opinion.status in ("scored", "skipped", "invalid")
    assert len(replies) <= method.max_rounds


# wired into the judge: real evidence


def test_the_judge_s_own_methods_on_a_case_the_rules_cannot_read() -> None:
    judge = RobotJudge()
    case = _case(
        instruction="Prepare the mug for a guest.", plan=["pick(Mug_1)", "place_in(Mug_1, sink)"]
    )
    evidence = judge.check(case)
    assert evidence.facts.goal is None
    assert isinstance(judge.methods()["llm"].step(case, evidence, {}), Ask)
    grounded = judge.methods()["grounded"]
    assert isinstance(grounded.step(case, evidence, {}), Ask)
    reply = _goal({"relation": "in", "subject": "mug", "target": "sink", "which": "any"})
    opinion = grounded.step(case, evidence, {"goal": reply})
    assert isinstance(opinion, Opinion)
    assert opinion.evidence is not None
    assert opinion.evidence.facts.goal is not None
    assert opinion.evidence.facts.goal.source == "model"
    assert opinion.evidence.facts.goal.met
    verdict = conclude(judge, case, evidence, [opinion], method="grounded")
    assert verdict.success is True
    assert set(verdict.output or {}) == set(RobotAnswer.model_fields)


def test_an_implied_step_that_a_model_names_is_audited() -> None:
    judge = RobotJudge()
    plan = ["pick(Mug_1)", "place_in(Mug_1, sink)"]
    for steps, score in ((plan, 3), ([*plan, "toggle_on(faucet)"], 3), (plan[:1], 1)):
        case = _case(instruction="Prepare the mug for a guest.", plan=steps)
        reply = _goal(IN_SINK, implied_steps=[{"action": "toggle_on", "object": "faucet"}])
        opinion = judge.methods()["grounded"].step(case, judge.check(case), {"goal": reply})
        assert isinstance(opinion, Opinion)
        assert opinion.scores == {"score": score}
        found = {f.kind for f in (opinion.evidence or CONFLICT).findings}
        assert ("missing_implicit_step" in found) is ("toggle_on(faucet)" not in steps)
