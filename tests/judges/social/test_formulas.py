"""The formulas beside Sotopia-RL's own, on its own data; and where they differ, since it errs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.judges.social import formulas
from adjudge.judges.social.dimensions import DIMENSIONS
from adjudge.judges.social.judge import SocialJudge
from social_cases import cases_of, episodes, lines_of

TOLERANCE = 1e-12
Attributions = dict[str, Any]


# Sotopia-RL, transcribed: attributions by key to rewards by key.


def original_direct(given: Attributions, scale: str, score: float) -> Attributions:
    top = {"default": 3, "5-scale": 5, "10-scale": 10}[scale]
    return {k: -1.0 if v == -1 else v / top * score for k, v in given.items()}


def original_normalized(given: Attributions, score: float) -> Attributions:
    total = 0
    for v in given.values():
        total += v
    return {k: 0.0 if total == 0 else v / total * score for k, v in given.items()}


def original_quality(given: Attributions) -> Attributions:
    return {k: v / 3 * 10 for k, v in given.items()}


def original_quality_normalized(given: Attributions, score: float) -> Attributions:
    total = sum(given.values())
    return {k: v / total * score for k, v in given.items()}


def original_key(given: Attributions, key: str, score: float) -> Attributions:
    return {k: (1 if k == key else 0) * score for k in given}


def original_progress(given: Attributions, score: float) -> Attributions:
    rewards, before = {}, 0
    for k, v in given.items():
        rewards[k] = (v - before) / 10 * score
        before = v
    return rewards


def original_discounting(
    conversation: Sequence[tuple[str, str]], agent: str, factor: float, score: float
) -> Attributions:
    count = sum(speaker == agent for speaker, _ in conversation)
    return {
        f"Utterance {i // 2} by {speaker}": factor ** (count - 1 - i // 2) * score
        for i, (speaker, _) in enumerate(conversation)
        if speaker == agent
    }


def original_key_discounting(keys: Sequence[bool], score: float) -> list[float]:
    sums: list[float] = [0] * len(keys)
    for turn in sorted(t for t, key in enumerate(keys) if key):
        current = 1.0
        for i in range(turn, -1, -1):
            sums[i] += current
            current *= 0.9
    largest = max(sums)
    return [a / largest * score for a in sums]


def original_do_normalize(rewards: Sequence[float], score: float) -> list[float]:
    total = 0.0
    for reward in rewards:
        total += reward
    return [reward / total * score for reward in rewards]


def original_merge(dimensions: Sequence[Sequence[float]]) -> list[float]:
    def normalize(values: Sequence[float]) -> list[float]:
        low, high = min(values), max(values)
        return [(v - low) / (high - low) for v in values]

    return [sum(row) / len(row) * 10 for row in zip(*map(normalize, dimensions), strict=True)]


def original_conversation(record: dict[str, Any]) -> list[tuple[str, str]]:
    parsed = []
    for block in record["social_interactions"].split("\n\n"):
        for agent in record["social_goals"]:
            if block.startswith(agent):
                parsed.append((agent, block[len(agent) + 1 :].strip()))
                break
    return parsed


# the data


def records() -> Iterator[tuple[list[int | None], Attributions, float]]:
    """Own attributions in order (``None``: the model gave none), those given by key, the score."""
    for line in lines_of("llm_attribution_for_episodes_20.jsonl"):
        own = {
            key: entry[1]
            for key, entry in line["rewarded_utterances"].items()
            if key.endswith(f" by {line['agent']}")
        }
        given = {key: value for key, value in own.items() if value != -1}
        yield [None if v == -1 else v for v in own.values()], given, line["score"]


def known(rewards: Sequence[float | None]) -> list[float]:
    return [reward for reward in rewards if reward is not None]


def same(ours: Sequence[float | None], original: Attributions) -> None:
    assert known(ours) == pytest.approx(list(original.values()), abs=TOLERANCE, rel=TOLERANCE)


def test_the_data_holds_what_the_comparison_needs() -> None:
    found = list(records())
    assert len(found) == 40
    assert sum(value is None for values, _, _ in found for value in values) == 34


def test_direct_normalized_quality_and_progress_equal_the_original() -> None:
    for values, own, score in records():
        same(formulas.scaled(values, 10, score), original_direct(own, "10-scale", score))
        same(formulas.scaled(values, 3, score), original_direct(own, "default", score))
        same(formulas.normalized(values, score), original_normalized(own, score))
        same(formulas.quality(values), original_quality(own))
        same(formulas.progress(values, score), original_progress(own, score))
        same(formulas.uniform(len(own), score), dict.fromkeys(own, score))
        if sum(own.values()):
            same(formulas.normalized(values, score), original_quality_normalized(own, score))


def test_key_formulas_equal_the_original_for_every_utterance_as_the_key() -> None:
    for _, own, score in records():
        for key in own:
            flags = [k == key for k in own]
            same(formulas.key_only(flags, score), original_key(own, key, score))
        keys = [value >= 7 for value in own.values()]
        if any(keys):
            ours = formulas.key_discounted(keys, score)
            assert ours == pytest.approx(original_key_discounting(keys, score), abs=TOLERANCE)


def test_the_normalising_step_equals_the_original() -> None:
    for values, own, score in records():
        rewards = formulas.scaled(values, 10, score)
        if sum(known(rewards)):
            ours = formulas.conserved(rewards, score)
            same(ours, dict(zip(own, original_do_normalize(known(rewards), score), strict=True)))


def test_merged_dimensions_equal_the_original_over_the_whole_set() -> None:
    goal = [r for v, _, score in records() for r in formulas.scaled(v, 10, score)]
    quality = [r for v, _, _ in records() for r in formulas.quality(v)]
    ours = formulas.combined({"goal": goal, "relationship": quality})
    both = [(g, q) for g, q in zip(goal, quality, strict=True) if g is not None and q is not None]
    assert known(ours) == pytest.approx(original_merge(list(zip(*both, strict=True))), abs=1e-12)
    assert [r is None for r in ours] == [g is None for g in goal]


def test_discounting_equals_the_original_where_it_counts_every_utterance_once() -> None:
    """It counts pairs of turns; where nobody speaks twice in a row that is the same."""
    differing = []
    for record in episodes():
        conversation = original_conversation(record)
        for case in cases_of(record):
            keys = [u.key for u in SocialJudge().check(case).facts.utterances]
            score = case.score(DIMENSIONS["goal"])
            assert score is not None
            original = original_discounting(conversation, case.agent, 0.9, score)
            ours = formulas.discounted(len(keys), score)
            if list(original) == keys:
                same(ours, original)
            else:
                differing.append((case.id, len(keys) - len(original)))
    # two utterances of his have one key there, and one of them is lost
    assert differing == [("01HB5GE1A36GVX6XZW68PCS8YG/Benjamin Jackson", 1)]


# where the original errs


def test_a_missing_key_is_not_judged_where_the_original_gives_a_number() -> None:
    assert formulas.scaled([3, None], 3, 9.0) == [9.0, None]
    assert original_direct({"a": 3, "b": -1}, "default", 9.0) == {"a": 9.0, "b": -1.0}


def test_no_importance_at_all_is_zero_where_the_original_divides_by_zero() -> None:
    assert formulas.normalized([0, 0], 5.0) == [0.0, 0.0]
    with pytest.raises(ZeroDivisionError):
        original_quality_normalized({"a": 0, "b": 0}, 5.0)
    assert formulas.conserved([0.0, 0.0], 5.0) == [2.5, 2.5]
    with pytest.raises(ZeroDivisionError):
        original_do_normalize([0.0, 0.0], 5.0)
    assert formulas.combined({"goal": [4.0, 4.0]}) == [0.0, 0.0]
    with pytest.raises(ZeroDivisionError):
        original_merge([[4.0, 4.0]])
    assert formulas.key_discounted([False, False], 5.0) == [0.0, 0.0]
    with pytest.raises(ZeroDivisionError):
        original_key_discounting([False, False], 5.0)


def test_a_name_with_an_apostrophe_keeps_its_utterances() -> None:
    """The original finds names by a pattern, and skips every agent whose name it does not match."""
    pattern = r"Utterance (\d+) by ([A-Za-z ]+)"
    record = next(r for r in episodes() if "Finnegan O'Malley" in r["social_goals"])
    case = next(c for c in cases_of(record) if c.agent == "Finnegan O'Malley")
    keys = [u.key for u in SocialJudge().check(case).facts.utterances]
    assert keys
    for key in keys:
        found = re.search(pattern, key)
        assert found is not None
        assert found.group(2) != case.agent


def test_a_negative_score_turns_the_importances_over_and_directions_do_not() -> None:
    assert formulas.scaled([3, 0], 3, -4.0) == [-4.0, 0.0]
    assert formulas.directed([3, 0, 2], [1, -1, None], 3) == [1.0, 0.0, None]


@pytest.mark.parametrize(
    "rewards",
    [
        formulas.scaled([1, 2], 3, None),
        formulas.normalized([1, 2], None),
        formulas.normalized([0, 0], None),
        formulas.key_only([True, False], None),
        formulas.progress([1, 2], None),
        formulas.discounted(2, None),
        formulas.uniform(2, None),
        formulas.key_discounted([True, False], None),
        formulas.key_discounted([True, None], 1.0),
        formulas.conserved([1.0, 2.0], None),
        formulas.quality([None, None]),
        formulas.combined({"goal": [None, None]}),
    ],
)
def test_what_is_not_known_comes_out_as_none(rewards: list[float | None]) -> None:
    assert rewards == [None, None]


_REWARD = st.none() | st.floats(-100, 100)


@given(st.lists(_REWARD, max_size=30), st.floats(-10, 10))
def test_conserved_rewards_sum_to_the_score(rewards: list[float | None], score: float) -> None:
    ours = formulas.conserved(rewards, score)
    assert [r is None for r in ours] == [r is None for r in rewards]
    if known(ours):
        assert math.fsum(known(ours)) == pytest.approx(score, abs=1e-9)


@given(st.lists(st.none() | st.integers(0, 10), max_size=30), st.floats(-10, 10))
def test_normalized_rewards_sum_to_the_score_unless_nothing_mattered(
    values: list[int | None], score: float
) -> None:
    rewards = known(formulas.normalized(values, score))
    whole = score if any(values) else 0.0
    assert math.fsum(rewards) == pytest.approx(whole, abs=1e-9)


@given(st.lists(st.none() | st.integers(0, 10), min_size=1, max_size=30), st.floats(-10, 10))
def test_progress_adds_up_to_the_last_level(values: list[int | None], score: float) -> None:
    judged = [value for value in values if value is not None]
    total = math.fsum(known(formulas.progress(values, score)))
    assert total == pytest.approx((judged[-1] if judged else 0) / 10 * score, abs=1e-9)


@given(st.dictionaries(st.text(max_size=3), st.lists(_REWARD, min_size=8, max_size=8), min_size=1))
def test_combined_rewards_run_from_0_to_10(dimensions: dict[str, list[float | None]]) -> None:
    for index, reward in enumerate(formulas.combined(dimensions)):
        if reward is None:
            assert any(values[index] is None for values in dimensions.values())
        else:
            assert -1e-9 <= reward <= 10 + 1e-9
