"""What no renaming, reordering or spacing may change."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from social_cases import dialogue, importances, scored

# prefixes of each other, apostrophes, other scripts, words of the formats
NAMES = ["Ann", "Ann Lee", "O'Malley", "Ann said", "Utterance 3 by Ann", "Zoë", "李", "Turn 1"]

TURNS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["Hi.", "Deal?", "did nothing", "a\n\nb"])),
    min_size=1,
    max_size=8,
)


@st.composite
def talks(draw: st.DrawFn) -> tuple[dict[str, Any], list[str], list[str], dict[int, int]]:
    """A dialogue of three agents, its names, other names, and importances of the first's turns."""
    names = draw(st.permutations(NAMES))
    turns = draw(TURNS)
    said = [(names[who], text) for who, text in turns]
    own = [i for i, (who, text) in enumerate(turns) if who == 0 and text != "did nothing"]
    values = {turn: draw(st.integers(0, 3)) for turn in own}
    record = dialogue(*said, agent=names[0], agents=names[:3])
    return record, list(names[:3]), list(names[3:6]), values


def _renamed(record: dict[str, Any], to: dict[str, str]) -> dict[str, Any]:
    return {
        **record,
        "agent": to[record["agent"]],
        "agents": [to[name] for name in record["agents"]],
        "goals": {to[name]: goal for name, goal in record["goals"].items()},
        "scores": {to[name]: given for name, given in record["scores"].items()},
        "turns": [{**turn, "speaker": to[turn["speaker"]]} for turn in record["turns"]],
    }


def _rewards(verdict: adjudge.Verdict) -> list[tuple[int, Any, Any]]:
    credits = verdict.details["credits"]
    return [(c["turn"], c["importance"], c["reward"]) for c in credits]


@settings(max_examples=40, deadline=None)
@given(talks(), st.sampled_from(["direct", "direct_10"]))
def test_renaming_agents_changes_no_reward(talk: Any, method: str) -> None:
    record, names, others, values = talk
    answer = importances(values)
    verdict = scored(record, method, answer)
    renamed = scored(_renamed(record, dict(zip(names, others, strict=True))), method, answer)
    assert verdict.status == renamed.status == ("scored" if values else "skipped")
    assert _rewards(renamed) == _rewards(verdict)
    assert renamed.scores == verdict.scores


@settings(max_examples=40, deadline=None)
@given(talks(), st.randoms(use_true_random=False))
def test_reordering_the_answer_changes_nothing(talk: Any, random: Any) -> None:
    record, _, _, values = talk
    shuffled = list(values.items())
    random.shuffle(shuffled)
    one = scored(record, "direct", importances(values))
    other = scored(record, "direct", importances(dict(shuffled)))
    assert _rewards(one) == _rewards(other)
    assert list(one.scores) == list(other.scores)


@settings(max_examples=40, deadline=None)
@given(talks(), st.sampled_from(["direct", "discounting", "uniform"]))
def test_conserved_rewards_sum_to_the_episodes_score(talk: Any, method: str) -> None:
    record, _, _, values = talk
    verdict = scored(record, method, importances(values), conserve=True)
    if values:
        total = math.fsum(reward for _, _, reward in _rewards(verdict))
        assert total == pytest.approx(8, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(talks())
def test_every_utterance_has_a_credit_and_a_key_of_its_own(talk: Any) -> None:
    record, names, _, values = talk
    (verdict,) = adjudge.judge("social", record, "uniform")
    credits = verdict.details["credits"]
    assert [credit["turn"] for credit in credits] == list(values)
    assert [c["key"] for c in credits] == [
        f"Utterance {k} by {names[0]}" for k in range(len(values))
    ]
    assert [c["text"] for c in credits] == [record["turns"][turn]["text"] for turn in values]
