"""Rows for training from verdicts on dialogues and plans."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

import adjudge
from adjudge.contract import Record
from adjudge.exports.acting import acting_prompt
from adjudge.exports.combine import combine
from adjudge.exports.formats import ROW_FORMATS
from adjudge.exports.row_formats import NeedsThreshold, Settings, WrongJudge, write_rows
from adjudge.exports.steps import NoSteps, steps_of
from adjudge.judges.robot.judge import RobotJudge
from adjudge.judges.social import formulas
from adjudge.judges.social.judge import SocialJudge
from adjudge.runs.joined import CannotJoin, Joined
from social_cases import SHARED, cases_of, dialogue, importances, lines_of, scored
from tally_judge import TallyJudge

TALK = dialogue(
    ("Bob", "Well?"),
    ("Ann", "Twenty."),
    ("Bob", "did nothing"),
    ("Ann", "Or {fifteen}?"),
    ("Bob", "Deal."),
    ("Ann", "left the conversation"),
    scenario="A flea market.",
    backgrounds={
        "Ann": "Ann sells. Ann's secrets: It is broken.",
        "Bob": "Bob buys. Bob's secrets: He is rich.",
    },
)
VALUES = {1: 1, 3: 3, 5: 0}


def _pair(
    record: Any = TALK, method: str = "direct", values: Any = VALUES, **options: Any
) -> Joined:
    (case,) = cases_of(record)
    return Joined.of(case, scored(record, method, importances(values), **options))


def _rows(name: str, *pairs: Joined, threshold: float | None = None) -> tuple[list[Any], Settings]:
    settings = Settings(threshold)
    return list(ROW_FORMATS[name].rows(pairs, settings)), settings


ROBOT = [
    {
        "id": "good",
        "instruction": "Turn on the lamp.",
        "plan": ["navigate(lamp)", "toggle_on(lamp)"],
    },
    {
        "id": "bad",
        "instruction": "Turn on the lamp.",
        "plan": ["navigate(lamp)", "fly(lamp)", "toggle_on(lamp)"],
    },
]


def _robot_pairs() -> Iterator[Joined]:
    judge = RobotJudge()
    for record, verdict in zip(ROBOT, adjudge.judge(judge, ROBOT), strict=True):
        (case,) = judge.readers()["native"].read(Record(record))
        yield Joined.of(case, verdict)


# Sotopia-RL


def test_annotation_lines_hold_every_utterance_under_a_key_of_its_own() -> None:
    ((row,), _) = _rows("sotopia", _pair())
    assert row["episode_id"] == "talk"
    assert (row["agent"], row["goal"]) == ("Ann", "Agree on a price.")
    assert (row["scenario"], row["goal_score"]) == ("A flea market.", 8.0)
    assert row["is_first_speaker"] is True
    found = row["attributed_utterances"]
    assert list(found) == [
        "Utterance 0 by Bob",
        "Utterance 0 by Ann",
        "Utterance 1 by Ann",
        "Utterance 1 by Bob",
        "Utterance 2 by Ann",
    ]
    assert found["Utterance 0 by Bob"] == ['said: "Well?"', 0]
    assert found["Utterance 1 by Ann"] == [
        'said: "Or {fifteen}?"',
        {"reward": 8.0, "attribution": 3, "dimension": "goal", "dim_score": 8.0},
    ]
    assert found["Utterance 2 by Ann"][0] == "left the conversation"


def test_what_was_not_judged_is_null_in_annotation_lines_and_never_zero() -> None:
    pair = _pair(values={1: 9})
    assert pair.verdict["status"] == "invalid"
    ((row,), _) = _rows("sotopia", pair)
    own = {k: v for k, v in row["attributed_utterances"].items() if k.endswith("Ann")}
    assert [given for _, given in own.values()] == [None, None, None]


def test_annotation_lines_have_the_fields_of_the_shared_ones() -> None:
    published = lines_of("llm_attribution_for_episodes_20.jsonl")
    by_key = {(line["episode_id"], line["agent"]): line for line in published}
    compared, lost = 0, set()
    for record in lines_of("episodes_sotopia_20.jsonl"):
        for case in cases_of(record):
            (verdict,) = adjudge.judge("social", case, "uniform")
            ((row,), _) = _rows("sotopia", Joined.of(case, verdict))
            line = by_key[case.episode_id or "", case.agent]
            assert (row["scenario"], row["goal"]) == (line["scenario"], line["goal"])
            assert row["is_first_speaker"] == line["is_first_speaker"]
            assert row["goal_score"] == line["score"]
            ours, theirs = row["attributed_utterances"], line["rewarded_utterances"]
            if len(ours) == len(theirs):
                assert list(ours) == list(theirs)
                assert all(theirs[key][0].endswith(ours[key][0]) for key in ours)
            else:
                # there two utterances of one speaker had one key, and one of them is lost
                lost.add(case.episode_id)
            compared += 1
    assert compared == 40
    assert lost == {"01HB5GE1A36GVX6XZW68PCS8YG"}


def test_reward_model_rows_hold_the_whole_prompt_the_action_and_its_value() -> None:
    rows, settings = _rows("sotopia-rm", _pair())
    assert [json.loads(row["output"]) for row in rows] == [
        {"action_type": "speak", "argument": "Twenty."},
        {"action_type": "speak", "argument": "Or {fifteen}?"},
        {"action_type": "leave", "argument": ""},
    ]
    assert [row["value"] for row in rows] == [1 / 3 * 8, 8.0, 0.0]
    prompt = rows[1]["input"]
    assert "Scenario: A flea market.\n" in prompt
    assert "Ann's secrets: It is broken." in prompt
    assert "He is rich" not in prompt
    assert "Bob's goal: Unknown" in prompt
    assert "Ann's goal: Agree on a price." in prompt
    assert prompt.index('Bob said: "Well?"') < prompt.index('Ann said: "Twenty."')
    assert "Or {fifteen}?" not in prompt
    assert not settings.left_out


def test_an_utterance_without_a_reward_is_no_row_and_is_counted() -> None:
    rows, settings = _rows("sotopia-rm", _pair({**TALK, "scores": {}}))
    assert rows == []
    assert settings.left_out == {"utterances without a reward": 3}


def test_prompts_are_those_that_the_agents_were_given() -> None:
    """Against the messages of the episodes, put together as Sotopia-RL does."""
    compared = 0
    for record in lines_of("episodes_sotopia_20.jsonl"):
        for case in cases_of(record):
            told = [
                text
                for exchange in record["raw_messages"]
                for sender, receiver, text in exchange
                if sender == "Environment" and receiver == case.agent
            ]
            for turn in case.own_turns():
                number = turn // 2
                history = "\n".join(told[: number + 1])
                prompt = acting_prompt(case, turn)
                assert f"already said before).\n{history}.\nYou are at Turn #{number}." in prompt
                compared += 1
    assert compared == 226


def test_prompts_begin_and_end_as_those_of_the_published_rows() -> None:
    path = SHARED / "data" / "social" / "rm_sample_4.json"
    if not path.exists():
        pytest.skip("needs the shared data file rm_sample_4.json")
    prompt = acting_prompt(cases_of(TALK)[0], 3)
    for row in json.loads(path.read_text()):
        before, after = (
            row["input"].split("Here is the context"),
            row["input"].split("You are at Turn #"),
        )
        assert prompt.startswith(before[0].replace("Mia Davis", "Ann"))
        assert prompt.endswith(after[1][1:])


# TRL


def test_unpaired_rows_of_dialogues_are_utterances_with_a_threshold() -> None:
    with pytest.raises(NeedsThreshold, match="--threshold"):
        _rows("trl-unpaired", _pair())
    rows, _ = _rows("trl-unpaired", _pair(), threshold=2.0)
    assert [row["label"] for row in rows] == [True, True, False]
    assert rows[0]["prompt"] == acting_prompt(cases_of(TALK)[0], 1)


def test_unpaired_rows_of_plans_are_labelled_by_success_or_by_threshold() -> None:
    rows, _ = _rows("trl-unpaired", *_robot_pairs())
    assert [row["label"] for row in rows] == [True, False]
    assert rows[1]["completion"] == "navigate(lamp)\nfly(lamp)\ntoggle_on(lamp)"
    assert rows[0]["prompt"] == "Turn on the lamp."
    rows, _ = _rows("trl-unpaired", *_robot_pairs(), threshold=0.0)
    assert [row["label"] for row in rows] == [True, True]


def test_unpaired_rows_of_conversations_are_messages() -> None:
    record = {
        "id": "chat",
        "messages": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello!"},
        ],
    }
    judge = adjudge.load_judge("browser")()
    (verdict,) = adjudge.judge(judge, record)
    record_read = Record(record)
    reader = next(r for r in judge.readers().values() if r.detect(record_read))
    (case,) = reader.read(record_read)
    pair = Joined.of(case, verdict)
    pair.verdict.update(reward=0.8)
    rows, _ = _rows("trl-unpaired", pair, threshold=0.5)
    assert rows == [
        {
            "prompt": [{"role": "user", "content": "Hello"}],
            "completion": [{"role": "assistant", "content": "Hello!"}],
            "label": True,
        }
    ]


def test_stepwise_rows_of_plans_end_where_the_plan_ended() -> None:
    rows, _ = _rows("trl-stepwise", *_robot_pairs())
    assert rows[0] == {
        "prompt": "Turn on the lamp.",
        "completions": ["navigate(lamp)", "toggle_on(lamp)"],
        "labels": [True, True],
    }
    assert rows[1]["completions"] == ["navigate(lamp)", "fly(lamp)"]
    assert rows[1]["labels"][1] is False


def test_stepwise_rows_of_dialogues_put_replies_before_the_next_utterance() -> None:
    rows, _ = _rows("trl-stepwise", _pair(), threshold=1.0)
    assert rows == [
        {
            "prompt": 'A flea market.\nAnn\'s goal: Agree on a price.\nBob said: "Well?"',
            "completions": [
                'Ann said: "Twenty."',
                'Ann said: "Or {fifteen}?"',
                'Bob said: "Deal."\nAnn left the conversation',
            ],
            "labels": [True, True, False],
        }
    ]


def test_a_stepwise_row_with_an_unknown_label_is_left_out_whole() -> None:
    rows, settings = _rows("trl-stepwise", _pair({**TALK, "scores": {}}), threshold=1.0)
    assert rows == []
    assert sum(settings.left_out.values()) == 1
    rows, settings = _rows("trl-stepwise", _pair(values={}), threshold=1.0)
    assert rows == []
    assert settings.left_out == {"trajectories that were not judged": 1}


# by turn


def test_turn_lists_have_one_entry_a_turn_and_null_where_not_judged() -> None:
    rows, _ = _rows("verl", _pair(), _pair({**TALK, "scores": {}}), *_robot_pairs())
    assert rows[0] == {
        "uid": "talk",
        "data_source": "social",
        "reward_score": pytest.approx(32 / 9),
        "turn_scores": [1 / 3 * 8, 8.0, 0.0],
    }
    assert rows[1]["turn_scores"] == [None, None, None]
    assert rows[3]["turn_scores"] == [0, -1, None]
    rows, _ = _rows("verifiers", _pair())
    assert rows[0]["trajectory"][1] == {
        "reward": 8.0,
        "extras": {"turn": 3, "key": "Utterance 1 by Ann", "importance": 3, "direction": None},
    }


def test_formats_refuse_judges_that_they_are_not_for() -> None:
    (verdict,) = adjudge.judge(TallyJudge, {"id": "x"})
    pair = Joined.of(None, verdict)
    for name in ("sotopia", "sotopia-rm", "trl-unpaired"):
        with pytest.raises(WrongJudge, match="tally"):
            _rows(name, pair)
    for name in ("trl-stepwise", "verl", "verifiers"):
        with pytest.raises(NoSteps, match="tally"):
            _rows(name, pair)


def test_input_that_was_no_case_is_counted() -> None:
    (verdict,) = adjudge.judge("social", {"turns": 3}, "uniform")
    pair = Joined.of(None, verdict)
    for name in ("sotopia", "sotopia-rm", "trl-unpaired"):
        rows, settings = _rows(name, pair)
        assert rows == []
        assert settings.left_out == {"input that was no case": 1}
    assert steps_of(pair.verdict) == []


# combining


def _runs(*dimensions: str) -> list[Any]:
    records = [
        {**TALK, "id": f"talk-{i}", "scores": {"Ann": {"goal": 8 - i, "relationship": i - 2}}}
        for i in range(4)
    ]
    runs = []
    for dimension in dimensions:
        values = {1: 1, 3: 3, 5: 0} if dimension == "goal" else {1: 3, 3: 0, 5: 1}
        pairs = [_pair(record, values=values, dimension=dimension) for record in records]
        runs.append(lambda pairs=pairs: iter(pairs))
    return runs


def _rewards(pairs: Any) -> list[Any]:
    return [step.reward for joined in pairs for step in steps_of(joined.verdict)]


def test_runs_on_several_dimensions_are_combined_over_the_whole_set() -> None:
    runs = _runs("goal", "relationship")
    expected = formulas.combined(
        {name: _rewards(run()) for name, run in zip(("goal", "relationship"), runs, strict=True)}
    )
    found = list(combine(runs))
    assert _rewards(found) == pytest.approx(expected, abs=1e-12)
    assert found[0].verdict["details"]["dimension"] == "goal+relationship"
    ((row, *_), _) = _rows("sotopia", *found)
    given = row["attributed_utterances"]["Utterance 1 by Ann"][1]
    assert (given["attribution"], given["dimension"]) == (None, "goal+relationship")
    rows, _ = _rows("sotopia-rm", *found)
    assert [row["value"] for row in rows] == pytest.approx(expected, abs=1e-12)


def test_an_utterance_that_one_run_lacks_has_no_combined_reward() -> None:
    goal, relationship = _runs("goal", "relationship")
    failed = [_pair({**TALK, "id": f"talk-{i}"}, values={}) for i in range(4)]
    some = [failed[0], *list(relationship())[1:]]
    found = list(combine([goal, lambda: iter(some)]))
    assert _rewards(found)[:3] == [None, None, None]
    assert None not in _rewards(found)[3:]
    assert (found[0].verdict["status"], found[0].verdict["reward"]) == ("invalid", None)


def test_runs_over_other_cases_are_not_combined() -> None:
    (goal,) = _runs("goal")
    with pytest.raises(CannotJoin, match="same cases"):
        list(combine([goal, lambda: iter(list(goal())[::-1])]))
    with pytest.raises(CannotJoin, match="same cases"):
        list(combine([goal, lambda: iter(list(goal())[:-1])]))


@pytest.mark.parametrize("container", ["jsonl", "array"])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_rows_are_written_one_by_one_as_lines_or_as_one_array(container: str, count: int) -> None:
    rows = [{"text": "line\nbreak “Ж”", "n": i} for i in range(count)]
    stream = io.StringIO()
    assert write_rows(iter(rows), stream, container) == count
    text = stream.getvalue()
    found = json.loads(text) if container == "array" else [json.loads(x) for x in text.splitlines()]
    assert found == rows


def test_social_judge_options_reach_the_readers_when_a_run_is_read_again() -> None:
    assert [c.agent for c in cases_of({**TALK, "agent": None}, agent="Bob")] == ["Bob"]
    assert SocialJudge(agent="Bob").agent == "Bob"
