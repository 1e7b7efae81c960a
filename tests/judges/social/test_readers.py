"""Reading dialogues: nothing said is lost, and nobody is left out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.contract import CaseError
from adjudge.judges.social.case import SocialCase, Turn
from adjudge.judges.social.readers.blocks import parse_blocks
from social_cases import cases_of, dialogue, episodes, lines_of


def _rendered(turns: list[Turn]) -> list[str]:
    """The utterances as SOTOPIA writes them."""
    return [
        f"{t.speaker} {t.natural}" if t.kind == "speak" else f"{t.speaker}: {t.natural}"
        for t in turns
        if t.acted
    ]


def _count_independently(record: dict[str, Any]) -> dict[str, int]:
    """Utterances by speaker, counted from the text alone or from the messages alone."""
    names = list(record["agents_background"])
    if "raw_messages" in record:
        said = [
            sender
            for exchange in record["raw_messages"]
            for sender, _, text in exchange
            if sender in names and text != "did nothing"
        ]
        return {name: said.count(name) for name in names}
    text = "\n\n" + record["social_interactions"]
    return {
        name: len(re.findall(rf"\n\n{re.escape(name)}(?: said: \"|: \[|: left)", text))
        for name in names
    }


def test_all_episodes_are_read_with_every_utterance_of_every_agent() -> None:
    records = episodes()
    assert len(records) == 32
    total = 0
    for record in records:
        cases = cases_of(record)
        counts = _count_independently(record)
        assert {case.agent: len(case.own_turns()) for case in cases} == counts
        # word for word: put together again they are the dialogue, but for blocks of silence
        whole = re.sub(r"\n{3,}", "\n\n", record["social_interactions"]).strip()
        assert "\n\n".join(_rendered(cases[0].turns)) == whole
        total += sum(counts.values())
    assert total == 345


def test_the_rendered_text_alone_gives_the_same_utterances_as_the_messages() -> None:
    for record in lines_of("episodes_sotopia_20.jsonl"):
        from_text = {k: v for k, v in record.items() if k != "raw_messages"}
        for one, other in zip(cases_of(record), cases_of(from_text), strict=True):
            assert _rendered(one.turns) == _rendered(other.turns)


def test_goals_scores_and_backgrounds_are_those_of_the_agent() -> None:
    for record in episodes():
        for index, case in enumerate(cases_of(record)):
            assert case.id == f"{record['episode_id']}/{case.agent}"
            assert case.goals[case.agent] == record["social_goals"][case.agent]
            assert case.backgrounds[case.agent] == record["agents_background"][case.agent]
            assert case.scores[case.agent] == record["rewards"][index]


def test_hard_episodes_keep_what_other_readings_lose() -> None:
    by_id = {record["episode_id"]: record for record in episodes()}
    blank_line = cases_of(by_id["01H8H3MEAP53J9HHWH91F9Z6TK"])
    assert any("\n\n* speak:" in turn.text for turn in blank_line[0].turns)
    apostrophe = cases_of(by_id["01H8FJCGCSNE1Q64ZZFXAC23VS"])
    assert [case.agent for case in apostrophe] == ["Finnegan O'Malley", "Noah Davis"]
    # both agents speak twice in a row: pairs of turns would give two utterances one key
    repeated = cases_of(by_id["01HB5GE1A36GVX6XZW68PCS8YG"])
    keys = [
        u.key
        for case in repeated
        for u in adjudge.load_judge("social")().check(case).facts.utterances
    ]
    assert len(set(keys)) == len(keys) == 16


@pytest.mark.parametrize(
    ("rewards", "expected"),
    [
        ([{"goal": 3.0}, {"goal": 4.0}], ({"goal": 3.0}, {"goal": 4.0})),
        ([[1.5, {"goal": 3.0}], [2.0, {"goal": 4.0}]], ({"goal": 3.0}, {"goal": 4.0})),
        ([0.0, 0.0], (None, None)),
        ([[1.5, {"goal": 3.0}], 0.0], ({"goal": 3.0}, None)),
        (None, (7.0, None)),
    ],
)
def test_both_shapes_of_rewards_and_failed_evaluations(rewards: Any, expected: Any) -> None:
    record = {
        "episode_id": "e",
        "social_goals": {"Ann": "a", "Ann Lee": "b"},
        "social_interactions": 'Ann said: "Hi"\n\nAnn Lee said: "Hi"',
        "rewards": rewards,
        "scores": {"Ann": 7.0},
    }
    cases = cases_of(record)
    assert tuple(case.scores.get(case.agent) for case in cases) == expected


def test_rewards_that_failed_are_taken_from_where_they_are() -> None:
    record = {
        "episode_id": "e",
        "social_goals": {"Ann": "a", "Bob": "b"},
        "social_interactions": 'Ann said: "Hi"',
        "rewards": [0.0, 0.0],
        "raw_rewards": [[3.0, {"goal": 6.0}], [5.0, {"goal": 7.0}]],
        "scores": {"Ann": 0.0, "Bob": 0.0},
    }
    assert [case.scores[case.agent] for case in cases_of(record)] == [{"goal": 6.0}, {"goal": 7.0}]


def test_silent_turns_keep_their_id_and_leaving_is_an_utterance() -> None:
    record = {
        "episode_id": "e",
        "social_goals": {"Ann": "a", "Bob": "b", "Cy": "c"},
        "raw_messages": [
            [
                ["Environment", "Ann", "context"],
                ["Ann", "Environment", 'said: "Hi\n\nBob said: "I pay""'],
                ["Bob", "Environment", "did nothing"],
                ["Cy", "Environment", "[action] waves"],
            ],
            [
                ["Ann", "Environment", "did nothing"],
                ["Bob", "Environment", "left the conversation"],
            ],
        ],
    }
    by_agent = {case.agent: case for case in cases_of(record)}
    assert {name: case.own_turns() for name, case in by_agent.items()} == {
        "Ann": [0],
        "Bob": [4],
        "Cy": [2],
    }
    assert by_agent["Ann"].turns[0].text == 'Hi\n\nBob said: "I pay"'
    assert by_agent["Bob"].turns[4].kind == "leave"


def test_names_are_compared_whole() -> None:
    text = 'Ann Lee said: "One"\n\nAnn said: "Two"\n\nAnn O\'Lee: left the conversation'
    turns = list(parse_blocks(text, ["Ann", "Ann Lee", "Ann O'Lee"]))
    assert [turn[0] for turn in turns] == ["Ann Lee", "Ann", "Ann O'Lee"]


def test_a_turn_inside_an_open_quotation_was_only_spoken() -> None:
    text = 'Ann said: "Say:\n\nBob said: "I agree""\n\nBob said: "No"'
    assert list(parse_blocks(text, ["Ann", "Bob"])) == [
        ("Ann", "speak", 'Say:\n\nBob said: "I agree"'),
        ("Bob", "speak", "No"),
    ]


def test_a_quotation_that_is_never_closed_ends_at_the_next_turn() -> None:
    text = 'Ann said: "Well\n\nBob: [action] leaves'
    assert [t[0] for t in parse_blocks(text, ["Ann", "Bob"])] == ["Ann", "Bob"]


_SPEECH = st.text("ab \n.:", min_size=1, max_size=30).filter(lambda t: t == t.strip())


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Ann Lee", "Bob"]), _SPEECH), min_size=1))
def test_what_sotopia_renders_is_read_back(said: list[tuple[str, str]]) -> None:
    text = "\n\n".join(f'{name} said: "{speech}"' for name, speech in said)
    found = list(parse_blocks(text, ["Ann", "Ann Lee", "Bob"]))
    assert [(name, spoken) for name, _, spoken in found] == said


def test_native_records_give_a_case_for_each_agent_or_the_one_named() -> None:
    record = dialogue(("Ann", "Hi"), ("Bob", "Hi"), ("Cy", "did nothing"))
    assert [case.id for case in cases_of(record)] == ["talk"]
    del record["agent"]
    cases = cases_of(record)
    assert [case.id for case in cases] == ["talk/Ann", "talk/Bob", "talk/Cy"]
    assert {case.episode_id for case in cases} == {"talk"}
    assert [case.own_turns() for case in cases] == [[0], [1], []]
    assert [case.id for case in cases_of(record, agent="Bob")] == ["talk/Bob"]


def test_chat_messages_become_turns_of_the_agents_behind_the_roles() -> None:
    record = {
        "id": "chat",
        "agents": {"assistant": "Ann", "user": "Bob"},
        "goals": {"Ann": "sell"},
        "messages": [
            {"role": "system", "content": "A shop."},
            {"role": "user", "content": [{"type": "text", "text": "How much?"}]},
            {"role": "assistant", "content": "Ten."},
            {"role": "assistant", "content": None},
            {"role": "user", "content": "Fine.", "name": "Cy"},
        ],
    }
    cases = cases_of(record)
    assert [(case.agent, case.own_turns()) for case in cases] == [
        ("Ann", [1]),
        ("Bob", [0]),
        ("Cy", [3]),
    ]
    assert cases[0].scenario == "A shop."


@pytest.mark.parametrize(
    ("record", "field", "words"),
    [
        (3, "", "a JSON object"),
        ({"turns": []}, "agents", "agents, or turns"),
        ({"agents": "Ann", "turns": []}, "agents", "a list"),
        ({"agents": ["Ann"]}, "turns", "this field"),
        ({"agents": ["Ann"], "turns": [{"text": "Hi"}]}, "turns[0].speaker", "this field"),
        ({"agents": ["Ann", "Ann"], "turns": []}, "", "names of their own"),
        ({"agents": ["Ann"], "goals": {"Bob": "x"}, "turns": []}, "", "goals by agent"),
        ({"agents": ["Ann"], "agent": "Bob", "turns": []}, "", "one of the agents 'Ann'"),
        ({"agents": ["Ann"], "turn": []}, "turns", "this field"),
        ({"messages": [{"role": 3}]}, "messages[0].role", "a message with a role"),
        ({"social_goals": {"Ann": "x"}}, "social_interactions", "the dialogue in raw_messages"),
        ({"social_goals": [], "social_interactions": ""}, "social_goals", "an object"),
        (
            {"social_goals": {"Ann": "x"}, "social_interactions": "hello"},
            "social_interactions",
            "begins with one of the agents 'Ann'",
        ),
        (
            {"social_goals": {"Ann": "x"}, "raw_messages": [[["Ann", "hi"]]]},
            "raw_messages[0][0]",
            "[sender, receiver, text]",
        ),
        (
            {"social_goals": {"Ann": "x"}, "social_interactions": "", "rewards": ["good"]},
            "rewards[0]",
            "or a number",
        ),
        (
            {"social_goals": {"Ann": "x"}, "social_interactions": "", "rewards": [1, 2]},
            "rewards",
            "one entry for each of 1 agents",
        ),
    ],
)
def test_what_is_wrong_is_named(record: Any, field: str, words: str) -> None:
    with pytest.raises(CaseError) as problem:
        cases_of(record)
    assert problem.value.field == field
    assert words in str(problem.value)


def test_an_agent_that_an_episode_lacks_is_an_error_of_that_episode() -> None:
    record = dialogue(("Ann", "Hi"), ("Bob", "Hi"))
    (verdict,) = adjudge.judge("social", [record], "uniform", options={"agent": "Cy"})
    assert (verdict.status, verdict.reason) == ("error", "bad_case")
    assert verdict.details["error"]["expected"] == "one of the agents 'Ann', 'Bob'"


def test_a_case_can_be_built_in_python() -> None:
    case = SocialCase(
        id="x", agent="Ann", turns=[Turn(speaker="Ann", text="Hi")], scores={"Ann": 4.0}
    )
    (verdict,) = adjudge.judge("social", case, "uniform")
    assert verdict.details["credits"][0]["reward"] == 4.0
