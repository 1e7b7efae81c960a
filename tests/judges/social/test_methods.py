"""The social judge's methods with a scripted model: what each kind of answer comes to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import adjudge
from adjudge.contract import Question
from adjudge.judges.social.judge import SocialJudge
from adjudge.models import Endpoint, HttpTransport, Juror, ModelClient
from adjudge.models.dialects import OpenAIChat
from adjudge.testing import MisbehavingEndpoint
from social_cases import Scripted, dialogue, importances, scored

# Ann speaks at 0, 3 and 4; turn 2 is silent, 1 and 5 are Bob's
TALK = dialogue(
    ("Ann", "Twenty?"),
    ("Bob", "Too much."),
    ("Ann", "did nothing"),
    ("Ann", "Fifteen, then."),
    ("Ann", "And I carry it."),
    ("Bob", "Deal."),
)
OWN = {0: 1, 3: 2, 4: 3}


def _turns(question: Question) -> list[int]:
    """The turns that a question asks about, as its last line says."""
    text = question.messages[-1].content.split("turns", 1)[1]
    return [
        int(n)
        for n in text.replace(":", " ").split("(")[0].split(".")[0].replace(",", " ").split()
        if n.isdigit()
    ]


def _credits(verdict: adjudge.Verdict, field: str) -> dict[int, Any]:
    return {credit["turn"]: credit[field] for credit in verdict.details["credits"]}


def test_direct_scores_every_utterance_with_one_question() -> None:
    model = Scripted(lambda question: importances(OWN))
    (verdict,) = adjudge.judge("social", TALK, "direct", askers=[model])
    assert len(model.asked) == 1
    assert verdict.status == "scored"
    assert verdict.scores == {"0": 1, "3": 2, "4": 3}
    assert verdict.output == {
        "Utterance 0 by Ann": 1,
        "Utterance 1 by Ann": 2,
        "Utterance 2 by Ann": 3,
    }
    assert _credits(verdict, "reward") == {0: 1 / 3 * 8, 3: 2 / 3 * 8, 4: 8.0}
    assert verdict.reward == pytest.approx(16 / 3)
    assert verdict.success is None
    details = verdict.details
    assert (details["episode_id"], details["agent"]) == ("talk", "Ann")
    assert (details["dimension"], details["episode_score"]) == ("goal", 8)
    assert (details["formula"], details["analysis"]) == ("scaled", "because")
    assert details["credits"][1] == {
        "turn": 3,
        "key": "Utterance 1 by Ann",
        "text": "Fifteen, then.",
        "importance": 2,
        "direction": None,
        "reward": 2 / 3 * 8,
    }


def _entries(*pairs: tuple[Any, Any]) -> dict[str, Any]:
    return {"analysis": "a", "scores": [{"turn": t, "importance": v} for t, v in pairs]}


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        # the wrong turns
        (_entries((0, 1), (3, 1)), "invalid", "unasked_turns: 0, 3"),  # asked again: only for 4
        ({"analysis": "a", "scores": []}, "invalid", "missing_turns: 0, 3, 4"),
        (_entries((0, 1), (3, 1), (4, 1), (4, 1)), "invalid", "repeated_turns: 4"),
        (_entries((0, 1), (3, 1), (4, 1), (9, 1)), "invalid", "unasked_turns: 9"),
        (_entries((0, 1), (1, 1), (3, 1), (4, 1)), "invalid", "unasked_turns: 1"),
        (_entries((0, 1), (2, 1), (3, 1), (4, 1)), "invalid", "unasked_turns: 2"),
        (_entries((0, 1), (1, 1), (2, 1)), "invalid", "unasked_turns: 1, 2"),
        # the wrong values
        (_entries((0, 4), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, -1), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, 2.5), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, "2"), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, "3/3"), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, None), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, True), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, {"value": 2}), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries((0, [2]), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.importance"),
        (_entries(("0", 1), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.turn"),
        (_entries((0.5, 1), (3, 1), (4, 1)), "invalid", "bad_value: scores.0.turn"),
        ('{"analysis": "a", "scores": [{"turn": 0, "importance": NaN}]}', "invalid", "bad_json"),
        # the wrong shape
        ({"Utterance 0 by Ann": 1}, "invalid", "bad_value"),
        ({"answer": _entries((0, 1), (3, 1), (4, 1))}, "invalid", "bad_value"),
        ({"analysis": "a", "scores": {"0": 1, "3": 1, "4": 1}}, "invalid", "bad_value: scores"),
        ("", "invalid", "empty"),
        ("I cannot judge people.", "refused", "refusal"),
        # JSON does not tell 2.0 from 2, and order is nothing
        ('{"analysis":"a","scores":[{"turn":4,"importance":2.0},{"turn":0,"importance":1},'
         '{"turn":3,"importance":1}]}', "scored", None),
        ("So:\n```json\n" + json.dumps(_entries((0, 1), (3, 1), (4, 1))) + "\n```", "scored", None),
    ],
)  # fmt: skip
def test_an_answer_holds_exactly_the_turns_in_range(
    answer: Any, status: str, reason: str | None
) -> None:
    verdict = scored(TALK, "direct", answer)
    assert verdict.status == status
    if reason is None:
        assert verdict.reason is None
        return
    assert (verdict.reason or "").startswith(reason)
    assert verdict.scores == {}
    assert verdict.reward is None
    assert verdict.output is None
    assert set(_credits(verdict, "importance").values()) == {None}
    assert set(_credits(verdict, "reward").values()) == {None}
    assert verdict.opinions[0].replies[0]["text"] == (
        answer if isinstance(answer, str) else json.dumps(answer)
    )


def test_missing_turns_are_asked_for_again_and_no_others() -> None:
    def answer(question: Question) -> Any:
        return importances({4: 3} if question.key == "missing" else {0: 1, 3: 2})

    model = Scripted(answer)
    (verdict,) = adjudge.judge("social", TALK, "default", askers=[model])
    assert verdict.scores == {"0": 1, "3": 2, "4": 3}
    assert verdict.method == "direct"
    first, second = model.asked
    assert _turns(first) == [0, 3, 4]
    assert _turns(second) == [4]
    assert second.messages[: len(first.messages)] == first.messages
    assert second.form is first.form


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ({0: 1, 4: 3}, "unasked_turns: 0"),
        ({3: 1}, "unasked_turns: 3"),
        ({}, "missing_turns: 4"),
    ],
)
def test_the_second_answer_holds_exactly_the_missing_turns(
    second: dict[int, int], reason: str
) -> None:
    def answer(question: Question) -> Any:
        return importances(second if question.key == "missing" else {0: 1, 3: 2})

    verdict = scored(TALK, "direct", answer)
    assert (verdict.status, verdict.reason) == ("invalid", reason)
    assert verdict.usage.calls == 2


def test_the_ten_scale_goes_to_ten_and_has_its_published_name() -> None:
    for method in ("direct_10", "10-scale"):
        verdict = scored(TALK, method, importances({0: 0, 3: 5, 4: 10}))
        assert verdict.method == "direct_10"
        assert _credits(verdict, "reward") == {0: 0.0, 3: 4.0, 4: 8.0}
    assert scored(TALK, "direct_10", importances({0: 0, 3: 5, 4: 11})).status == "invalid"


def _key(turn: int, direction: str = "good") -> dict[str, Any]:
    return {"analysis": "turned it", "turn": turn, "direction": direction}


def test_the_key_utterance_takes_the_whole_score_with_one_question() -> None:
    model = Scripted(lambda question: _key(3, "bad"))
    (verdict,) = adjudge.judge("social", TALK, "key_utterance", askers=[model])
    assert len(model.asked) == 1
    assert verdict.output == {"key_utterance": "Utterance 1 by Ann"}
    assert _credits(verdict, "importance") == {0: 0, 3: 1, 4: 0}
    assert _credits(verdict, "reward") == {0: 0, 3: 8, 4: 0}
    # bad, and no less important for it
    assert _credits(verdict, "direction") == {0: None, 3: -1, 4: None}
    assert verdict.details["key"] == {
        "turn": 3,
        "speaker": "Ann",
        "text": "Fifteen, then.",
        "direction": -1,
    }


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (1, "key_of_another_agent: 1"),
        (2, "unknown_turn: 2"),
        (17, "unknown_turn: 17"),
        (-1, "unknown_turn: -1"),
    ],
)
def test_a_key_that_is_no_utterance_of_the_agent_is_invalid(turn: int, reason: str) -> None:
    for method in ("key_utterance", "key_first"):
        verdict = scored(TALK, method, _key(turn))
        assert (verdict.status, verdict.reason) == ("invalid", reason)


def test_the_key_may_be_anyones_where_that_is_asked() -> None:
    verdict = scored(TALK, "key_utterance", _key(5), key_candidates="anyone")
    assert verdict.status == "scored"
    assert set(_credits(verdict, "reward").values()) == {0}
    assert verdict.output == {"key_utterance": None}
    assert (verdict.details["key"]["speaker"], verdict.details["key"]["direction"]) == ("Bob", 1)


def _key_then(rest: dict[int, int]) -> Callable[[Question], Any]:
    return lambda question: _key(4) if question.key == "key" else importances(rest)


@pytest.mark.parametrize(
    ("method", "options", "top"),
    [
        ("key_first", {}, 3),
        ("direct", {"key_first": True}, 3),
        ("10-scale", {"key_first": True}, 10),
    ],
)
def test_key_first_gives_the_key_the_top_and_asks_for_the_rest(
    method: str, options: dict[str, Any], top: int
) -> None:
    model = Scripted(_key_then({0: 1, 3: 0}))
    (verdict,) = adjudge.judge(SocialJudge(**options), TALK, method, askers=[model])
    assert [question.key for question in model.asked] == ["key", "scores"]
    assert _turns(model.asked[1]) == [0, 3]
    assert "already identified: turn 4" in model.asked[1].messages[-1].content
    assert verdict.scores == {"0": 1, "3": 0, "4": top}
    assert _credits(verdict, "direction") == {0: None, 3: None, 4: 1}


def test_key_first_of_a_single_utterance_asks_once() -> None:
    model = Scripted(lambda question: _key(0))
    case = dialogue(("Ann", "Twenty?"), ("Bob", "Deal."))
    (verdict,) = adjudge.judge("social", case, "key_first", askers=[model])
    assert len(model.asked) == 1
    assert verdict.scores == {"0": 3}


def test_key_first_asks_again_for_what_is_missing() -> None:
    answers = {"key": _key(4), "scores": importances({0: 1}), "missing": importances({3: 2})}
    verdict = scored(TALK, "key_first", lambda question: answers[question.key])
    assert verdict.scores == {"0": 1, "3": 2, "4": 3}


def test_direction_can_be_asked_for_with_every_importance() -> None:
    answer = {
        "analysis": "a",
        "scores": [
            {"turn": 0, "importance": 3, "direction": "bad"},
            {"turn": 3, "importance": 1, "direction": "good"},
            {"turn": 4, "importance": 0, "direction": "good"},
        ],
    }
    plain = scored(TALK, "direct", answer, direction=True)
    assert _credits(plain, "direction") == {0: -1, 3: 1, 4: 1}
    assert _credits(plain, "reward")[0] == 8.0
    signed = scored(TALK, "direct", answer, formula="directed")
    assert _credits(signed, "reward") == {0: -1.0, 3: 1 / 3, 4: 0.0}
    assert scored(TALK, "direct", importances(OWN), direction=True).status == "invalid"


def _by_turn(values: dict[int, int], field: str) -> Callable[[Question], Any]:
    return lambda question: {"analysis": "a", field: values[int(question.key.split("-")[1])]}


def test_only_response_shows_history_utterance_and_reply_and_nothing_later() -> None:
    model = Scripted(_by_turn(OWN, "importance"))
    (verdict,) = adjudge.judge("social", TALK, "only_response", askers=[model])
    assert verdict.scores == {"0": 1, "3": 2, "4": 3}
    assert _credits(verdict, "reward") == {0: 1 / 3 * 8, 3: 2 / 3 * 8, 4: 8.0}
    first, second, third = (question.messages[-1].content for question in model.asked)
    assert "Nothing has been said yet." in first
    assert "Too much." in first
    assert "Fifteen" not in first
    # her next words follow at once, so nobody replied
    assert "No reply followed." in second
    assert "And I carry it." not in second
    assert "Deal." in third


def test_utterance_quality_shows_no_reply_and_ignores_the_score() -> None:
    model = Scripted(_by_turn(OWN, "importance"))
    (verdict,) = adjudge.judge("social", TALK, "utterance_quality", askers=[model])
    assert _credits(verdict, "reward") == {0: 1 / 3 * 10, 3: 2 / 3 * 10, 4: 10.0}
    assert "Too much." not in model.asked[0].messages[-1].content


def test_goal_progress_is_taken_after_the_reply() -> None:
    model = Scripted(_by_turn({0: 2, 3: 2, 4: 9}, "progress"))
    (verdict,) = adjudge.judge("social", TALK, "goal_progress", askers=[model])
    assert verdict.scores == {"0": 2, "3": 2, "4": 9}
    assert _credits(verdict, "reward") == {0: 1.6, 3: 0.0, 4: pytest.approx(5.6)}
    first, second, third = (question.messages[-1].content for question in model.asked)
    assert "Too much." in first
    assert "Fifteen" not in first
    assert "Fifteen" in second
    assert "Deal." not in second
    assert "Deal." in third


def test_goal_progress_as_published_is_taken_before_the_utterance() -> None:
    model = Scripted(_by_turn({3: 2, 4: 3}, "progress"))
    judge = SocialJudge(as_published=True)
    (verdict,) = adjudge.judge(judge, TALK, "goal_progress", askers=[model])
    assert verdict.status == "scored"
    assert verdict.scores == {"3": 2, "4": 3}
    assert verdict.unscored == {"0": "nothing_said_before"}
    rewards = _credits(verdict, "reward")
    assert (rewards[0], rewards[3], rewards[4]) == (None, 1.6, pytest.approx(0.8))
    assert "Fifteen" not in model.asked[0].messages[-1].content


def test_one_unanswered_utterance_leaves_the_verdict_unscored() -> None:
    def answer(question: Question) -> Any:
        return (
            "I'm sorry, I can't." if question.key == "turn-3" else {"analysis": "", "importance": 1}
        )

    verdict = scored(TALK, "only_response", answer)
    assert verdict.status == "refused"
    assert "(turn 3)" in (verdict.reason or "")
    assert len(verdict.opinions[0].replies) == 3


def test_discounting_and_uniform_ask_nobody() -> None:
    for method, expected in (
        ("discounting", {0: 0.9**2 * 8, 3: 0.9 * 8, 4: 8.0}),
        ("uniform", {0: 8, 3: 8, 4: 8}),
        ("all_the_same", {0: 8, 3: 8, 4: 8}),
        (None, {0: 0.9**2 * 8, 3: 0.9 * 8, 4: 8.0}),
    ):
        (verdict,) = adjudge.judge("social", TALK, method)
        assert verdict.status == "scored"
        assert _credits(verdict, "reward") == expected
        assert verdict.scores == {}
        assert verdict.unscored == dict.fromkeys(("0", "3", "4"), "no_importance")
        assert verdict.usage.calls == 0


@pytest.mark.parametrize(
    ("changes", "method", "options", "status", "reason"),
    [
        ({"scores": {}}, "discounting", {}, "skipped", "no_score"),
        ({"goals": {}}, "direct", {}, "skipped", "no_goal"),
        ({"turns": [{"speaker": "Bob", "text": "Hi"}]}, "direct", {}, "skipped", "no_utterances"),
        ({}, "discounting", {"formula": "scaled"}, "error", "formula_mismatch"),
        ({}, "direct", {"formula": "progress"}, "error", "formula_mismatch"),
        ({}, "goal_progress", {"dimension": "secret"}, "error", "dimension_mismatch"),
    ],
)
def test_what_cannot_be_judged_is_said_before_anyone_is_asked(
    changes: dict[str, Any], method: str, options: dict[str, Any], status: str, reason: str
) -> None:
    model = Scripted(lambda question: "")
    case = {**TALK, **changes}
    (verdict,) = adjudge.judge(SocialJudge(**options), case, method, askers=[model])
    assert model.asked == []
    assert verdict.status == status
    assert (verdict.reason or "").startswith(reason)


def test_without_an_episode_score_importances_stand_and_rewards_are_null() -> None:
    verdict = scored({**TALK, "scores": {}}, "direct", importances(OWN))
    assert verdict.scores == {"0": 1, "3": 2, "4": 3}
    assert set(_credits(verdict, "reward").values()) == {None}
    assert verdict.reward is None
    assert [f.kind for f in verdict.findings if f.kind == "no_score"] == ["no_score"]


def test_another_dimension_brings_its_own_score_and_meaning() -> None:
    model = Scripted(lambda question: importances(OWN))
    judge = SocialJudge(dimension="relationship", show_score=True)
    (verdict,) = adjudge.judge(judge, TALK, "direct", askers=[model])
    assert _credits(verdict, "reward")[4] == -2.0
    assert "from -5 to 5: -2" in model.asked[0].messages[-1].content
    assert SocialJudge(dimension="financial_and_material_benefits").dimension == "financial"


def test_conserve_makes_rewards_sum_to_the_score() -> None:
    verdict = scored(TALK, "direct", importances({0: 0, 3: 0, 4: 0}), conserve=True)
    assert sum(_credits(verdict, "reward").values()) == pytest.approx(8)


def test_several_jurors_are_combined_by_turn() -> None:
    def juror(sample: int, value: int) -> Scripted:
        return Scripted(lambda question: importances({0: value, 3: 1, 4: 3}), sample=sample)

    jurors = [juror(sample, value) for sample, value in enumerate((0, 2, 3))]
    (verdict,) = adjudge.judge("social", TALK, "direct", askers=jurors)
    assert verdict.scores == {"0": 2, "3": 1, "4": 3}
    assert verdict.flags == ("disagreement",)


async def test_over_http_a_bad_value_is_repaired_and_a_missing_turn_asked_for() -> None:
    def answer(received: Any) -> Any:
        last = received.body["messages"][-1]["content"]
        if "cannot be used" in last:
            return importances({0: 3, 3: 2})
        return importances({4: 1} if "missing" in last else {0: 7, 3: 2})

    async with MisbehavingEndpoint(answer) as endpoint:
        transport = HttpTransport(OpenAIChat(), endpoint.url, "m")
        async with ModelClient(transport, Endpoint("openai-compatible", "m")) as client:
            (verdict,) = await adjudge.judge_async("social", TALK, "direct", askers=[Juror(client)])
        assert verdict.scores == {"0": 3, "3": 2, "4": 1}
        assert len(endpoint.requests) == 3
